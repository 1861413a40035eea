"""The experiments of [Balance], section 9: exercise, head drag, cup, grapple, platform, and plain standing."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from poise.behaviours.balance.gains import Weights
from poise.control.objective import Objective
from poise.control.points import Orientation, Point
from poise.dynamics.state import State
from poise.errors import BadInput
from poise.motion import library
from poise.scenes import measures, props
from poise.scenes.options import Options
from poise.scenes.registry import scene
from poise.scenes.standing import stage
from poise.simulate import Scene
from poise.worlds.disturb import Push
from poise.worlds.ground import Move, Platform, Sine

UPRIGHT = np.array([1.0, 0.0, 0.0, 0.0])
SERVING = np.array([math.sqrt(0.5), 0.0, -math.sqrt(0.5), 0.0])  # fingers forward, the hand's x axis up


@scene
def stand(o: Options) -> Scene:
    """Stand at rest: ``idle=on`` sways, breathes, shifts its weight and looks about, ``idle=off`` is a statue."""
    return stage(o, "adult", idle=True, measures=(measures.sway,))


@scene
def balance_push(o: Options) -> Scene:
    """Stand, and take a push at the torso without a step."""
    shove = Push("torso", (250.0, 0.0, 0.0), 1.0, 0.1)
    return stage(o, "adult", pushes=(shove,), firm=True)  # a flung hand would give way at its wrist


@scene
def butterfly(o: Options) -> Scene:
    """Standing butterfly exercise: straight arms sweep out and back; ``legs=1`` on one leg."""
    period = o.between("period", 1.6, 0.2, 60, "seconds")
    if o.take("legs", 2, lambda n: n in (1, 2), "give 1 or 2") == 2:
        return stage(o, "adult", lambda body: library.butterfly(body, period), seconds=8.0, part="standing")
    return stage(o, "adult", lambda body: library.butterfly_one_leg(body, period), seconds=10.0)


@scene
def squat(o: Options) -> Scene:
    """Squats with flat heels."""
    depth, period = o.between("depth", 0.3, 0.01, 2, "metres"), o.between("period", 2.0, 0.2, 60, "seconds")
    return stage(o, "adult", lambda body: library.squat(body, depth, period), seconds=8.0)


@scene
def side_kick(o: Options) -> Scene:
    """A side kick at hip height, in single support, and the foot put back."""
    duration = o.between("duration", 4.0, 0.2, 60, "seconds")
    side = o.choice("side", "l", ("l", "r"))
    return stage(
        o, "adult", lambda body: library.side_kick(body, duration, side), seconds=duration + 2.0,
        watch={s: (s, (0.0, 0.0, 0.0)) for s in ("foot_l", "foot_r")}, part="kick",
        measures=(partial(measures.highest, "kick", ("foot_l", "foot_r")),),
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Led:
    """The head led round a circle in the sagittal plane: where it should be, and the objective for it."""

    body: str
    local: tuple[float, ...]
    rest: np.ndarray
    radius: float  # [m]
    period: float  # [s]
    start: float  # [s]
    weight: float

    def target(self, t: float) -> np.ndarray:
        angle = 2 * math.pi * max(t - self.start, 0.0) / self.period
        return self.rest + self.radius * np.array([math.sin(angle), 0.0, math.cos(angle) - 1.0 - 0.5])

    def __call__(self, t: float, state: State) -> list[Objective]:
        if t < self.start - 0.5:
            return []
        speed = (self.target(t + 1e-3) - self.target(t - 1e-3)) / 2e-3
        x, y, z = self.local
        return [Point(self.body, (x, y, z), self.target(t), speed, k=200.0, d=28.0, weight=self.weight)]


@scene
def head_drag(o: Options) -> Scene:
    """The head is led round a circle in the sagittal plane while the body squats on."""
    radius = o.between("radius", 0.15, 0.001, 1, "metres")
    period, start = o.between("drag_period", 5.0, 0.2, 60, "seconds"), 1.0
    depth, squats = o.between("depth", 0.25, 0.01, 2, "metres"), o.between("period", 2.5, 0.2, 60, "seconds")
    body = o.character("adult")
    top, local = body.point("head_top")
    data = body.posed(body.q_rest)
    rest = data.body(top).xpos + data.body(top).xmat.reshape(3, 3) @ local
    led = Led(top, tuple(local), rest, radius, period, start, o.positive("drag_weight", 100.0))
    return stage(
        o, "adult", lambda b: library.squat(b, depth, squats), seconds=10.0,
        others=led, watch={"head": (top, tuple(local))}, weights=Weights(arms=1.0),
        measures=(partial(measures.drag_error, "head", led.target, start + 1.0),),
    )  # fmt: skip


@dataclass(frozen=True)
class Level:
    """The head straight and a hand level, as for a cup in it."""

    hand: str
    weight: float

    def __call__(self, t: float, state: State) -> list[Objective]:
        return [
            Orientation("head", UPRIGHT, upright=True, k=150.0, d=24.0, weight=self.weight),
            Orientation(self.hand, SERVING, upright=True, k=150.0, d=24.0, weight=self.weight),
            Point(self.hand, (0.05, 0.0, -0.06), None, d=4.0, weight=0.1 * self.weight),
        ]


@scene
def cup(o: Options) -> Scene:
    """A side kick with the head straight and a cup held level."""
    duration, side = o.between("duration", 4.0, 0.2, 60, "seconds"), o.choice("side", "l", ("l", "r"))
    hand = f"hand_{'r' if side == 'l' else 'l'}"
    body = o.character("adult")
    if missing := {f"elbow_{hand[-1]}", f"shoulder_{hand[-1]}"} - set(body.joint_names):
        raise BadInput(f"{body.name} cannot hold a cup: it has no joint {' or '.join(sorted(missing))}")
    weight, keep = o.positive("level_weight", 30.0), o.take("level", True)

    others = Level(hand, weight) if keep else None
    watch = {
        "head.base": ("head", (0.0, 0.0, 0.0)), "head.top": ("head", (0.0, 0.0, 0.1)),
        "cup.base": (hand, (0.0, 0.0, 0.0)), "cup.top": (hand, (0.1, 0.0, 0.0)),
    }  # fmt: skip
    made = stage(
        o, "adult", lambda body: library.side_kick(body, duration, side), seconds=duration + 2.0, others=others,
        watch=watch, measures=[partial(measures.tilt, name) for name in ("head", "cup")],
    )  # fmt: skip
    start = np.array(made.q_start)
    model, side_up = made.character.model, hand[-1]
    start[model.joint(f"elbow_{side_up}").qposadr[0]] = -math.pi / 2
    start[model.joint(f"shoulder_{side_up}").qposadr[0] :][:4] = UPRIGHT
    return replace(made, character=props.with_cup(made.character, hand), q_start=start)


@dataclass(frozen=True, eq=False)
class Ropes:
    """Points drawn to places for a while; the ropes tighten over a second."""

    points: tuple[tuple[str, np.ndarray, np.ndarray], ...]  # body, local point, place [m]
    weight: float
    hold: float = 7.5  # [s]
    release: float = 11.5

    def __call__(self, t: float, state: State) -> list[Objective]:
        if not self.hold <= t < self.release:
            return []
        share = min(1.0, t - self.hold)
        return [Point(b, tuple(p), x, k=40.0, d=12.6, weight=share * self.weight) for b, p, x in self.points]


@scene
def grapple(o: Options) -> Scene:
    """A four-armed creature twists, is hit by impulses, and is then pulled down by several points."""
    hits = (
        Push("torso", (300.0, 0.0, 0.0), 1.5, 0.1),
        Push("torso", (0.0, -240.0, 0.0), 3.5, 0.1),
        Push("torso", (-250.0, 0.0, 0.0), 5.5, 0.1),
    )
    body = o.character("insectoid")
    ropes = {
        "hand_l": (0.45, 0.35),
        "hand_r": (0.45, -0.35),
        "mid_hand_l": (0.25, 0.4),
        "mid_hand_r": (0.25, -0.4),
    }
    low = o.between("rope_height", 0.25, 0.01, 3, "metres")
    points = {name: (*body.point(name), np.array([x, y, low])) for name, (x, y) in ropes.items()}
    ropes_on = Ropes(tuple(points.values()), o.positive("rope_weight", 30.0))
    watch = {name: (b, tuple(p)) for name, (b, p, _) in points.items()}
    drawn = [
        {"body": b, "point": list(p), "place": [*x[:2], 0.0], "start": ropes_on.hold, "end": ropes_on.release}
        for b, p, x in points.values()
    ]
    made = stage(o, "insectoid", library.twist, seconds=14.0, pushes=hits, others=ropes_on, watch=watch)
    return replace(made, info={**made.info, "ropes": drawn})


@scene
def platform(o: Options) -> Scene:
    """Ride a platform: ``ride=waves`` (slippery, with impulses; ``foresee`` or not), one ``move``, or ``still``."""
    ride = o.choice("ride", "waves", ("waves", "move", "still"))
    if ride == "still":
        return stage(o, "adult", seconds=6.0, platform=Platform(), measures=(measures.platform_slip,))
    if ride == "move":
        distance = o.between("distance", -0.16, -2, 2, "metres")
        moves = (
            Move(
                o.choice("axis", "x", ("x", "y", "z")),
                distance,
                1.0,
                o.between("time", 0.5, 0.05, 60, "seconds"),
            ),
        )
        return stage(
            o, "adult", seconds=6.0, platform=Platform(moves=moves), measures=(measures.platform_slip,)
        )
    s = o.between("scale", 1.3, 0.01, 20)
    waves = (
        Sine("x", 0.03 * s, 0.5), Sine("x", 0.006 * s, 1.1, 1.0), Sine("y", 0.03 * s, 0.45, 0.5),
        Sine("y", 0.006 * s, 0.9, 2.0), Sine("z", 0.06 * s, 0.8), Sine("z", 0.015 * s, 1.7, 0.7),
        Sine("roll", 0.015 * s, 0.35), Sine("pitch", 0.015 * s, 0.4, 1.2),
    )  # fmt: skip
    hits = tuple(
        Push("torso", f, t, 0.1)
        for f, t in [((100.0, 0.0, 0.0), 3.0), ((0.0, 100.0, 0.0), 5.5), ((-100.0, 0.0, 0.0), 8.0)]
    )
    slab = Platform(waves=waves)
    return stage(
        o, "adult", seconds=12.0, platform=slab, ride=slab.lean if o.take("foresee", True) else None,
        friction=0.1, pushes=hits, measures=(measures.platform_slip,),
    )  # fmt: skip

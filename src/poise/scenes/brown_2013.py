"""The experiments of [Rolling]: Brown, Macchietto, Yin and Zordan (2013), table 1 and section 6."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from poise.behaviours.roll import Roll, Start, launch
from poise.behaviours.roll_over import LYING, TURNED, TURNING, RollOver, poses
from poise.control.controller import Control
from poise.rolling import cycle as cycles
from poise.rolling.course import Course
from poise.rolling.indices import INDICES
from poise.rolling.measures import rolling, turned_over
from poise.rolling.place import place
from poise.rolling.program import METRICS, PASSES, FeatureWeights
from poise.rolling.steer import EXCURSIONS, Steering
from poise.scenes.options import Options
from poise.simulate import Scene
from poise.worlds.terrain import Terrain
from poise.worlds.world import World

STEP = 1.0 / 300.0  # [s] of the engine; control runs at 60 Hz
BABY_GAP = 0.4  # of the adult's
TICK = 1.0 / 60.0  # [s] of control, and of contact=lcp in lockstep with it
GAP = 0.01  # [m]: contacts are listed this early, else control starves between touches
SECONDS = 12.0


def _roll(o: Options, cycle: str, terrain: Terrain | None = None, slope: float = 0.0, pushes=()) -> Scene:
    """What the rolls share: a cycle on the tumbler along a course, steered by the feature program."""
    body = o.character("tumbler")
    chosen = cycles.named(o.take("cycle", cycle))
    course = Course(slope)
    steering = _steering(o, chosen)
    weights = _weights(o, FeatureWeights())
    strength = o.positive("strength", 1.0)
    behaviour = Roll(chosen, course, steering if o.take("steer", True) else None, weights, strength)
    start = _start(o)
    contact = o.choice("contact", "mujoco", ("mujoco", "lcp"))
    world = World(
        friction=o.take("friction", 0.8, lambda x: 0 < x < 10, "give a number above zero"), terrain=terrain,
        pushes=pushes if o.pushes is None else o.pushes, contact=contact, gap=GAP,
        dt=o.take("dt", STEP if contact == "mujoco" else TICK, lambda x: 1e-4 <= x <= TICK, "give up to 1/60 s"),
    )  # fmt: skip
    return Scene(
        "", body, world, behaviour, seconds=SECONDS, control=Control(refresh_hz=60.0),
        launch=lambda rng: launch(behaviour, body, start, rng), measures=(rolling(course, body.mass),),
        info={"cycle_speed_ms": chosen.speed, "cycle_spin_rev_s": chosen.spin, "wanted_speed_ms": steering.speed},
    )  # fmt: skip


def _steering(o: Options, cycle: cycles.Cycle) -> Steering:
    own = Steering()
    return Steering(
        speed=o.take("speed", cycle.speed, lambda x: -5 < x < 5, "give m/s between -5 and 5"),
        spin=o.take("spin", cycle.spin, lambda x: -5 < x < 5, "give rev/s between -5 and 5"),
        index=o.choice("index", own.index, INDICES), excursion=o.choice("excursion", own.excursion, EXCURSIONS),
    )  # fmt: skip


def _weights(o: Options, own: FeatureWeights) -> FeatureWeights:
    metric = o.choice("metric", own.metric, METRICS)
    if metric == "si":
        own = replace(own, metric="si", linear=(1.0,) * 3, angular=(1.0,) * 3, pose=1.0, contact=1000.0)
    return replace(
        own, passes=o.choice("contacts", own.passes, PASSES), pose=o.positive("weights.pose", own.pose),
        contact=o.positive("weights.contact", own.contact),
        mu=0.8 * o.take("friction", 0.8, lambda x: 0 < x < 10, "give a number above zero"),
    )  # fmt: skip


def _start(o: Options) -> Start:
    """Errors of the start: ``start.spread=0`` is none."""
    own, share = Start(), o.take("start.spread", 1.0, lambda x: 0 <= x <= 5, "give 0 to 5")
    return replace(
        own, yaw_spread=share * own.yaw_spread, speed_spread=share * own.speed_spread,
        spin_spread=share * own.spin_spread,
    )  # fmt: skip


def roll_forward(o: Options) -> Scene:
    """Forward rolls, one after the other, on a cycle of poses locked to the turn of the body."""
    return _roll(o, "forward")


def roll_over(o: Options) -> Scene:
    """A baby rolls from its back to its front: an excursion of half a turn; ``strength=0.2`` is too weak, and tries."""
    body = o.character("baby")
    behaviour = RollOver(o.positive("strength", 1.0))
    spread = o.take("start.spread", 1.0, lambda x: 0 <= x <= 5, "give 0 to 5")

    def lie(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        pose = poses(body, LYING, TURNING, TURNED)[0]
        pose += np.deg2rad(2.0) * spread * rng.normal(size=len(pose))
        yaw, roll = spread * rng.normal(size=2) * np.deg2rad((5.0, 3.0))
        return place(body, pose, behaviour.facing, behaviour.course, roll, yaw, 0.0, 0.0)

    world = World(pushes=o.pushes or (), dt=STEP, gap=GAP * BABY_GAP)
    return Scene(
        "", body, world, behaviour, seconds=5.0, control=Control(refresh_hz=60.0), launch=lie, measures=(turned_over,)
    )


SCENES = {
    "roll-over": roll_over,
    "roll-forward": roll_forward,
}

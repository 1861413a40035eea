"""The experiments of [Stepping] chapter 4 and of [Coordination] §5-6: directed, reactive and many steps, walking."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

from poise.behaviours import (
    Behaviour,
    Footprint,
    Footprints,
    Pace,
    Recover,
    Stepper,
    StepWeights,
    Stride,
    Walk,
    Weights,
)
from poise.behaviours.life import Life
from poise.behaviours.stepping.legs import Legs
from poise.behaviours.stepping.recover import PRESETS, SUPERVISORS
from poise.behaviours.stepping.step import Director
from poise.character.constants import GRAVITY
from poise.scenes import gait_measures as measured
from poise.scenes import measures
from poise.scenes.life_measures import damage
from poise.scenes.options import Options
from poise.scenes.registry import scene
from poise.simulate import Scene
from poise.worlds.disturb import Push
from poise.worlds.world import World

REFRESH = 100.0  # [Hz]: a landing is noticed within 10 ms


@dataclass(frozen=True)
class Manner:
    """How a scene's body steps, where options do not say otherwise."""

    stride: Stride = Stride()  # noqa: RUF009 (frozen)
    weights: StepWeights = StepWeights()  # noqa: RUF009
    standing: Weights = Weights()  # noqa: RUF009
    body: str = "adult"


CAREFUL = Manner(Stride(double=0.28))  # time to settle on both feet
REACTING = Manner(  # the whole sole is used, and the trunk gives way
    Stride(sole=1.0, far=0.66, lift=0.06, double=0.28, trust=0.5, place=1.0),
    StepWeights(root=20.0, trunk=5.0, spin=400.0),
)


def stage(
    o: Options, director: Director, seconds: float, manner: Manner | None = None, pushes=(), checks=()
) -> Scene:
    """What all stepping scenes share: body, world, stepper and their options."""
    manner = manner or Manner()
    body = o.character(manner.body)
    mu = o.friction()
    life = o.take("life", False)
    world = World(
        friction=mu, pushes=pushes if o.pushes is None else o.pushes, dt=o.positive("dt", 0.002), blows=life
    )
    stepper = Stepper(
        director, stride=o.record("stride", manner.stride), weights=o.record("step", manner.weights),
        standing=o.weights(manner.standing), gains=o.gains(), mu=0.9 * mu,
    )  # fmt: skip
    behaviour = alive(o, stepper) if life else stepper
    return Scene(
        "", body, world, behaviour, seconds=seconds, control=o.control(REFRESH), pose_noise=o.take("pose_noise", 0.0),
        measures=(measures.recovered, measures.arm_share, measured.steps, measured.landing, *checks,
                  *((damage,) if life else ())),
    )  # fmt: skip


def alive(o: Options, daily: Behaviour, down: bool = False) -> Life:
    """Whatever a body does, with falls and ways back: ``strength`` is the part of its torques that it may use."""
    limp = o.choice("reflex", "on", ("on", "limp")) == "limp"
    return Life(daily, effort=o.between("strength", 1.0, 0.1, 1.0), down=down, limp=limp)


def _recover(o: Options) -> Recover:
    return Recover(o.choice("supervisor", "momentum", SUPERVISORS), o.choice("preset", "robust", PRESETS))


@scene
def reactive_step(o: Options) -> Scene:
    """Stand, be pushed, and step where the momenta say."""
    push = Push("torso", (450.0, 0.0, 0.0), 1.0, 0.1)
    return stage(o, _recover(o), 6.0, REACTING, (push,), (partial(measured.onset, 1.0),))


@scene
def multi_step(o: Options) -> Scene:
    """A push that takes several steps to stop."""
    push = Push("torso", (-750.0, 0.0, 0.0), 1.0, 0.1)
    return stage(o, _recover(o), 7.0, REACTING, (push,), (partial(measured.onset, 1.0),))


@scene
def directed_steps(o: Options) -> Scene:
    """Follow 24 footprints: forward, back, sideways, diagonal, turning."""
    prints = course(Legs(o.character("adult")))
    return stage(o, Footprints(prints), 36.0, CAREFUL)


@scene
def walk(o: Options) -> Scene:
    """Walk: ``speed`` [m/s], ``side`` [m/s], ``turn`` [deg/s], ``time`` of a step [s], ``stop`` [s]."""
    speed, side = o.take("speed", 0.8), o.take("side", 0.0)
    turn = math.radians(o.take("turn", 0.0))
    time, stop = o.take("time", 0.0), o.take("stop", math.inf)
    start = 0.5

    def pace(t: float) -> Pace | None:
        return None if t < start or t >= stop else Pace(speed, side, turn, time or None)

    gait = (partial(measured.walking, start), measured.arm_swing)
    if not turn and math.isinf(stop):
        gait += (partial(measured.back_in_gait, speed, side),)
    period = 2 * (time or Stride().time * math.sqrt(float(o.character("adult").com_rest[2]) / GRAVITY))
    return stage(o, Walk(pace, period=period), 12.0, checks=gait)


ALL_WAYS = (  # of both feet, one after the other: forward, left [in heights of the centre of mass], turn [rad]
    (0.3, 0.0, 0.0), (0.35, 0.0, 0.0), (-0.25, 0.0, 0.0), (0.0, 0.2, 0.0), (0.0, -0.25, 0.0), (0.25, 0.2, 0.0),
    (-0.2, -0.15, 0.0), (0.0, 0.0, 0.5), (0.0, 0.0, -0.5), (0.2, 0.0, 0.3), (-0.15, 0.1, 0.4), (0.3, -0.1, -0.4),
)  # fmt: skip


def course(legs: Legs, moves=ALL_WAYS) -> list[Footprint]:
    """Footprints for a body of any size, each pair leaving its feet side by side; by default 24 of all kinds."""
    size, half = legs.height, 0.5 * legs.width
    x, y, angle, prints = 0.0, 0.0, 0.0, []
    for ahead, left, turn in moves:
        c, s = math.cos(angle), math.sin(angle)
        x, y = x + size * (c * ahead - s * left), y + size * (s * ahead + c * left)
        angle += turn
        first = 0 if left > 0 or turn > 0 else 1
        for limb in (first, 1 - first):
            side = half if limb == 0 else -half
            prints.append(Footprint(limb, x - side * math.sin(angle), y + side * math.cos(angle), angle))
    return prints

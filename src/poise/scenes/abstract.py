"""The experiments of [Abstract], section 7: walk, long steps, squats and stairs through the abstract model."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from poise.behaviours.planned.course import lengths
from poise.behaviours.planned.gaps import recorded
from poise.behaviours.planned.online import Settings
from poise.behaviours.planned.perform import Planned
from poise.behaviours.planned.problem import Weights
from poise.behaviours.planned.reference import Reference, reference
from poise.behaviours.planned.segments import controller
from poise.behaviours.planned.simulated import Embodied
from poise.behaviours.planned.stairs import Treads, treads
from poise.behaviours.stepping.legs import Legs
from poise.character.character import Character
from poise.control.controller import Control
from poise.errors import BadInput
from poise.gate import within
from poise.motion import library
from poise.motion.clip import Clip
from poise.motion.gait import CLIMB, DESCEND, FLAT, LONG, Gait, walk
from poise.motion.score.loop import walked
from poise.motion.score.manner import Manner
from poise.motion.score.samples import DT
from poise.motion.score.score import score_of
from poise.motion.stride import stride_of
from poise.scenes.options import Options, source_info
from poise.scenes.registry import scene
from poise.simulate import Scene
from poise.worlds.disturb import Push
from poise.worlds.world import World

Make = Callable[[Character, float], Clip]  # a body and a duration [s] → a clip of it
HASTE = 1.5  # times the planned pace that a body in physics may be ahead of its plan
LATE_HEELS = Manner(less=0.3, room=0.01)  # heels rise late in physics, and legs keep clear of each other
SPARE = 2  # steps that are planned beyond the end of a take
LONGEST = 600.0  # [s] that are planned before they are simulated


def _stage(o: Options, make: Make, real: Make, seconds: float, pushes=(), rise: float = 0.0) -> Scene:
    """What the four share: body, clip, plan and feedback, and the options for them; ``real`` is the clip in physics."""
    body, clip, took = o.cast("adult", lambda body: make(body, seconds), "whole", lock=False)
    own = Weights()
    weights = Weights(
        force=o.positive("weights.force", own.force),
        angular=o.take("w_angular", own.angular, low=0.0),
        track=o.take("weights.track", own.track, low=0.0),
    )
    settings = Settings(
        free=o.choice("final_time", "free", ("free", "fixed")) == "free", sagittal=o.take("sagittal", False)
    )
    if o.take("physics", False):
        if took is not None and clip is not None:
            real = partial(_as_captured, clip)
        return _in_physics(o, body, real, seconds, weights, settings, pushes, rise, source_info(took))
    mu = o.positive("friction", 0.8, 10.0)
    behaviour = Planned(
        clip=partial(make, body) if took is None else partial(_same, took.clip), steps=_steps(o, rise),
        weights=weights, settings=settings, mu=mu, lead=o.between("lead", 0.5, 0, 1),
        footing=o.between("footing", 0.0, 0, 2),
    )  # fmt: skip
    world = World(friction=mu, pushes=pushes if o.pushes is None else o.pushes, dt=1.0 / 120.0)
    info = source_info(took)
    length = seconds if took is None or clip is None else clip.seconds
    return Scene("", body, world, behaviour, seconds=length, info=info)


def _in_physics(o: Options, body, real: Make, seconds, weights, settings, pushes, rise, info) -> Scene:
    """The same plan on a simulated body."""
    seconds = seconds if o.seconds is None else float(o.seconds)
    within("a plan", seconds, LONGEST, "seconds")
    shifts = _steps(o, rise)
    ref = reference(real(body, HASTE * seconds + 1.0))
    behaviour = Embodied(
        ref, controller(ref, weights, joined=False), shifts(ref), replace(settings, early=False),
        footing=o.between("footing", 1.0, 0, 2),
    )  # fmt: skip
    ground = treads(ref, behaviour.way)
    pushes = pushes if o.pushes is None else o.pushes
    world = World(pushes=pushes, terrain=Treads(ground) if len(ground) > 1 else None)
    return Scene(
        "", body, world, behaviour, seconds=seconds, control=Control(refresh_hz=125.0), q_start=behaviour.q_start,
        v_start=behaviour.v_start, pose_noise=o.between("pose_noise", 0.0, 0, 0.99, "radians"),
        measures=(partial(recorded, body, pushes),), info=info,
    )  # fmt: skip


def _as_captured(clip: Clip, body: Character, seconds: float) -> Clip:
    """A captured clip as a score: a walk's stride again and again, anything else once, on prints that stand still."""
    legs = Legs(body).both
    soles, half = [leg.support for leg in legs], np.array([leg.half for leg in legs])
    try:
        stride = stride_of(clip)
    except BadInput:
        score = score_of(clip, soles, half, LATE_HEELS)
    else:
        period = 2 * round(0.5 * stride.seconds / DT)
        rounds = math.ceil(seconds / (period * DT)) + 1
        score = score_of(walked(stride, rounds, period, stride.speed, 0.0), soles, half, LATE_HEELS)
    names = [body.supports[s].name for s in soles]
    spans = {name: tuple((p.first * DT, p.last * DT) for p in own) for name, own in zip(names, score.prints)}
    return replace(score.clip, contacts=spans)


def _steps(o: Options, rise: float = 0.0) -> Callable[[Reference], np.ndarray]:
    """Shifts of the landings from the second on: ``stairs`` of them ``rise`` up, ``longer`` ahead [m], or scaled."""
    rise = o.between("rise", rise, -10, 10, "metres")
    longer = o.between("longer", 0.0, -2, 2, "metres")
    scale = o.between("step_scale", 1.0, 0, 10)
    return partial(_shifts, rise, longer, scale, o.between("stairs", 3, 0, 200))


def _shifts(rise: float, longer: float, scale: float, count: int, ref: Reference) -> np.ndarray:
    shifts = np.zeros((count + 1, 3))
    shifts[1:] = longer, 0.0, rise
    own = lengths(ref)[1 : count + 1]
    shifts[1 : len(own) + 1, :2] += (scale - 1.0) * own
    return shifts


def _same(clip: Clip, seconds: float) -> Clip:
    """A clip that was captured has its own length."""
    return clip


def _walked(gait: Gait, body: Character, seconds: float) -> Clip:
    return walk(body, gait, steps=2 * math.ceil(seconds / gait.period / 2 + SPARE / 2))


def _climbing(o: Options, own: float) -> Gait:
    """The gait in physics: soles land flat there, and stairs need room on their treads."""
    rise = o.between("rise", own, -10, 10, "metres")
    return FLAT if rise == 0.0 else CLIMB if rise > 0.0 else DESCEND


def _squats(depth: float, period: float, body: Character, seconds: float) -> Clip:
    once = library.squat(body, depth, period)
    times = np.arange(round((seconds + 1.0) * 120) + 1) / 120.0
    return Clip(body, times, np.array([once.at(t) for t in times]))


@scene
def ofc_walk(o: Options) -> Scene:
    """Walk, take a push at the torso, and re-plan when the step ends."""
    hit = Push("torso", (-100.0, 0.0, 0.0), 1.0, 0.3)
    return _stage(o, partial(_walked, Gait()), partial(_walked, _climbing(o, 0.0)), 4.0, pushes=(hit,))


@scene
def ofc_long_step(o: Options) -> Scene:
    """Long steps, with a push from the front."""
    hit = Push("torso", (-60.0, 0.0, 0.0), 1.0, 0.3)
    return _stage(o, partial(_walked, LONG), partial(_walked, LONG), 4.0, pushes=(hit,))


@scene
def ofc_squat(o: Options) -> Scene:
    """Squats, pushed again and again."""
    hits = (Push("torso", (60.0, 0.0, 0.0), 0.8, 0.2), Push("torso", (0.0, 50.0, 0.0), 2.6, 0.2))
    depth, period = o.between("depth", 0.25, 0.01, 2, "metres"), o.between("period", 2.5, 0.2, 60, "seconds")
    squats = partial(_squats, depth, period)
    return _stage(o, squats, squats, 5.0, pushes=hits)


@scene
def ofc_stairs(o: Options) -> Scene:
    """Walk up stairs of 0.15 m with the controller of a walk on flat ground; a negative ``rise`` leads down."""
    return _stage(o, partial(_walked, Gait()), partial(_walked, _climbing(o, 0.15)), 4.0, rise=0.15)

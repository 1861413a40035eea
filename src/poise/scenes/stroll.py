"""A walk in the style of a captured one: a stride of the clip, made a loop, at the speed and turn asked for."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

import numpy as np

from poise.behaviours.following.stroll import Stroll
from poise.behaviours.stepping.legs import Legs
from poise.motion.collide import fleshy
from poise.motion.score.loop import Loop, loop_of
from poise.motion.stride import Stride, stride_of
from poise.scenes import gait_measures, style_measures
from poise.scenes.options import Options, source_info
from poise.simulate import Scene
from poise.worlds.world import World

SECONDS = 12.0
FRICTION = 0.8
SPEEDS, TURNS = (0.3, 2.0), (-60.0, 60.0)  # [m/s], [deg/s] that may be asked for


def strolling(o: Options) -> Scene:
    """Walk in the style of a clip: ``speed`` [m/s], its own if not said, and ``turn`` [deg/s]."""
    body, clip, took = o.cast("adult", None, "whole", lock=False)
    assert clip is not None
    stride = stride_of(replace(clip, character=fleshy(body)))
    speed = o.between("speed", stride.speed, *SPEEDS, "a speed in m/s")
    turn = math.radians(o.between("turn", 0.0, *TURNS, "degrees a second"))
    loop = scored(stride, speed, turn)
    mu = o.friction(FRICTION)
    start, velocity, _ = loop.clip.sample(loop.clip.start + 1e-6)
    world = World(
        friction=mu,
        pushes=o.pushes or (),
        dt=o.positive("dt", min(0.002, body.model.opt.timestep)),
        presses=True,
    )
    checks = (
        gait_measures.steps,
        gait_measures.landing,
        partial(gait_measures.walking, 0.0),
        gait_measures.arm_swing,
    )
    if not turn:
        checks += (partial(gait_measures.back_in_gait, speed, 0.0, ahead=0.0),)
    return Scene(
        "", loop.clip.character, world, Stroll(loop, mu=0.9 * mu), seconds=SECONDS, control=o.control(),
        q_start=start, v_start=velocity, pose_noise=o.take("pose_noise", 0.0),
        measures=(*checks, partial(style_measures.alike, stride)), info=source_info(took),
    )  # fmt: skip


def scored(stride: Stride, speed: float, turn: float) -> Loop:
    """The loop of a stride for the two limbs that its body stands on."""
    legs = Legs(stride.character).both
    return loop_of(stride, [leg.support for leg in legs], np.array([leg.half for leg in legs]), speed, turn)

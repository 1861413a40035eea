"""A walk of human shape: the stride of people, or one of a clip, made a loop, at the speed and turn asked for."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache, partial

import numpy as np

from poise.behaviours.following.saunter import FASTEST, OFF, VEERS, Saunter
from poise.behaviours.following.stroll import Stroll
from poise.behaviours.following.variety import Variety
from poise.behaviours.stepping.legs import Legs
from poise.behaviours.stepping.roam import Roam
from poise.behaviours.stepping.stepper import Stepper
from poise.character import Character
from poise.character.soles import bending
from poise.errors import BadInput
from poise.geometry.linear import norm
from poise.motion.clip import Clip
from poise.motion.collide import fleshy
from poise.motion.score.loop import Loop, walked
from poise.motion.score.style import Style, of_people, of_stride
from poise.motion.stride import Stride, stride_of
from poise.record.kinematic import recording_of
from poise.record.limbs import ARM, LEG, SIDES
from poise.record.looks import compared, of_walk
from poise.record.recording import Recording
from poise.scenes import gait_measures
from poise.scenes.options import Options, source_info
from poise.simulate import Scene
from poise.simulate.scene import LONGEST
from poise.worlds.world import World

SECONDS = 12.0
FRICTION = 0.8
SPEEDS, TURNS = (0.3, 1.8), (-VEERS, VEERS)  # [m/s], [deg/s] that may be asked for
USUAL = 0.8  # [m/s]
SMALLEST = 0.7  # [m] of the height of a centre of mass
FLEETEST = 6.0  # [m/s] of a pelvis that walks
OWN = {  # its options
    "style", "speed", "side", "turn", "stop", "friction", "dt", "pose_noise", "two_pass", "reaction",
}  # fmt: skip
PARTS = tuple(f"{part}_{side}" for part in (*LEG, *ARM) for side in SIDES)


def strolling(o: Options) -> Scene:
    """Walk in the style of a clip: ``speed`` [m/s], its own if not said, and ``turn`` [deg/s]."""
    body, clip, took = o.cast("adult", None, "whole", lock=False)
    assert clip is not None
    stride = stride_of(replace(clip, character=fleshy(body)))
    period = round(stride.seconds / 0.01)
    shown = recording_of(walked(stride, 3, period, stride.speed, 0.0))
    own = partial(_like, stride.speed, shown)
    scene = _walking(o, style_of(stride.character, stride), stride.speed, (own,), source_info(took))
    assert isinstance(scene.behaviour, Stroll)
    _check(scene.behaviour.score.clip, took.path.name if took else "the clip")
    return scene


def _check(clip: Clip, name: str) -> None:
    """Refuse a loop that nobody could walk: the ends of its stride have little to do with each other."""
    quickest = max(float(norm(clip.velocity(t + 1e-6)[:3])) for t in clip.times[:-1])
    if quickest > FLEETEST:
        raise BadInput(
            f"'{name}' has no stride that goes on: made a loop, the one whose ends are most alike would move the "
            f"pelvis at {quickest:.0f} m/s; another part may have one (motion.start, motion.end)"
        )


def unlike_people(o: Options) -> str:
    """Why a walk cannot be people's, "" where it can: a body without their parts, a way or an option they have not."""
    body = o.character("adult")
    lacks = [part for part in ("pelvis", *PARTS) if part not in body.body_names]
    if lacks:
        return f"{body.name} has no {', '.join(lacks[:4])}"
    speed, side = o.between("speed", USUAL, -5, 5, "m/s"), o.between("side", 0.0, -5, 5, "m/s")
    turn = o.between("turn", 0.0, -720, 720, "degrees a second")
    if side or (speed and not SPEEDS[0] <= speed <= FASTEST) or not TURNS[0] <= turn <= TURNS[1]:
        return f"people's walk is forward, {SPEEDS[0]}-{FASTEST} m/s, turning up to {TURNS[1]:.0f} degrees a second"
    other = sorted(key for key in o.asked if key not in OWN and not key.startswith("control."))
    if other:
        return f"options of the plain walk are asked for: {', '.join(other[:4])}"
    small = float(body.com_rest[2]) < SMALLEST
    return f"{body.name} is smaller than people who walk so" if small else ""


@cache
def _adults() -> Style:
    """How the adult walks, found once."""
    return style_of(fleshy(bending(Character.named("adult"))))


def as_people(o: Options) -> Scene:
    """Walk as people do: ``speed`` [m/s], 0 for a stand that waits for commands, ``turn`` [deg/s] and ``stop`` [s]."""
    body = o.character("adult")
    stop = o.between("stop", math.inf, 0, LONGEST, "seconds")
    stands = o.asked.get("speed") == 0
    if stands:
        o.asked["speed"] = OFF
    known = body is Character.named("adult")
    scene = _walking(o, _adults() if known else style_of(fleshy(bending(body))), USUAL)
    assert isinstance(scene.behaviour, Stroll)
    stroll = replace(scene.behaviour, variety=Variety(o.seed))
    stepper = Stepper(Roam(), reaction=stroll.reaction)
    scene = replace(scene, behaviour=Saunter(stroll, stepper, stands, stop))
    if stands:
        return replace(scene, q_start=None, v_start=None, measures=(gait_measures.steps, of_walk))
    return scene if math.isinf(stop) else replace(scene, measures=scene.measures[:-1])


def _walking(o: Options, style: Style, usual: float, checks: tuple = (), info: dict | None = None) -> Scene:
    speed = o.between("speed", usual, *SPEEDS, "a speed in m/s")
    turn = math.radians(o.between("turn", 0.0, *TURNS, "degrees a second"))
    loop = style.at(speed, turn)
    mu = o.friction(FRICTION)
    start, velocity, _ = loop.clip.sample(loop.clip.start + 1e-6)
    dt = o.positive("dt", min(0.002, style.character.model.opt.timestep))
    world = World(friction=mu, pushes=o.pushes or (), dt=dt, presses=True)
    checks = (
        gait_measures.steps, gait_measures.landing, partial(gait_measures.walking, 0.0), gait_measures.arm_swing,
        of_walk, *checks,
    )  # fmt: skip
    if not turn:
        checks += (partial(gait_measures.back_in_gait, speed, 0.0, ahead=0.0),)
    stroll = Stroll(loop, mu=0.9 * mu, style=style, reaction=o.reaction())
    return Scene(
        "", style.character, world, stroll, seconds=SECONDS, control=o.control(),
        q_start=start, v_start=velocity, pose_noise=o.take("pose_noise", 0.0), measures=checks, info=info or {},
    )  # fmt: skip


def style_of(character: Character, stride: Stride | None = None) -> Style:
    """The style of people, or of a stride, for the two limbs that a body stands on."""
    legs = Legs(character).both
    soles, half = [leg.support for leg in legs], np.array([leg.half for leg in legs])
    return of_people(character, soles, half) if stride is None else of_stride(stride, soles, half)


def scored(stride: Stride, speed: float, turn: float) -> Loop:
    """The loop of a stride for the two limbs that its body stands on."""
    return style_of(stride.character, stride).at(speed, turn)


def _like(speed: float, shown: Recording, take: Recording) -> dict[str, float]:
    """Speed of the clip's own stride; correlation of the legs' joints over the mean stride with the clip's."""
    return {"stride_speed_ms": speed} | compared(take, shown)

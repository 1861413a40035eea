"""The experiments of [Stepping] chapter 3: careful steps, a turn and a redirected kick, made from examples."""

from __future__ import annotations

import math
from functools import partial
from time import process_time  # what else the machine does is left out
from typing import TYPE_CHECKING

import numpy as np

from poise.behaviours.example_steps import compare, database
from poise.behaviours.example_steps.arms import swung
from poise.behaviours.example_steps.compose import held, joined, onto, placed, settled, through
from poise.behaviours.example_steps.perform import Played, Stepped
from poise.behaviours.example_steps.step import middle_of, print_of, wrapped
from poise.behaviours.example_steps.stepping import Goal, Walker
from poise.character.character import Character
from poise.draw.step_paths import step_paths
from poise.motion import library
from poise.motion.clip import Clip
from poise.motion.keyframes import from_keys
from poise.scenes.options import Options, source_info
from poise.scenes.registry import scene
from poise.simulate import Scene
from poise.worlds.world import World

if TYPE_CHECKING:
    from poise.capture.captured import Captured

CAREFUL = (  # foot, x, y [heights of the centre of mass], turn [deg]
    (0, 0.26, 0.03, 10), (1, 0.5, -0.06, 0), (0, 0.62, 0.14, 25), (1, 0.86, 0.1, 25),
)  # fmt: skip
WAIT = 0.4  # [s] of standing before and after


def _scene(body: Character, play, took: Captured | None) -> Scene:
    return Scene("", body, World(), Stepped(play), seconds=60.0, info=source_info(took))


def _angle_and_time(o: Options, angle: float) -> tuple[float, float]:
    """How far to turn [rad], and how long a step takes [s]."""
    angle = o.between("angle", angle, -180, 180, "degrees")
    return math.radians(angle), o.between("step", 0.9, 0.4, 5, "seconds")


@scene
def kinematic_steps(o: Options) -> Scene:
    """Four careful steps from examples; ``show=held-out`` plays three steps of a clip that is no example."""
    show = o.choice("show", "careful", ("careful", "held-out"))
    seconds = o.between("step", 1.3, 0.4, 5, "seconds")
    file, plot = o.take("steps", ""), o.take("figure", "")
    body, clip, took = o.cast_to("adult", compare.held_out)
    assert clip is not None
    base = database.load(file, body) if file else database.default(body)
    if took is not None:
        base = base.without(took.path.stem)
    play = partial(
        _careful if show == "careful" and took is None else _held_out, body, base, clip, seconds, plot
    )
    return _scene(body, play, took)


def _careful(body: Character, base, clip: Clip, seconds: float, plot: str) -> Played:
    walker, size = Walker(body, base), float(body.com_rest[2])
    half = 0.5 * walker.legs.both.width
    q = np.array(body.q_rest)
    goals = [
        Goal(i, np.array([x * size, y * size + (half if i == 0 else -half), math.radians(turn)]), seconds)
        for i, x, y, turn in CAREFUL
    ]
    walker.warm_up()
    start = process_time()
    steps = through(walker, q, goals)
    took = process_time() - start
    found = compare.compare(walker, clip)
    if plot:
        step_paths(found, plot)
    pieces = [held(walker, q, WAIT), *(m.clip for m in steps), held(walker, steps[-1].clip.q[-1], WAIT)]
    return Played(swung(walker, joined(pieces)), steps, took, found.metrics())


def _held_out(body: Character, base, clip: Clip, seconds: float, plot: str) -> Played:
    walker = Walker(body, base)
    walker.warm_up()
    start = process_time()
    found = compare.compare(walker, clip)
    took = process_time() - start
    if plot:
        step_paths(found, plot)
    return Played(joined([m.clip for m in found.steps]), found.steps, took, found.metrics())


@scene
def turn_step(o: Options) -> Scene:
    """A ready stance turned by ``angle`` [deg]: steps between two clips, without an example."""
    angle, seconds = _angle_and_time(o, 60.0)
    body, clip, took = o.cast("adult", ready, "standing")
    assert clip is not None
    play = partial(_turned, body, clip, clip, angle, seconds, o.take("blend", False))
    return _scene(body, play, took)


@scene
def fight_step(o: Options) -> Scene:
    """A kick sent into another direction by the steps before it; ``angle`` [deg]."""
    angle, seconds = _angle_and_time(o, 45.0)
    body, clip, took = o.cast("adult", library.side_kick, "entered-kick")
    assert clip is not None
    before = ready(body) if took is None else held(Walker(body), clip.q[0], 0.8)
    play = partial(_turned, body, before, clip, angle, seconds, o.take("blend", False))
    return _scene(body, play, took)


def _turned(body: Character, before: Clip, after: Clip, angle: float, seconds: float, blend: bool) -> Played:
    """One clip, steps, and another clip turned by an angle."""
    walker = Walker(body)
    middles = [middle_of(walker.legs, q) for q in (before.q[-1], after.q[0])]
    after = placed(walker, after, middles[0] - middles[1], angle)
    walker.warm_up()
    start = process_time()
    steps = onto(walker, before.q[-1], after, seconds)
    took = process_time() - start
    pieces = [before, *(m.blend if blend else m.clip for m in steps)]
    end = steps[-1].clip.q[-1] if steps else before.q[-1]
    whole = joined([*pieces, settled(walker.legs, end, after)])
    turns = [print_of(walker.legs, q, i)[2] for q in (after.q[0], end) for i in range(2)]
    off = max(abs(wrapped(turns[i] - turns[i + 2])) for i in range(2))
    return Played(whole, steps, took, {"heading_error_deg": math.degrees(off)})


def ready(body: Character) -> Clip:
    """A ready stance: one foot ahead, knees bent, arms up, bobbing a little."""
    walker = Walker(body)
    size, half = float(body.com_rest[2]), 0.6 * walker.legs.both.width
    arms = {
        "shoulder_l": dict(elevate=48, plane=25, twist=0), "shoulder_r": dict(elevate=40, plane=25, twist=0),
        "elbow_l": 95, "elbow_r": 110, "spine_low": dict(flex=6), "spine_mid": dict(flex=4), "root": dict(flex=6),
    }  # fmt: skip
    known = {name: pose for name, pose in arms.items() if name in body.joint_names}
    q = from_keys(body, [(0.0, known)]).q[0]
    feet = [
        walker.foot_at(0, np.array([0.12 * size, half, math.radians(5)])),
        walker.foot_at(1, np.array([-0.12 * size, -half, math.radians(-25)])),
    ]
    ankles, turns = np.array([f[0] for f in feet]), np.array([f[1] for f in feet])
    times = np.linspace(0.0, 0.8, 97)
    frames = []
    for t in times:
        pose = np.array(q)
        pose[2] -= (0.05 + 0.006 * math.sin(2 * math.pi * t / 0.8)) * size
        frames.append(walker.legs.balance(pose, ankles, turns, np.zeros(2)))
    return Clip(body, times, np.array(frames))

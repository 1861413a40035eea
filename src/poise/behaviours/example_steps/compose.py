"""Pieces of motion put one after the other, each beginning in the pose that the last one ended in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from poise.behaviours.example_steps.step import middle_of, print_of, relative, wrapped
from poise.behaviours.example_steps.stepping import RATE, Goal, Made, Walker
from poise.geometry.easing import quintic
from poise.motion.blend import delayed
from poise.motion.clip import Clip
from poise.motion.coordinates import relocated
from poise.motion.feet import merged, stances

SETTLING = 0.5  # [s] in which a clip is eased out of another pose
TOUCHING = 2.0 / RATE  # [s] between two stances of a sole that are one


def joined(pieces: Sequence[Clip]) -> Clip:
    """Clips of one body in a row, from time zero; the first frame of each takes the place of the last before it."""
    late: list[Clip] = []
    for piece in pieces:
        late.append(delayed(piece, (late[-1].end if late else 0.0) - piece.start))
    times = np.concatenate([*(p.times[:-1] for p in late), late[-1].times[-1:]])
    q = np.concatenate([*(p.q[:-1] for p in late), late[-1].q[-1:]])
    body = pieces[0].character
    spans = {s: tuple(span for p in late for span in stances(p, s)) for s in body.stance}
    return Clip(body, times, q, contacts={s: merged(spans[s], TOUCHING) for s in spans})


def held(walker: Walker, q: np.ndarray, seconds: float) -> Clip:
    """A pose held for a while."""
    times = np.linspace(0.0, seconds, max(3, round(seconds * RATE) + 1))
    return Clip(walker.character, times, np.tile(q, (len(times), 1)))


def through(walker: Walker, q: np.ndarray, goals: Sequence[Goal]) -> list[Made]:
    """Steps one after the other."""
    out = []
    for goal in goals:
        made = walker.step(q, goal)
        q = made.clip.q[-1]
        out.append(made)
    return out


def onto(walker: Walker, q: np.ndarray, clip: Clip, seconds: float, first: int | None = None) -> list[Made]:
    """Steps without an example, from a pose to the feet that a clip begins with, each foot in turn (3.7).

    A turn that is too far for one step of each foot is made in several.
    """
    goal = [print_of(walker.legs, clip.at(clip.start), i) for i in range(2)]
    made: list[Made] = []
    for part in _stages(walker, q, goal):
        now = [print_of(walker.legs, q, i) for i in range(2)]
        gaps = [
            float(np.hypot(*(part[i] - now[i])[:2]) + 0.2 * abs(wrapped(part[i][2] - now[i][2])))
            for i in range(2)
        ]
        order = _order(now, part, first)
        for i in order:
            if gaps[i] > 0.005:
                made.append(walker.step(q, Goal(i, part[i], seconds), towards=clip))
                q = made[-1].clip.q[-1]
    return made


def _order(now, goal, first: int | None) -> tuple[int, int]:
    """Which foot steps first: the one that opens the stance, so that feet never cross."""
    if first is not None:
        return first, 1 - first
    turn = sum(wrapped(goal[i][2] - now[i][2]) for i in range(2))
    side = relative(
        np.append(0.5 * (goal[0] + goal[1])[:2], 0.0), np.append(0.5 * (now[0] + now[1])[:2], now[0][2])
    )[1]
    return (0, 1) if turn + 2.0 * side > 0 else (1, 0)


def _stages(
    walker: Walker, q: np.ndarray, goal: list[np.ndarray], most: float = 0.8
) -> list[list[np.ndarray]]:
    """Stances on the way to a goal: turns of at most ``most`` [rad] about the middle between the feet."""
    now = [print_of(walker.legs, q, i) for i in range(2)]
    turns = [wrapped(goal[i][2] - now[i][2]) for i in range(2)]
    mean = 0.5 * sum(turns)
    n = max(1, int(np.ceil(abs(mean) / most)))
    middle = [0.5 * (p[0][:2] + p[1][:2]) for p in (now, goal)]
    out = []
    for k in range(1, n + 1):
        back = -(1 - k / n) * mean
        c, s = np.cos(back), np.sin(back)
        centre = middle[0] + k / n * (middle[1] - middle[0])
        out.append(
            [np.append(centre + np.array([[c, -s], [s, c]]) @ (g[:2] - middle[1]), g[2] + back) for g in goal]
        )
    return out


def placed(walker: Walker, clip: Clip, shift: np.ndarray, yaw: float) -> Clip:
    """A clip turned about the middle of its own first stance, then shifted."""
    middle = middle_of(walker.legs, clip.at(clip.start))
    return replace(clip, q=relocated(clip.q, middle + shift, yaw, about=middle))


def settled(q: np.ndarray, clip: Clip) -> Clip:
    """A clip whose beginning is eased out of the pose q, feet in place, at its beginning."""
    import mujoco

    model = clip.character.model
    gap = np.empty(model.nv)
    mujoco.mj_differentiatePos(model, gap, 1.0, clip.q[0], q)
    frames = np.array(clip.q, order="C")  # a row must lie in one piece
    for i, share in enumerate(1 - quintic((clip.times - clip.start) / SETTLING)):
        if share > 0:
            mujoco.mj_integratePos(model, frames[i], share * gap, 1.0)
    return replace(clip, q=frames)

"""Pieces of motion put one after the other, each beginning in the pose that the last one ended in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from poise.behaviours.example_steps.legs import TwoLegs
from poise.behaviours.example_steps.step import middle_of, print_of, relative, wrapped
from poise.behaviours.example_steps.stepping import RATE, Goal, Made, Walker
from poise.geometry import quat
from poise.geometry.easing import quintic
from poise.motion.blend import delayed
from poise.motion.clip import Clip
from poise.motion.coordinates import relocated
from poise.motion.feet import merged, stances

FINER = (0.8, 0.4, 0.2)  # [rad] of turn in a step of each foot, tried in this order
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

    A turn that is too far for one step of each foot is made in several, the more the farther the feet are turned out.
    """
    goal = [print_of(walker.legs, clip.at(clip.start), i) for i in range(2)]
    now = [print_of(walker.legs, q, i) for i in range(2)]
    made: list[Made] = []
    ways = [_stages(now, goal, most) for most in FINER]
    for part in next((way for way in ways if _able(walker, now, way, first)), ways[0]):
        now = [print_of(walker.legs, q, i) for i in range(2)]
        gaps = [
            float(np.hypot(*(part[i] - now[i])[:2]) + 0.2 * abs(wrapped(part[i][2] - now[i][2])))
            for i in range(2)
        ]
        for i in _order(walker, now, part, first):
            if gaps[i] > 0.005:
                made.append(walker.step(q, Goal(i, part[i], seconds), towards=clip))
                q = made[-1].clip.q[-1]
    return made


def _order(walker: Walker, now, goal, first: int | None) -> tuple[int, int]:
    """Which foot steps first: the one that opens the stance, so that feet never cross, if it can go so far."""
    if first is not None:
        return first, 1 - first
    turn = sum(wrapped(goal[i][2] - now[i][2]) for i in range(2))
    side = relative(
        np.append(0.5 * (goal[0] + goal[1])[:2], 0.0), np.append(0.5 * (now[0] + now[1])[:2], now[0][2])
    )[1]
    order = (0, 1) if turn + 2.0 * side > 0 else (1, 0)
    other = order[1], order[0]
    return other if _cuts(walker, now, goal, order) > _cuts(walker, now, goal, other) else order


def _cuts(walker: Walker, now, goal, order: tuple[int, int]) -> int:
    """How often steps from one stance to another, in an order, would be cut to what a step can do."""
    feet, cuts, straddle = list(now), 0, float(np.hypot(*(goal[0] - goal[1])[:2]))
    for i in order:
        cuts += len(walker.cut(i, relative(goal[i], feet[1 - i]), straddle)[1])
        feet[i] = goal[i]
    return cuts


def _able(walker: Walker, now, way: list[list[np.ndarray]], first: int | None) -> bool:
    """Whether all steps of a way can be made as they are."""
    for part in way:
        if _cuts(walker, now, part, _order(walker, now, part, first)):
            return False
        now = part
    return True


def _stages(now: list[np.ndarray], goal: list[np.ndarray], most: float) -> list[list[np.ndarray]]:
    """Stances on the way to a goal: turns of at most ``most`` [rad] about the middle between the feet."""
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


def settled(legs: TwoLegs, q: np.ndarray, clip: Clip) -> Clip:
    """A clip whose beginning is eased out of the pose q; feet that are in place stay there."""
    import mujoco

    model = clip.character.model
    gap = np.empty(model.nv)
    mujoco.mj_differentiatePos(model, gap, 1.0, clip.q[0], q)
    off = [_apart(legs.foot(clip.q[0], i), legs.foot(q, i)) for i in range(2)]
    frames = np.array(clip.q, order="C")  # a row must lie in one piece
    for k, share in enumerate(1 - quintic((clip.times - clip.start) / SETTLING)):
        if share > 0:
            ankles, turns = np.empty((2, 3)), np.empty((2, 4))
            for i, (way, turn) in enumerate(off):
                place, now = legs.foot(clip.q[k], i)
                turns[i] = quat.multiply(quat.from_rotvec(share * turn), now)
                ankles[i] = legs.ankle(i, place + share * way, turns[i])
            mujoco.mj_integratePos(model, frames[k], share * gap, 1.0)
            frames[k] = legs.stand(frames[k], ankles, turns)
    return replace(clip, q=frames)


def _apart(
    a: tuple[np.ndarray, np.ndarray], b: tuple[np.ndarray, np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """Way (3,) [m] and rotation vector (3,) [rad] from one foot to another."""
    return b[0] - a[0], quat.to_rotvec(quat.multiply(b[1], quat.conjugate(a[1])))

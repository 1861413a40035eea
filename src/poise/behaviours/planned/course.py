"""Where the feet really go: a motion laid over stairs, longer or shorter steps, and what that asks of the goals.

Every landing may be shifted; later stances are shifted along. While both feet are down the centre of mass is shifted by
the mean of the two: half a stair on the way up, as people do. The swing of a foot eases from one shift to the next, up
early and down late, so that it clears the edge.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from poise.behaviours.planned.reach import shortfall
from poise.behaviours.planned.reference import Reference
from poise.behaviours.planned.segments import Controller, pack
from poise.geometry.easing import quintic

ROUNDS = 2  # of lowering the goals until the legs reach
UP = np.array([0.0, 0.0, 1.0])
VERTICAL = (
    (0.3, 0.6),
    (0.6, 0.75),
)  # [m] of rise, and the share of a swing that it takes: a knee folds only so far
CLEARANCE = 0.05  # [m] more lift over a stair, each way


@dataclass(frozen=True, eq=False)
class Course:
    """A reference with shifted footprints.

    Attributes:
        place: (T, S, 3) frames of the feet. points, count: (T, P, 3), (T,) where forces may act.
        shift: (T, S, 3) of each foot. goal: (cuts, 3) shift of the centre of mass at each cut.
        drift: (T, 3) the same between the cuts, on straight lines.
        lowered: (cuts,) heights, zero or below, by which c is led lower because the legs are too short [m].
        rises: Height of the ground under each stance [m], in the order of ``reference.stances``.
    """

    place: np.ndarray
    points: np.ndarray
    count: np.ndarray
    shift: np.ndarray
    goal: np.ndarray
    drift: np.ndarray
    lowered: np.ndarray
    rises: np.ndarray


def landings(ref: Reference) -> list[int]:
    """Indices of the stances that begin after the first frame: the steps."""
    return [i for i, stance in enumerate(ref.feet.stances) if stance.first > 0]


def lengths(ref: Reference) -> np.ndarray:
    """How far (n, 2) each landing is ahead of the footprint before it, along x and y; zero across the path [m]."""
    prints = [ref.feet.corners[s.first, s.support].mean(axis=0)[:2] for s in ref.feet.stances]
    found = [(prints[i] - prints[i - 1]) * [1.0, 0.0] if i else np.zeros(2) for i in landings(ref)]
    return np.array(found).reshape(-1, 2)


def course(
    ref: Reference, controller: Controller, steps: np.ndarray | None = None, lead: float = 0.5
) -> Course:
    """Lay a motion over a path.

    Args:
        ref, controller: The motion, and where it is cut.
        steps: (n, 3) shift of each landing against the one before it [m]; missing ones are zero.
        lead: Share of the newer foot's shift in the goal of the centre of mass; [Abstract] has 1.
    """
    total, order = np.zeros((len(ref.feet.stances), 3)), landings(ref)
    each = np.zeros((len(order), 3))
    if steps is not None:
        each[: len(steps)] = steps[: len(order)]
    total[order] = each.cumsum(axis=0)
    shift = _feet(ref, total)
    on = ref.feet.on.reshape(ref.frames, -1)
    corners = ref.feet.corners + shift[:, :, None]
    points, count = pack(on, corners.reshape(ref.frames, -1, 3))
    marks = [s.cut for s in controller.segments] + [controller.segments[-1].end]
    goal = np.array([_goal(ref, total, frame, lead) for frame in marks])
    low = np.zeros(len(marks))
    for _ in range(ROUNDS if np.any(total) else 0):
        low += too_high(ref, shift, _between(ref, marks, goal + low[:, None] * UP), marks)
    goal = goal + low[:, None] * UP
    drift = _between(ref, marks, goal)
    return Course(ref.feet.place + shift, points, count, shift, goal, drift, low, total[:, 2])


def _between(ref: Reference, marks: list[int], goal: np.ndarray) -> np.ndarray:
    """Shifts (T, 3) on straight lines from cut to cut."""
    return np.stack([np.interp(np.arange(ref.frames), marks, goal[:, k]) for k in range(3)], axis=1)


def too_high(ref: Reference, shift: np.ndarray, drift: np.ndarray, marks: list[int]) -> np.ndarray:
    """How much lower (cuts,) the centre of mass must be at each cut for the legs to reach their footprints [m].

    Zero where the legs reach; the first cut is the start and stays.
    """
    need = shortfall(ref.character, ref.feet, ref.hips + drift[:, None], shift)
    nearest = np.abs(np.arange(ref.frames)[:, None] - np.array(marks)).argmin(axis=1)
    low = np.array([need[nearest == i].min(initial=0.0) for i in range(len(marks))])
    low[0] = 0.0
    return low


def _goal(ref: Reference, total: np.ndarray, frame: int, lead: float) -> np.ndarray:
    """Shift of the centre of mass at a cut: between the two latest stances that are down."""
    down = [i for i, s in enumerate(ref.feet.stances) if s.first <= frame <= s.last]
    if not down:
        before = [i for i, s in enumerate(ref.feet.stances) if s.first <= frame]
        return total[before[-1]] if before else np.zeros(3)
    if len(down) == 1:
        return total[down[0]]
    return (1 - lead) * total[down[-2]] + lead * total[down[-1]]


def _feet(ref: Reference, total: np.ndarray) -> np.ndarray:
    """Shift (T, S, 3) of each foot over time."""
    T, S = ref.frames, ref.feet.place.shape[1]
    shift = np.zeros((T, S, 3))
    for s in range(S):
        mine = [i for i, stance in enumerate(ref.feet.stances) if stance.support == s]
        for i in mine:
            shift[ref.feet.stances[i].first : ref.feet.stances[i].last + 1, s] = total[i]
        for a, b in pairwise(mine):
            first, last = ref.feet.stances[a].last + 1, ref.feet.stances[b].first
            shift[first:last, s] = _swing(total[a], total[b], last - first)
        if mine:
            shift[: ref.feet.stances[mine[0]].first, s] = total[mine[0]]
            shift[ref.feet.stances[mine[-1]].last + 1 :, s] = total[mine[-1]]
    return shift


def _swing(a: np.ndarray, b: np.ndarray, frames: int) -> np.ndarray:
    """Shifts of a swinging foot from a to b."""
    s = (np.arange(frames) + 1.0) / (frames + 1.0)
    out = a + quintic(s)[:, None] * (b - a)
    rise = b[2] - a[2]
    part = np.interp(abs(rise), *VERTICAL)
    early = np.clip(s / part, 0, 1) if rise > 0 else np.clip((s - 1 + part) / part, 0, 1)
    over = CLEARANCE * min(1.0, abs(rise) / 0.1) * 16 * s**2 * (1 - s) ** 2
    out[:, 2] = a[2] + quintic(early) * rise + over
    return out

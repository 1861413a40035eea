"""Parts of a long clip that a behaviour can use: where the feet stay, and where one of them kicks."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from poise.errors import BadInput
from poise.geometry.linear import norm
from poise.motion.clip import Clip
from poise.motion.feet import stands, tracks

SHORTEST = 1.0  # [s] of a part worth using
MOVED = 0.06  # [m] from one stance to the next: farther, the foot has stepped
HIGH = 0.6  # of the highest lift of the clip: lower ones are steps, not kicks
MARGIN = 0.6  # [s] of standing on both sides of a kick
STOOD = 0.1  # [s] on both feet that are more than a change of feet


def whole(clip: Clip) -> tuple[float, float]:
    """All of it."""
    return clip.start, clip.end


def standing(clip: Clip) -> tuple[float, float]:
    """The longest part in which every foot of the stance stays down."""
    start, end = _longest(stands(clip)[:, _stance(clip)].all(axis=1))
    return _checked(clip, start, end, "with all feet on the ground")


def in_place(clip: Clip) -> tuple[float, float]:
    """The longest part in which at least one foot stands, and no foot comes down elsewhere than it left."""
    down, where = stands(clip), tracks(clip)
    good = np.asarray(down.any(axis=1))
    cuts = [0, len(good)]
    for s in range(down.shape[1]):
        edges = np.diff(down[:, s].astype(int))
        for off in np.flatnonzero(edges < 0):
            on = np.flatnonzero(edges[off + 1 :] > 0)
            if len(on) and _apart(where.place[off, s], where.place[off + 2 + on[0], s]):
                cuts.append(int(off + 1 + on[0] // 2))
        for a, b in runs(down[:, s]):  # a sole that slides along the ground has stepped too
            path = where.place[a:b, s, :2]
            far = np.flatnonzero(norm(path - path[0], axis=1) > 2 * MOVED)
            cuts += [a + int(far[0])] if len(far) else []
    broken = good.copy()
    broken[[c for c in cuts if 0 < c < len(good)]] = False
    return _checked(clip, *_longest(broken), "in which the feet stay in place")


def kick(clip: Clip) -> tuple[float, float]:
    """One kick: a high lift of one foot while another stands, with some standing before and after where there is any.

    Of several, the one with the longest time on the standing foot around it.
    """
    return _kick(clip)[:2]


def entered_kick(clip: Clip) -> tuple[float, float]:
    """The same from the last time before it at which both feet stand: a quick kick begins with a change of feet."""
    start, end, lift = _kick(clip)
    both = [run for run in runs(stands(clip)[:, _stance(clip)].all(axis=1)) if _stood(clip, run, lift)]
    if not both:
        return start, end
    a, b = both[-1]
    last = min(float(clip.times[b - 1]), lift)
    return max(float(clip.times[a]), last - MARGIN), end


def _stood(clip: Clip, run: tuple[int, int], lift: float) -> bool:
    """Whether both feet have stood for a while before a foot lifts [s]."""
    return min(float(clip.times[run[1] - 1]), lift) - float(clip.times[run[0]]) > STOOD


def _kick(clip: Clip) -> tuple[float, float, float]:
    """Start and end of the part, and when the foot that kicks lifts [s]."""
    stance = _stance(clip)
    down, where = stands(clip)[:, stance], tracks(clip)
    height = where.place[:, stance, 2] - where.place[:, stance, 2].min(axis=0)
    found = []
    for foot in range(len(stance)):
        for a, b in runs(~down[:, foot]):
            top = a + int(height[a:b, foot].argmax())
            if height[top, foot] > HIGH * height.max():
                others = runs(np.delete(down, foot, 1).any(axis=1))
                found += [_around(clip, a, b, run) for run in others if run[0] <= top < run[1]]
    if not found:
        raise BadInput("the clip has no kick: no foot is lifted high while another stands")
    return max(found, key=lambda part: part[1] - part[0])


def _around(clip: Clip, a: int, b: int, run: tuple[int, int]) -> tuple[float, float, float]:
    """A lift from frame a to b, a margin around it, as far as the other foot stands; and when it begins."""
    start = max(clip.times[a] - MARGIN, clip.times[run[0]])
    end = min(clip.times[b - 1] + MARGIN, clip.times[run[1] - 1])
    return float(start), float(end), float(clip.times[a])


def _stance(clip: Clip) -> list[int]:
    return [i for i, s in enumerate(clip.character.supports) if s.name in clip.character.stance]


def _apart(a: np.ndarray, b: np.ndarray) -> bool:
    return float(norm((a - b)[:2])) > MOVED


def runs(flags: ArrayLike) -> list[tuple[int, int]]:
    """Stretches of true values as (first, one past the last)."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], np.asarray(flags, int), [0]])))
    return [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2])]


def _longest(flags: ArrayLike) -> tuple[int, int]:
    return max(runs(flags), key=lambda run: run[1] - run[0], default=(0, 0))


def _checked(clip: Clip, first: int, past: int, what: str) -> tuple[float, float]:
    seconds = float(clip.times[past - 1] - clip.times[first]) if past > first else 0.0
    if seconds < min(SHORTEST, 0.9 * clip.seconds):
        raise BadInput(
            f"no part of {SHORTEST:g} s or more {what}; the longest has {seconds:.2f} s of {clip.seconds:.2f} s"
        )
    return float(clip.times[first]), float(clip.times[past - 1])


# by name: a clip -> start and end of the part [s]
PARTS: dict[str, Callable[[Clip], tuple[float, float]]] = {
    "whole": whole, "standing": standing, "in-place": in_place, "kick": kick, "entered-kick": entered_kick,
}  # fmt: skip

"""Floor: the height at which feet rest. A joint is not a sole: the floor is where the lowest points of the feet are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from poise.capture.anatomy.feet import Foot
from poise.geometry.linear import norm

SLOW = 0.25  # m/s: a foot that rests
BAND = 0.03  # m: heights of one level
STAIR = 0.08  # m: levels are further apart; nearer ones are one, seen with feet flat and on their toes
LOWEST = 0.06  # m: the foot that bears is this near to the lowest point of the body
UPRIGHT = 0.6  # height of the body's direction from which it counts as standing
SHARE = 0.1  # of the time at rest that a level needs
SELDOM = 0.04  # part of the frames that is too few
LOOSE = 5  # percentile of the lowest point of a body without feet
LYING = 10  # percentile of the trunk's height where nobody stands
THICK = 0.1  # m: from the back of one who lies to the joints of the spine


@dataclass(frozen=True)
class Levels:
    """Heights at which feet bear weight, lowest first [m], and what they were found from."""

    heights: tuple[float, ...]
    evidence: str


def speeds(points: np.ndarray, hz: float) -> np.ndarray:
    """Speed (T, ...) of points (T, ..., 3) over three frames, five where frames are close [m/s]."""
    k = 2 if hz > 80 and len(points) > 4 else 1
    if len(points) < 2 * k + 1:
        return np.zeros(points.shape[:-1])
    middle = norm(points[2 * k :] - points[: -2 * k], axis=-1) * hz / (2 * k)
    return np.concatenate([middle[:1].repeat(k, axis=0), middle, middle[-1:].repeat(k, axis=0)])


def find(
    points: np.ndarray, feet: list[Foot], trunk: tuple[int, ...], standing: np.ndarray, hz: float
) -> Levels:
    """Levels that bear weight, from joints and end sites (T, P, 3), z up [m]; ``standing`` (T,) is 1 for upright."""
    lowest = points[..., 2].min(axis=1)
    if not feet:
        floor = float(np.percentile(lowest, LOOSE))
        return Levels((floor,), "no feet; the lowest points are hardly ever lower")
    found = np.zeros(0)
    for rest in (np.max, np.min):  # the whole foot, flat; where that is too seldom, any part of it
        heights = [_bearing(points, foot, lowest, standing, hz, rest) for foot in feet]
        found = np.sort(np.concatenate([*heights, np.zeros(0)]))
        if len(found) >= max(min(3, len(points)), SELDOM * len(points)):
            break
    else:
        return _lying(points, trunk)
    levels = _clusters(found)
    told = f"feet rest at {', '.join(f'{h:.3f}' for h, _ in levels)} m"
    return Levels(tuple(h for h, _ in levels), f"{told} for {', '.join(str(n) for _, n in levels)} frames")


def _bearing(points: np.ndarray, foot: Foot, lowest: np.ndarray, standing: np.ndarray, hz: float,
             rest: Callable[..., np.ndarray]) -> np.ndarray:  # fmt: skip
    """Heights of the lowest point of a foot while it rests and bears the body."""
    own = points[:, [foot.heel, *foot.toes]]
    bottom = own[..., 2].min(axis=1)
    still = rest(speeds(own, hz), axis=1) < SLOW
    return bottom[still & (bottom < lowest + LOWEST) & (standing > UPRIGHT)]


def _lying(points: np.ndarray, trunk: tuple[int, ...]) -> Levels:
    height = float(np.percentile(points[:, list(trunk), 2].min(axis=1), LYING)) - THICK
    return Levels((height,), f"nobody stands; the joints of a trunk that lies are {THICK} m above the floor")


def _clusters(heights: np.ndarray) -> list[tuple[float, int]]:
    """Levels of sorted heights: the densest bands that do not overlap, with the frames in each, lowest first."""
    left, levels = heights, []
    least = SHARE * len(heights)
    while len(left):
        ends = np.searchsorted(left, left + BAND, side="right")
        start = int(np.argmax(ends - np.arange(len(left))))
        inside = left[start : ends[start]]
        if len(inside) < least and levels:
            break
        levels.append((float(np.median(inside)), len(inside)))
        left = left[np.abs(left - levels[-1][0]) > STAIR]
    return sorted(levels)

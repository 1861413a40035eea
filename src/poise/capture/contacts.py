"""Contact labels: when heel and toe of each foot are on the ground, whatever its height."""

from __future__ import annotations

import numpy as np
from scipy.ndimage import median_filter
from scipy.signal import savgol_filter

from poise.capture.anatomy.feet import Foot
from poise.capture.floor import BAND, LOWEST, SLOW, speeds
from poise.character.constants import GRAVITY
from poise.motion.parts import runs

MOVING = 0.45  # m/s: faster is no contact
LIFTED = 0.035  # m: higher above where it rests is no contact
SUNK = 0.1  # m: lower is still contact, for data through the floor
FLOATING = 0.2  # m: lowest points that may still be on the ground, for data above the floor
FALLING = 0.5  # of g: falling faster is flight
BRIEF = 0.03  # s: gaps and contacts shorter than this are noise


def find(
    points: np.ndarray,
    feet: list[Foot],
    levels: tuple[float, ...],
    held: np.ndarray,
    hz: float,
    speed: float = MOVING,
    height: float = LIFTED,
) -> dict[int, np.ndarray]:
    """Point -> (T,) on the ground, for every point of each foot.

    A point is on the ground when it hardly moves and is as high above the floor, or above another level that bears the
    body, as when its foot rests there. A foot at rest in the air is never the lowest part of the body. Where no foot
    would be on the ground and yet something holds the body up, its lowest foot is.

    Args:
        points: (T, P, 3) joints and end sites of the body, z up [m].
        levels: Heights that bear the body, the floor first [m].
        held: (T,) whether the body stands and its centre of mass does not fall.
        speed, height: A point that is faster, or higher above where it rests, is not on the ground [m/s], [m].
    """
    lowest = points[..., 2].min(axis=1)
    found: dict[int, np.ndarray] = {}
    for foot in feet:
        own = [foot.heel, *foot.toes]
        moving = speeds(points[:, own], hz)
        heights = points[:, own, 2]
        bottom = heights.min(axis=1)
        still = np.asarray((moving < SLOW).all(axis=1))
        ground = _ground(bottom, still & (bottom < lowest + LOWEST), levels)
        rest = _rest(heights, bottom, still, ground)
        for k, point in enumerate(own):
            above = heights[:, k] - rest[k] - ground
            slow = median_filter(moving[:, k], size=3, mode="nearest") < speed
            found[point] = slow & (above < height) & (above > -SUNK)
    _hold(found, points, held & (lowest < levels[0] + FLOATING), lowest, hz)
    return {point: _steady(mask, hz) for point, mask in found.items()}


def _hold(
    found: dict[int, np.ndarray], points: np.ndarray, held: np.ndarray, lowest: np.ndarray, hz: float
) -> None:
    """Put the lowest points of the feet on the ground in frames where the body is held and nothing holds it."""
    if not found:
        return
    loose = held & ~np.any(list(found.values()), axis=0)
    for point, mask in found.items():
        near = points[:, point, 2] < lowest + BAND
        mask |= loose & near & (speeds(points[:, point], hz) < 2 * MOVING)


def held_up(heights: np.ndarray, hz: float) -> np.ndarray:
    """Whether the centre of mass, at these heights (T,) [m], falls by less than part of g: something holds it up."""
    size = 2 * round(0.05 * hz) + 1
    if len(heights) < 2 * size or size < 3:
        return np.ones(len(heights), bool)
    smooth = savgol_filter(heights, max(size, 5), 2, deriv=2, delta=1.0 / hz)
    return np.asarray(smooth > -FALLING * GRAVITY)


def _ground(bottom: np.ndarray, bears: np.ndarray, levels: tuple[float, ...]) -> np.ndarray:
    """Height of the ground under a foot (T,): the floor, or where the foot bears the body on something higher."""
    floor = levels[0]
    ground = np.full(len(bottom), floor)
    raised = bears & (bottom > floor + 0.08)
    for a, b in runs(raised):
        height = float(np.median(bottom[a:b]))
        while a > 0 and abs(bottom[a - 1] - height) < LIFTED:
            a -= 1
        while b < len(bottom) and abs(bottom[b] - height) < LIFTED:
            b += 1
        ground[a:b] = height
    return ground


def _rest(heights: np.ndarray, bottom: np.ndarray, still: np.ndarray, ground: np.ndarray) -> np.ndarray:
    """Height of each point of a foot (k,) above the ground when the foot rests flat."""
    flat = still & (np.abs(bottom - ground) < 0.05)
    if not flat.any():
        return np.median(heights - bottom[:, None], axis=0)
    return np.median(heights[flat] - ground[flat, None], axis=0)


def _steady(mask: np.ndarray, hz: float) -> np.ndarray:
    """The same without gaps and contacts that are too short."""
    shortest = round(BRIEF * hz)
    mask = mask.copy()
    for value in (False, True):
        for a, b in runs(mask == value):
            if b - a <= shortest and a > 0 and b < len(mask):
                mask[a:b] = not value
    return mask

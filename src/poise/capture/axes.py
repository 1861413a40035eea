"""Which file axis points up."""

from __future__ import annotations

import numpy as np

from poise.capture.scan import Scan
from poise.errors import unknown
from poise.geometry import quat
from poise.geometry.linear import times

NAMES = ("X", "Y", "Z", "-X", "-Y", "-Z")
DIRECTIONS = np.concatenate([np.eye(3), -np.eye(3)])
POSED, AT_REST, FLAT = 1.0, 0.8, 0.5  # votes of an artificial frame, of the rest pose, of a level floor
ALIGNED = 0.95  # a rest pose stands along an axis
CLEARLY = 1.3  # how much further the points reach along up than along any other axis
WANDER = 0.05  # leg lengths by which a floor may differ


def axis(name: str) -> np.ndarray:
    """Direction of "X", "-Z" ... in file axes."""
    key = str(name).upper().removeprefix("+")
    if key not in NAMES:
        raise unknown("axis", name, NAMES)
    return DIRECTIONS[NAMES.index(key)]


def name_of(direction: np.ndarray) -> str:
    """The axis nearest to a direction."""
    return NAMES[int(np.argmax(times(DIRECTIONS, direction)))]


def guess(scan: Scan) -> tuple[str, str]:
    """The axis that points up, and why."""
    if scan.limbs.legs is None:
        return _tallest(scan)
    mean = scan.upright(scan.some).mean(axis=0)
    votes = times(DIRECTIONS, mean)
    told = [f"the body is along {name_of(mean)} in the clip ({votes.max():.2f})"]
    if scan.first:
        pose = scan.upright(np.array([0]))[0]
        votes = votes + POSED * (times(DIRECTIONS, pose))
        told.append(f"along {name_of(pose)} in frame 0")
    rest = scan.at_rest.upright(np.array([0]))[0]
    if np.abs(rest).max() > ALIGNED:
        votes = votes + AT_REST * (times(DIRECTIONS, rest))
        told.append(f"along {name_of(rest)} in the rest pose")
    level = _level(scan)
    votes = votes + FLAT * level
    if level.max() > 0.5:
        told.append(f"its lowest point stays level along {NAMES[int(np.argmax(level))]}")
    return NAMES[int(np.argmax(votes))], "; ".join(told)


def _level(scan: Scan) -> np.ndarray:
    """For each of the six directions, how little (1: not at all) the lowest point of the body goes up and down."""
    points = scan.points[scan.some]
    low = np.concatenate([points.min(axis=1), -points.max(axis=1)], axis=1)
    spread = np.percentile(np.abs(low - np.median(low, axis=0)), 80, axis=0) / max(scan.reach, 1e-12)
    return np.exp(-spread / WANDER) * (len(points) > 1)


def _tallest(scan: Scan) -> tuple[str, str]:
    """Without limbs: the axis along which the points reach furthest; down is the end that stays more level."""
    points = scan.points[scan.some]
    reach = np.median(np.ptp(points, axis=1), axis=0)
    along, second = np.argsort(-reach)[:2]
    if scan.raw.up is not None and reach[along] < CLEARLY * reach[second]:
        return scan.raw.up, "the file says so"
    ends = points[..., along].min(axis=1), points[..., along].max(axis=1)
    wander = [float(np.percentile(end, 90) - np.percentile(end, 10)) for end in ends]
    name = NAMES[along + 3 * (wander[1] < 0.8 * wander[0])]
    says = "" if scan.raw.up is None else f"; the file says {scan.raw.up}"
    return name, f"the points reach furthest along {NAMES[along]}{says}"


def turn_up(up: np.ndarray) -> np.ndarray:
    """Quaternion that takes an up axis to z and the axis after it (Y: Z, Z: X, X: Y) to x."""
    ahead = np.abs(np.roll(up, 1))
    return quat.from_matrix(np.stack([ahead, np.cross(up, ahead), up]))

"""Which file axis points up."""

from __future__ import annotations

import numpy as np

from poise.capture.scan import Scan
from poise.errors import unknown
from poise.geometry import quat

NAMES = ("X", "Y", "Z", "-X", "-Y", "-Z")
DIRECTIONS = np.concatenate([np.eye(3), -np.eye(3)])
POSED, AT_REST, FLAT = (
    1.0,
    0.8,
    0.5,
)  # votes of an artificial frame, of the rest pose and of a level floor, to 1
ALIGNED = 0.95  # a rest pose stands along an axis
CLEARLY = 1.3  # how much further the points reach along up than along any other axis
LIKE = 0.78  # fore limbs over hind limbs, two longest bones, from which a beast may stand on both; a human has 0.68
WANDER = 0.05  # leg lengths by which a floor may differ


def axis(name: str) -> np.ndarray:
    """Direction of "X", "-Z" ... in file axes."""
    key = str(name).upper().removeprefix("+")
    if key not in NAMES:
        raise unknown("axis", name, NAMES)
    return DIRECTIONS[NAMES.index(key)]


def name_of(direction: np.ndarray) -> str:
    """The axis nearest to a direction."""
    return NAMES[int(np.argmax(DIRECTIONS @ direction))]


def upright(scan: Scan, frames: np.ndarray) -> np.ndarray:
    """Up, for a body that stands (T, 3): feet to hips to chest; on all fours, along all limbs. Short where it bends."""
    legs, arms = scan.body.legs, scan.body.arms
    if legs is None:
        return np.zeros((len(frames), 3))
    hips = scan.middle(legs, 0, frames)
    leg = _unit(hips - scan.middle(legs, -1, frames))
    if arms is None:
        return leg
    chest = scan.middle(arms, 0, frames)
    if on_all_fours(scan):
        return 0.5 * (leg + _unit(chest - scan.middle(arms, -1, frames)))
    return 0.5 * (leg + _unit(chest - hips))


def on_all_fours(scan: Scan) -> bool:
    """Whether both pairs of limbs are of like length and point the same way, square to the trunk, most of the time."""
    legs, arms = scan.body.legs, scan.body.arms
    if legs is None or arms is None:
        return False
    hind, fore = (
        np.mean([np.sort(scan.lengths[list(k.chain)])[-2:].sum() for k in pair]) for pair in (legs, arms)
    )
    if not LIKE < fore / max(hind, 1e-12) < 1 / LIKE:
        return False
    hips, chest = (scan.middle(pair, 0, scan.some) for pair in (legs, arms))
    leg, arm = (_unit(at - scan.middle(pair, -1, scan.some)) for at, pair in ((hips, legs), (chest, arms)))
    along = np.median(np.sum(leg * _unit(chest - hips), axis=-1))
    return bool(along < 0.5 and np.median(np.sum(leg * arm, axis=-1)) > 0.7)


def _unit(v: np.ndarray) -> np.ndarray:
    return v / np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), 1e-12)


def at_rest(scan: Scan) -> Scan:
    """The skeleton with nothing turned, as a scan of one frame."""
    raw = scan.raw
    still = np.tile(quat.IDENTITY, (1, len(raw.bvh.names), 1))
    return Scan(raw.moved(still, raw.bvh.offsets[None].copy()))


def guess(scan: Scan) -> tuple[str, str]:
    """The axis that points up, and why."""
    if scan.body.legs is None:
        return _tallest(scan)
    mean = upright(scan, scan.some).mean(axis=0)
    votes = DIRECTIONS @ mean
    told = [f"the body is along {name_of(mean)} in the clip ({votes.max():.2f})"]
    if scan.first:
        pose = upright(scan, np.array([0]))[0]
        votes = votes + POSED * (DIRECTIONS @ pose)
        told.append(f"along {name_of(pose)} in frame 0")
    rest = upright(at_rest(scan), np.array([0]))[0]
    if np.abs(rest).max() > ALIGNED:
        votes = votes + AT_REST * (DIRECTIONS @ rest)
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

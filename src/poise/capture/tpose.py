"""Is the first frame an artificial T-pose, set by hand and not captured?"""

from __future__ import annotations

import numpy as np

from poise.capture.scan import Scan
from poise.geometry import quat
from poise.geometry.linear import norm

NEXT = 10  # frames after the first that show what is usual
STILL_DEG = 1e-3  # a joint with less is exactly at rest
MOVES_DEG = 0.1
BY_HAND = 0.5  # part of the moving joints that an artificial frame leaves exactly at rest
JUMP = 3.0  # times the usual step
LEAP = 6.0  # the same, where no joint is exactly at rest
EVEN = 0.02  # left and right differ by less, in leg lengths


def detect(scan: Scan) -> tuple[bool, str]:
    """Whether to drop the first frame, and why."""
    raw = scan.raw
    if len(raw) < 4 or raw.markers:
        return False, "too few frames to tell" if len(raw) < 4 else "markers have no pose"
    some = raw.rotations[: NEXT + 2]
    steps = np.degrees(norm(quat.difference(some[:-1], some[1:]), axis=-1)).mean(axis=1)
    usual, jump = float(np.median(steps[1:])), float(steps[0])
    at_rest = _at_rest(raw.rotations[scan.some], some[0])
    even = unevenness(scan.posed(raw.rotations[0], raw.positions[0]), 0)
    told = (
        f"the first step turns joints by {jump:.1f}° on average, the next by {usual:.2f}°; "
        f"{100 * at_rest:.0f}% of the moving joints are exactly at rest in frame 0; "
        f"left and right differ by {100 * even:.1f}% of a leg"
    )
    zeroed = at_rest >= BY_HAND and jump > JUMP * usual
    posed = jump > LEAP * max(steps[1:].max(), 0.05) and even < EVEN
    return bool(zeroed or posed), told


def _at_rest(frames: np.ndarray, first: np.ndarray) -> float:
    angles = np.degrees(2.0 * np.arccos(np.minimum(np.abs(frames[1:, :, 0]), 1.0)))
    moving = np.ptp(angles, axis=0) > MOVES_DEG
    rest = np.degrees(norm(quat.to_rotvec(first), axis=-1)) < STILL_DEG
    return float(rest[moving].mean()) if moving.any() else 0.0


def unevenness(scan: Scan, frame: int) -> float:
    """How far a pose is from mirror-like: distances from limbs to the trunk, left against right, in leg lengths."""
    points, limbs = scan.points[frame], scan.limbs
    trunk, worst = points[list(limbs.trunk)], 0.0
    for pair in limbs.pairs:
        size = min(map(len, pair))
        left, right = (norm(points[list(chain[:size]), None] - trunk, axis=-1) for chain in pair)
        worst = max(worst, float(np.abs(left - right).max()))
    return worst / scan.reach if limbs.pairs and scan.reach > 0 else np.inf

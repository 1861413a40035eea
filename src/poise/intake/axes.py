"""Which file axis points up, and which way the body faces."""

from __future__ import annotations

import numpy as np

from poise.errors import unknown
from poise.geometry import quat
from poise.intake.scan import Scan

NAMES = ("X", "Y", "Z", "-X", "-Y", "-Z")
DIRECTIONS = np.concatenate([np.eye(3), -np.eye(3)])


def axis(name: str) -> np.ndarray:
    """Direction of "X", "-Z" ... in file axes."""
    key = str(name).upper().removeprefix("+")
    if key not in NAMES:
        raise unknown("axis", name, NAMES)
    return DIRECTIONS[NAMES.index(key)]


def upright(scan: Scan, frames: np.ndarray) -> np.ndarray:
    """Unit vectors (T, 3) from feet to hips, mixed with hips to chest on a body with arms: up, for one who stands."""
    legs, arms = scan.body.legs, scan.body.arms
    if legs is None:
        return np.zeros((len(frames), 3))
    hips = scan.middle(legs, 0, frames)
    vectors = [hips - scan.middle(legs, -1, frames)]
    if arms is not None:
        vectors.append(scan.middle(arms, 0, frames) - hips)
    total = sum(v / np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), 1e-12) for v in vectors)
    return total / np.maximum(np.linalg.norm(total, axis=-1, keepdims=True), 1e-12)


def turn_up(up: np.ndarray) -> np.ndarray:
    """Quaternion that takes a file axis to z by the shortest way, keeping Y up files' Z as x (so X is left)."""
    z = np.array([0.0, 0.0, 1.0])
    if np.allclose(up, z):
        return quat.IDENTITY.copy()
    forward = np.roll(up, 1) if np.sum(up) > 0 else np.roll(-up, 1)
    return quat.from_matrix(np.stack([forward, np.cross(up, forward), up]))

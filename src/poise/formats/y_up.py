"""Axes of animation tools: x left, y up, z forward, in place of our x forward, y left, z up. Both are right-handed."""

from __future__ import annotations

import numpy as np

AXES = {"up_axis": "Y", "forward_axis": "+Z", "left_axis": "+X"}  # as files say it


def vectors(v: np.ndarray) -> np.ndarray:
    """Vectors (..., 3) in y-up axes."""
    return v[..., [1, 2, 0]]


def rotations(q: np.ndarray) -> np.ndarray:
    """Quaternions (..., 4) wxyz between y-up frames."""
    return q[..., [0, 2, 3, 1]]


def xyzw(q: np.ndarray) -> np.ndarray:
    """The same with the scalar last, as files have it."""
    return q[..., [2, 3, 1, 0]]

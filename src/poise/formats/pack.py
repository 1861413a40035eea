"""Arrays as short text: sixteen bits a number, base64. The page unpacks them."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

STEPS = 65534  # between the least and the largest number of a column
NONE = -32768  # stands for a number that is not finite


def numbers(values: np.ndarray) -> dict[str, Any]:
    """Columns of numbers (T, k), each between its own least and largest value, in steps of 1/65534 of that range."""
    values = np.asarray(values, float)
    values = values.reshape(len(values), -1)
    known = np.isfinite(values)
    low = np.where(known, values, np.inf).min(axis=0, initial=np.inf)
    high = np.where(known, values, -np.inf).max(axis=0, initial=-np.inf)
    low, high = np.where(low > high, 0.0, low), np.where(low > high, 0.0, high)
    span = np.where(high > low, high - low, 1.0)
    steps = np.round((np.where(known, values, low) - low) / span * STEPS) - STEPS / 2
    packed = np.where(known, steps, NONE).astype("<i2")
    return {"shape": list(values.shape), "low": low.tolist(), "high": high.tolist(), "data": text(packed)}


def text(array: np.ndarray) -> str:
    """The bytes of an array in base64."""
    return base64.b64encode(np.ascontiguousarray(array).tobytes()).decode("ascii")

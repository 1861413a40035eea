"""Easing: from 0 to 1 over x from 0 to 1, at rest at both ends; x is cut to that range."""

from __future__ import annotations

from typing import Any

import numpy as np


def quintic(x: Any) -> Any:
    """Least-jerk step x³ (10 - 15 x + 6 x²), of a number or an array: no speed and no acceleration at the ends."""
    x = np.clip(x, 0.0, 1.0)
    return x**3 * (10 - 15 * x + 6 * x**2)


def quintic_rates(x: float) -> tuple[float, float, float]:
    """The same with its first two derivatives, all constant outside."""
    if not 0.0 < x < 1.0:
        return float(x >= 1.0), 0.0, 0.0
    return x**3 * (10 - 15 * x + 6 * x * x), 30 * x * x * (1 - x) ** 2, 60 * x * (1 - x) * (1 - 2 * x)


def cubic(x: Any) -> Any:
    """Smoothstep x² (3 - 2 x), of a number or an array: no speed at the ends."""
    x = np.clip(x, 0.0, 1.0)
    return x * x * (3 - 2 * x)


def cubic_rates(x: float) -> tuple[float, float, float]:
    """The same with its first two derivatives; x is cut to the range before."""
    x = min(max(x, 0.0), 1.0)
    return x * x * (3 - 2 * x), 6 * x * (1 - x), 6 - 12 * x

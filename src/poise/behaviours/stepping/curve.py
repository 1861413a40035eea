"""The paper's course of the centre of mass in a step: a Bézier curve over the pivot ([Stepping] 4.4.2)."""

from __future__ import annotations

import numpy as np

from poise.behaviours.stepping.step import Facts, Gait, Tick


def curve(gait: Gait) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Place, rate and acceleration (2,) on the curve from the start over the pivot to the middle of the feet."""
    T = max(gait.T, 1e-3)
    s = min(max(gait.clock / T, 0.0), 1.0)
    e, e_dot, e_ddot = s * s * (3 - 2 * s), 6 * s * (1 - s) / T, (6 - 12 * s) / T**2
    a, b, c = gait.c_lifted, gait.pivot, 0.5 * (gait.pivot + gait.goal)
    x = (1 - e) ** 2 * a + 2 * e * (1 - e) * b + e * e * c
    slope, bend = 2 * (1 - e) * (b - a) + 2 * e * (c - b), 2 * (c - 2 * b + a)
    return x, slope * e_dot, bend * e_dot**2 + slope * e_ddot


def on_curve(facts: Facts, tick: Tick, gait: Gait) -> np.ndarray:
    """Acceleration (2,) along it: eq. 4.10."""
    g, w, (x, x_dot, x_ddot) = facts.gains, facts.rate, curve(gait)
    return x_ddot + w * w * g.linear * (x - tick.c) + w * g.linear_damping * (x_dot - tick.v)

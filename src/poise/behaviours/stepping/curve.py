"""The paper's course of the centre of mass in a step: a Bézier curve over the pivot ([Stepping] 4.4.2)."""

from __future__ import annotations

import numpy as np

from poise.behaviours.stepping.step import Facts, Gait, Tick


def on_curve(facts: Facts, tick: Tick, gait: Gait) -> np.ndarray:
    """Acceleration (2,) along the curve from the start over the pivot to the middle of the feet: eq. 4.10."""
    T, g, w = max(gait.T, 1e-3), facts.gains, facts.rate
    s = min(max(gait.clock / T, 0.0), 1.0)
    e, e_dot, e_ddot = s * s * (3 - 2 * s), 6 * s * (1 - s) / T, (6 - 12 * s) / T**2
    a, b, c = gait.c_lifted, gait.pivot, 0.5 * (gait.pivot + gait.goal)
    x = (1 - e) ** 2 * a + 2 * e * (1 - e) * b + e * e * c
    slope, bend = 2 * (1 - e) * (b - a) + 2 * e * (c - b), 2 * (c - 2 * b + a)
    x_dot, x_ddot = slope * e_dot, bend * e_dot**2 + slope * e_ddot
    return x_ddot + w * w * g.linear * (x - tick.c) + w * g.linear_damping * (x_dot - tick.v)

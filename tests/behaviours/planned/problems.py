"""A step of a walk made of numbers alone: a centre of mass at constant speed over two flat feet."""

from __future__ import annotations

import numpy as np

from poise.behaviours.planned.problem import Problem, Weights

MASS, H = 71.5, 1.0 / 120.0


def sole(x: float, y: float) -> np.ndarray:
    """Four corners (4, 3) of a foot whose ankle is over (x, y)."""
    return np.array(
        [
            [x - 0.07, y - 0.045, 0],
            [x + 0.19, y - 0.045, 0],
            [x + 0.19, y + 0.045, 0],
            [x - 0.07, y + 0.045, 0],
        ]
    )


def walk(frames: int = 66, length: float = 0.6, double: int = 8, weights: Weights | None = None) -> Problem:
    """Mid double support to mid double support; the left foot stands, the right foot swings."""
    t = np.arange(frames + 1) * H
    T = frames * H
    speed = length / T
    w = np.sqrt(9.81 / 0.95)
    y0 = 0.08
    # the pendulum over the standing foot, at y = 0 when both feet carry
    y = y0 * (1 - np.cosh(w * (t - T / 2)) / np.cosh(w * T / 2))
    vy = -y0 * w * np.sinh(w * (t - T / 2)) / np.cosh(w * T / 2)
    x_ref = np.zeros((frames + 1, 12))
    x_ref[:, 0], x_ref[:, 1], x_ref[:, 2] = speed * t, y, 0.95
    x_ref[:, 3], x_ref[:, 4] = MASS * speed, MASS * vy
    points = np.zeros((frames + 1, 8, 3))
    count = np.zeros(frames + 1, np.int64)
    left, right = (
        sole(0.5 * length - 0.06, y0),
        [sole(-0.5 * length - 0.06, -y0), sole(1.5 * length - 0.06, -y0)],
    )
    for k in range(frames + 1):
        others = [right[0]] if k < double else [right[1]] if k >= frames - double else []
        feet = np.vstack([left, *others])
        points[k, : len(feet)], count[k] = feet, len(feet)
    rate = np.zeros(12)
    rate[0], rate[1] = speed, vy[-1]
    return Problem(x_ref, rate, points, count, MASS, H, weights=weights or Weights())

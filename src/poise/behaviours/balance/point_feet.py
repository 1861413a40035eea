r"""Balance over a line: on feet that are points, nothing but the body's own spin pushes the centre of mass back.

Across the line the ground gives no moment about it, so that with x the distance of the centre of mass from the line,
u the rate of spin and Θ how far the body as a whole has turned,

.. math:: \ddot x = \frac{g}{h} x - \frac{u}{m h}, \qquad \ddot Θ = \frac{u}{I}

Asking for an acceleration of the centre of mass alone would leave the body turning for ever. The four states together
have a linear optimal feedback (LQR), which turns the body to catch the centre of mass, and then turns it back.
"""

from __future__ import annotations

import math

import numpy as np

from poise.control.points import Orientation
from poise.dynamics.state import State
from poise.geometry.linear import times

COST = (1.0, 1.0, 10.0, 10.0)  # of (x/h)², its rate, Θ², its rate; times in √(h/g)
EFFORT = 3.0  # of (u / (m g h))²
THIN = 0.03  # of the height of the centre of mass: a support narrower than this is a line
POSE_SHARE = 0.02  # of the pose's weight left over a line: the turn of the whole matters, not of each joint
FEET = 30.0  # weight of the feet's orientation: round ones would roll away from under the body


class LineBalance:
    """The LQR feedback of one body, found when the direction of its line is first known."""

    def __init__(self, height: float, rate: float):
        self.h, self.rate = height, rate
        self._gain: np.ndarray | None = None

    def hold(self, state: State, active: np.ndarray) -> list[Orientation]:
        """Objectives that keep the planted feet turned as they are now."""
        k = 6.0 * self.rate**2
        bodies = {state.tree.body(s.body) for s, on in zip(state.character.supports, active) if on}
        names, turns = state.tree.names, state.xquat
        return [Orientation(names[b], turns[b].copy(), k=k, d=2 * math.sqrt(k), weight=FEET) for b in bodies]

    def acceleration(self, state: State, across: np.ndarray, point: np.ndarray, error: np.ndarray) -> float:
        """Acceleration of the centre of mass across the line [m/s²].

        Args:
            across: (3,) level unit vector across the line. point: (3,) on it [m].
            error: (nv,) way from the pose to the reference.
        """
        axis = np.array([-across[1], across[0], 0.0])  # a positive turn about it leans across
        inertia = float(times(times(axis, state.composite_inertia), axis))
        if self._gain is None:
            self._gain = lqr_gain(state.m * self.h**2 / inertia)
        turned = -float(times(axis, times(state.A_H, error))) / inertia
        spin = float(times(axis, state.H)) / inertia
        x = float(times(across, state.c - point)) / self.h
        speed = float(times(across, state.L)) / (state.m * self.h * self.rate)
        u = float(times(self._gain, (x, speed, turned, spin / self.rate)))
        return self.rate**2 * self.h * (x - u)


def lqr_gain(leverage: float) -> np.ndarray:
    """LQR feedback (4,) of ẍ = x - u, Θ̈ = leverage u, in units of h and √(h/g)."""
    from scipy.linalg import solve_continuous_are

    A = np.array([[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0]], dtype=float)
    B = np.array([[0.0], [-1.0], [0.0], [leverage]])
    P = solve_continuous_are(A, B, np.diag(COST), np.array([[EFFORT]]))
    return (times(B.T, P) / EFFORT).ravel() * -1.0


def line_support(polygon: np.ndarray, size: int, height: float) -> tuple[np.ndarray, np.ndarray] | None:
    """Direction across a support that is no wider than a line, and a point on it, seen from above; else None."""
    if size < 2:
        return None
    corners = polygon[:size]
    middle = corners.mean(axis=0)
    _, _, axes = np.linalg.svd(corners - middle)
    if float(np.ptp(times(corners, axes[1]))) > THIN * height:
        return None
    across = axes[1] * math.copysign(1.0, axes[1][0] if abs(axes[1][0]) > abs(axes[1][1]) else axes[1][1])
    return across, middle

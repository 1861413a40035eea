r"""Soft objectives on a point or the orientation of a body ([Balance] §8), met by the body's own joints alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise.control.objective import Objective
from poise.dynamics.state import Measure, State
from poise.geometry.linear import times
from poise.geometry.quat_jit import rotation_between


@dataclass(frozen=True)
class Point(Objective):
    """A point of a body accelerates towards a target: k (x_ref - x) + d (v_ref - v) [m/s²]."""

    body: str
    local: tuple[float, float, float]
    target: np.ndarray | None  # world [m]; None damps the point's motion only
    velocity: np.ndarray | None = None  # of the target [m/s]
    k: float = 100.0
    d: float = 20.0
    weight: float = 10.0
    axes: tuple[float, float, float] = (1.0, 1.0, 1.0)  # share of the weight along x, y, z

    def measure(self, state: State) -> Measure:
        point = state.point(self.body, self.local)
        return Measure(point.y[:3], point.A[:3], point.bias[:3])

    def desired(self, state: State) -> np.ndarray:
        y = self.measure(state).y
        rate = self.d * ((np.zeros(3) if self.velocity is None else self.velocity) - y)
        if self.target is not None:
            rate += self.k * (self.target - state.place(self.body, self.local))
        return rate

    def weights(self, state: State) -> np.ndarray:
        return self.weight * np.array(self.axes)


@dataclass(frozen=True)
class Orientation(Objective):
    """A body turns towards an orientation; with ``upright`` only its tilt matters, not its heading [rad/s²]."""

    body: str
    target: np.ndarray  # quaternion wxyz, world
    upright: bool = False
    k: float = 100.0
    d: float = 20.0
    weight: float = 10.0
    rate: np.ndarray | None = None  # angular velocity of the target, world [rad/s]

    def measure(self, state: State) -> Measure:
        point = state.point(self.body, (0, 0, 0))
        return Measure(point.y[3:], point.A[3:], point.bias[3:])

    def desired(self, state: State) -> np.ndarray:
        b = state.tree.body(self.body)
        R = state.data.xmat[state.tree.body0 + b].reshape(3, 3)
        error_b = np.zeros(3)
        rotation_between(state.xquat[b], self.target, error_b)
        spin = self.measure(state).y
        return self.k * (times(R, error_b)) - self.d * (spin if self.rate is None else spin - self.rate)

    def weights(self, state: State) -> np.ndarray:
        return self.weight * np.array([1.0, 1.0, 0.0 if self.upright else 1.0])

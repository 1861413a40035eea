"""Objectives on a support as a whole: a sole that swings through the air, and one that rolls over its edge."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from poise.control.objective import Objective
from poise.dynamics.state import Measure, State

QUICK = 1.0  # how much quicker a heel rises than a sole is held in place


@dataclass(frozen=True)
class SwingSole(Objective):
    """A lifted sole follows a place and an orientation, six rows, linear first, world axes [m/s²], [rad/s²]."""

    support: int
    x: np.ndarray  # (3,) of the sole's centre [m]
    v: np.ndarray
    a: np.ndarray
    R: np.ndarray  # (3, 3) wanted orientation
    w: np.ndarray  # (3,) its angular velocity [rad/s]
    k: float  # stiffness [1/s²]
    d: float  # damping [1/s]
    weight: tuple[float, float]  # of the place and of the orientation

    def measure(self, state: State) -> Measure:
        s = self.support
        return Measure(state.J_v[s], state.J[s], state.J_bias[s])

    def desired(self, state: State) -> np.ndarray:
        s = self.support
        v = state.J_v[s]
        out = np.empty(6)
        out[:3] = self.a + self.k * (self.x - state.x[s]) + self.d * (self.v - v[:3])
        turn = 0.5 * np.cross(state.R[s], self.R, axis=0).sum(axis=1)
        out[3:] = self.k * turn + self.d * (self.w - v[3:])
        return out

    def weights(self, state: State) -> np.ndarray:
        a, b = self.weight
        return np.array((a, a, a, b, b, b))


@dataclass(frozen=True)
class RollingSole(Objective):
    """A planted sole whose toe edge stays in place while the heel may rise, with a gentle wish for its pitch.

    Six rows: the edge's place [m/s²], turning about the heading and the vertical, then about the sole's side [rad/s²].
    """

    support: int
    edge: np.ndarray  # (3,) middle of the edge from the sole's centre, in the foot's axes [m]
    anchor: np.ndarray  # (3,) where that point should stay [m]
    heading: float  # of the sole [rad]
    pitch: float  # wanted, heel up [rad]
    k: float  # stiffness [1/s²]
    d: float  # damping [1/s]
    weight: tuple[float, float]  # of all but the pitch, and of the pitch

    def _axes(self) -> np.ndarray:
        """(3, 3) axis along the heading, the vertical, and the horizontal axis to the side."""
        c, s = math.cos(self.heading), math.sin(self.heading)
        return np.array([[c, s, 0.0], [0.0, 0.0, 1.0], [-s, c, 0.0]])

    def measure(self, state: State) -> Measure:
        s = self.support
        r, w, axes = state.R[s] @ self.edge, state.J_v[s, 3:], self._axes()
        J, bias = state.J[s], state.J_bias[s]
        A = np.empty((6, state.nv))
        A[:3] = J[:3] + np.cross(J[3:], r, axis=0)
        A[3:] = axes @ J[3:]
        rest = bias[:3] + np.cross(bias[3:], r) + np.cross(w, np.cross(w, r))
        return Measure(A @ state.v, A, np.concatenate([rest, axes @ bias[3:]]))

    def desired(self, state: State) -> np.ndarray:
        s = self.support
        y = self.measure(state).y
        out = -self.d * y
        out[:3] += self.k * (self.anchor - state.x[s] - state.R[s] @ self.edge)
        ahead, up, side = self._axes()
        turn = np.cross(state.R[s][:, 1], side)
        x = state.R[s][:, 0]
        out[3] += self.k * (turn @ ahead)
        out[4] += self.k * (turn @ up)
        out[5] = QUICK**2 * self.k * (self.pitch - math.atan2(-x[2], x @ ahead)) - QUICK * self.d * y[5]
        return out

    def weights(self, state: State) -> np.ndarray:
        a, b = self.weight
        return np.array((a, a, a, a, a, b))

"""Objectives on a support as a whole: a sole that swings through the air, and one that rolls over its edge."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from poise.compiled import compiled
from poise.control.objective import Objective, Rows
from poise.dynamics.state import Measure, State
from poise.solvers.dot import applied


@dataclass(frozen=True)
class SwingSole(Objective):
    """A lifted sole follows a place and an orientation, six rows, linear first, world axes [m/s²], [rad/s²]."""

    support: int
    x: np.ndarray  # (3,) of the sole's centre [m]
    v: np.ndarray
    a: np.ndarray
    R: np.ndarray  # (3, 3) wanted orientation
    w: np.ndarray  # (3,) its angular velocity [rad/s]
    w_dot: np.ndarray  # (3,) and acceleration [rad/s²]
    k: float  # stiffness [1/s²]
    d: float  # damping [1/s]
    weight: tuple[float, float]  # of the place and of the orientation

    def measure(self, state: State) -> Measure:
        s = self.support
        return Measure(state.J_v[s], state.J[s], state.J_bias[s])

    def desired(self, state: State) -> np.ndarray:
        out = np.empty(6)
        _follow(state, self.support, self.x, self.v, self.a, self.R, self.w, self.w_dot, self.k, self.d, out)
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
    quick: float = 1.0  # how much faster than the rest the pitch is taken
    roll: float = 0.0  # of the ground about the heading, left up [rad]
    rate: float = 0.0  # of the pitch wanted [rad/s],
    acc: float = 0.0  # and its acceleration [rad/s²]
    tilt: float | None = None  # weight of turning about the heading; None is that of all but the pitch

    def _axes(self) -> np.ndarray:
        """(3, 3) axis along the heading, the vertical, and the axis to the side, along the ground."""
        c, s, level = math.cos(self.heading), math.sin(self.heading), math.cos(self.roll)
        return np.array([[c, s, 0.0], [0.0, 0.0, 1.0], [-s * level, c * level, math.sin(self.roll)]])

    def measure(self, state: State) -> Measure:
        return self._motion(state)[0]

    def desired(self, state: State) -> np.ndarray:
        return self._motion(state)[1]

    def rows(self, state: State) -> Rows:
        measure, wanted = self._motion(state)
        return Rows(measure.A, wanted - measure.bias, self.weights(state))

    def _motion(self, state: State) -> tuple[Measure, np.ndarray]:
        """The motion of the edge as it is, and its wanted rate (6,)."""
        y, A, bias, wanted = np.empty(6), np.empty((6, state.nv)), np.empty(6), np.empty(6)
        _roll(state, self.support, self.edge, self.anchor, self._axes(), self.pitch, self.k, self.d, self.quick,
              self.rate, self.acc, y, A, bias, wanted)  # fmt: skip
        return Measure(y, A, bias), wanted

    def weights(self, state: State) -> np.ndarray:
        a, b = self.weight
        return np.array((a, a, a, a if self.tilt is None else self.tilt, a, b))


@compiled
def _follow(state, s, x_ref, v_ref, a_ref, R_ref, w_ref, w_dot_ref, k, d, out):
    """Wanted acceleration (6,) of a sole that follows a place and, by the small angle between axes, an orientation."""
    x, v, R = state.x[s], state.J_v[s], state.R[s]
    for i in range(3):
        out[i] = a_ref[i] + k * (x_ref[i] - x[i]) + d * (v_ref[i] - v[i])
        out[3 + i] = w_dot_ref[i] + d * (w_ref[i] - v[3 + i])
    for axis in range(3):
        a0, a1, a2 = R[0, axis], R[1, axis], R[2, axis]
        b0, b1, b2 = R_ref[0, axis], R_ref[1, axis], R_ref[2, axis]
        out[3] += 0.5 * k * (a1 * b2 - a2 * b1)
        out[4] += 0.5 * k * (a2 * b0 - a0 * b2)
        out[5] += 0.5 * k * (a0 * b1 - a1 * b0)


@compiled
def _roll(state, s, edge, anchor, axes, pitch, k, d, quick, rate, acc, y, A, bias, wanted):
    """Motion of a support's edge, and what is wanted of it."""
    R, v = state.R[s], state.J_v[s]
    _edge_motion(R, edge, axes, v, state.J[s], state.J_bias[s], y, A, bias)
    _hold_edge(state.x[s], R, edge, anchor, axes, pitch, v, k, d, quick, rate, acc, wanted)


@compiled
def _edge_motion(R, edge, axes, v, J, J_bias, y, A, bias):
    """Motion y, its rows A and bias of an edge's middle and of turning about three axes."""
    r = applied(R, edge)
    w = v[3:]
    spin = np.cross(w, np.cross(w, r))
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        for n in range(A.shape[1]):
            A[i, n] = J[i, n] + J[3 + j, n] * r[k] - J[3 + k, n] * r[j]
            A[3 + i, n] = axes[i, 0] * J[3, n] + axes[i, 1] * J[4, n] + axes[i, 2] * J[5, n]
        y[i] = v[i] + w[j] * r[k] - w[k] * r[j]
        bias[i] = J_bias[i] + J_bias[3 + j] * r[k] - J_bias[3 + k] * r[j] + spin[i]
        y[3 + i], bias[3 + i] = 0.0, 0.0
        for m in range(3):
            y[3 + i] += axes[i, m] * w[m]
            bias[3 + i] += axes[i, m] * J_bias[3 + m]


@compiled
def _hold_edge(x, R, edge, anchor, axes, pitch, v, k, d, quick, rate, acc, out):
    """Wanted rates (6,): the edge stays at its anchor, the sole keeps its heading and takes a pitch."""
    r, w = applied(R, edge), v[3:]
    side = np.cross(R[:, 1], axes[2])
    for i in range(3):
        a, b = (i + 1) % 3, (i + 2) % 3
        out[i] = k * (anchor[i] - x[i] - r[i]) - d * (v[i] + w[a] * r[b] - w[b] * r[a])
        turn = axes[i, 0] * w[0] + axes[i, 1] * w[1] + axes[i, 2] * w[2]
        if i < 2:
            out[3 + i] = k * (side[0] * axes[i, 0] + side[1] * axes[i, 1] + side[2] * axes[i, 2]) - d * turn
        else:
            lean = math.atan2(-R[2, 0], R[0, 0] * axes[0, 0] + R[1, 0] * axes[0, 1])
            out[5] = acc + quick * (quick * k * (pitch - lean) + d * (rate - turn))

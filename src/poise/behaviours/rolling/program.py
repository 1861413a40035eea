r"""The feature program of [Rolling] eq. 2, condensed to torques, blend value and contact forces.

.. math:: \min \tfrac12 |\dot L_d - \dot L|^2_{W_L} + \tfrac12 |\dot H_d - \dot H|^2_{W_H}
          + \tfrac12 |\gamma\tau_a + (1-\gamma)\tau_b - \tau|^2_{W_P} + \tfrac12 W_v |J \dot\theta_{t+h}|^2

subject to :math:`0 \le \gamma \le 1`, torque limits, :math:`\lambda_N \ge 0` and
:math:`|\lambda_T|_\infty \le \mu\lambda_N`. The rates of the momenta depend on the contact forces alone, and the
accelerations follow from :math:`\tilde M\ddot\theta = S\tau + J^T\lambda - C`, so neither needs variables or
constraints of its own. M̃ holds the springs' implicit stiffness and damping over the tick, which the motors feel too.

Metrics: ``gauss`` weighs L̇ by 1/m, Ḣ by I_c⁻¹ and τ by (M̃⁻¹)_aa, so that all objectives are in the units of Gauss's
least constraint and W_v ~ 1/h² is heavy; ``si`` has unit weights in SI units, as the paper, where a newton counts as
much as a newton metre.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise.behaviours.rolling.condense import condense
from poise.behaviours.rolling.contacts import Touch
from poise.behaviours.rolling.joints import errors, rotations
from poise.behaviours.rolling.solver import Drive, Wanted
from poise.compiled import compiled
from poise.control.solve import Solution
from poise.dynamics.state import State
from poise.errors import BadInput, unknown
from poise.geometry.linear import norm, solve
from poise.records import Count, Matrix, Real, Record, Vector
from poise.solvers.qp import Program

METRICS, PASSES = ("gauss", "si"), ("one", "two")
WORTH = 0.05  # of the weight (or of it at one metre): a contact that pushes less is left out of pass two


@dataclass(frozen=True)
class FeatureWeights:
    """Weights of the objectives; vectors along travel, lateral axis, normal."""

    linear: tuple[float, float, float] = (0.7, 3.0, 0.05)
    angular: tuple[float, float, float] = (1.0, 0.1, 1.0)
    pose: float = 0.05
    contact: float = 4200.0
    metric: str = "gauss"
    passes: str = "one"
    mu: float = 0.64  # friction that is counted on
    tick: float = 1.0 / 60.0  # [s]

    def __post_init__(self) -> None:
        if self.metric not in METRICS:
            raise unknown("metric of the program", self.metric, METRICS)
        if self.passes not in PASSES:
            raise unknown("contact supervisor", self.passes, PASSES)
        if not self.pose > 0:
            raise BadInput(f"pose weight {self.pose}; give a number above zero")


class FeatureProgram(Record):
    """Builds and solves the program of a tick. The course's axes (t, a, n columns) fix what the weights mean."""

    axes: Matrix
    linear: Vector  # weights
    angular: Vector
    pose: Real
    contact: Real
    gauss: Count  # whether that is the metric
    mu: Real
    h: Real
    tau_a: Vector  # springs' torques towards the two poses of the blend
    tau_b: Vector
    I_inv: Matrix
    A: Matrix  # work array (nv, nv)

    def __init__(
        self, state: State, weights: FeatureWeights, axes: np.ndarray, held_out: tuple[str, ...] = ("head",)
    ):
        self.state, self.weights, self.axes = state, weights, np.ascontiguousarray(axes)
        self.touch, self._solver = Touch(state, held_out), Program()
        n, w = state.nv, weights
        self.linear, self.angular = np.array(w.linear, dtype=float), np.array(w.angular, dtype=float)
        self.pose, self.contact, self.mu, self.h = float(w.pose), float(w.contact), float(w.mu), float(w.tick)
        self.gauss, self.A, self.I_inv = int(w.metric == "gauss"), np.zeros((n, n)), np.zeros((3, 3))
        self.tau_a, self.tau_b, self._blend = np.zeros(n - 6), np.zeros(n - 6), np.zeros(n - 6)
        self.forces = np.zeros((0, 3))  # λ of the last solve, along normal and tangents [N]
        self.chosen = np.zeros(0, dtype=np.int64)
        self.gamma = 1.0
        self.x = np.zeros(0)  # (τ, γ, λ) of the last solve
        self.seal()

    def solve(self, wanted: Wanted, springs: Drive) -> None:
        """Correction of the springs' torques for this tick into their ``extra``; the blend value is ``gamma``."""
        n, extra, solution = self.touch.update(), springs.extra, springs.solution
        self.gamma, extra[:] = 1.0, 0.0
        if n == 0:  # nothing to push with: the springs' own torques cost nothing
            self.chosen = np.zeros(0, dtype=np.int64)
            self._report(np.zeros(0), solution)
            return
        x = self._once(np.arange(n), wanted, springs)
        if x is not None and self.weights.passes == "two":
            worth = self._worth(x, n)
            if 0 < len(worth) < n:
                x = self._once(worth, wanted, springs)
        if x is None:
            solution.failures += 1
            solution.status = "the feature program failed; springs alone"
            return
        na = len(extra)
        self.gamma = float(x[na])
        np.multiply(self.tau_a, self.gamma, out=self._blend)
        self._blend += (1.0 - self.gamma) * self.tau_b
        np.subtract(x[:na], self._blend, out=extra)
        self._report(x[na + 1 :], solution)

    def _once(self, chosen, wanted: Wanted, springs: Drive) -> np.ndarray | None:
        state = self.state
        _spring(state, springs, wanted.pose, self.h, self.tau_a)
        _spring(state, springs, wanted.ahead, self.h, self.tau_b)
        self.I_inv[:] = solve(state.composite_inertia, np.eye(3))
        P, r, G, lower, upper = condense(state, self.touch, springs, self, chosen, wanted.momentum_rate)
        result = self._solver.solve(P, r, G, lower, upper, np.zeros(len(lower), dtype=np.int32))
        if not result.solved:
            return None
        self.x, self.chosen = result.x, chosen
        return result.x

    def _worth(self, x: np.ndarray, n: int) -> np.ndarray:
        """Inclusion test of §5: contacts whose force, or its moment about c, is above a threshold."""
        na = self.state.nv - 6
        force = _world(x[na + 1 :], self.touch.frame, np.arange(n))
        moment = np.cross(self.touch.x[:n] - self.state.c, force)
        least = WORTH * norm(self.state.weight)
        size, turn = norm(force, axis=1), norm(moment, axis=1)
        return np.flatnonzero((size > least) | (turn > least))

    def _report(self, lam: np.ndarray, solution: Solution) -> None:
        self.forces = _world(lam, self.touch.frame, self.chosen)
        arms = self.touch.x[self.chosen] - self.state.c
        solution.momentum_rate[:3] = self.forces.sum(axis=0) + self.state.weight
        solution.momentum_rate[3:] = np.cross(arms, self.forces).sum(axis=0)
        solution.status = "solved"


def _world(lam: np.ndarray, frame: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """Contact forces (m, 3) in world axes from normals first, then pairs of tangents."""
    m = len(chosen)
    local = np.column_stack([lam[:m], lam[m:].reshape(m, 2)]) if m else np.zeros((0, 3))
    return np.einsum("mi,mij->mj", local, frame[chosen])


@compiled
def _spring(state, springs, pose, h, out):
    """Torque of the springs towards a pose, within limits (eq. 6)."""
    v, kp, kd, low, high, error = state.v, springs.kp, springs.kd, springs.low, springs.high, springs.error
    rotations(springs.joints, pose, springs.goal)
    errors(springs.joints, state.q[7:], springs.goal, error)
    for k in range(out.shape[0]):
        i = 6 + k
        out[k] = min(max(kp[k] * (error[k] - h * v[i]) - kd[k] * v[i], low[i]), high[i])

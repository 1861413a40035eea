"""The two cheap ways to realise accelerations: least squares now and then, hybrid inverse dynamics every step.

``fast`` fits contact wrenches to the root force that the accelerations need, inside their cones. ``paper`` takes the
generalised ground force as measured ([Balance] §5). Either way the root's own acceleration then follows from that
force, and the joints get the torques that are consistent with it. Torque limits are the actuators' own.
"""

from __future__ import annotations

import numba
import numpy as np

from poise.control.contact import Supports
from poise.control.limits import LOOK_AHEAD, STEEPEST, JointLimits
from poise.control.reduce import interior, limit_bound, wrench_program
from poise.control.solve import MOMENT_ARM, WRENCH_EASE, Command, Problem, Solution
from poise.dynamics.mass import inverse_dynamics, root_acceleration
from poise.dynamics.state import State
from poise.solvers.cholesky import factor
from poise.solvers.qp import Program

LIMIT_WEIGHT = 30.0  # of a joint that is about to pass its limit


class HybridSolver:
    """Accelerations from the equality-constrained least squares of eq. 13, torques by hybrid inverse dynamics."""

    def __init__(self, state: State, supports: Supports, limits: JointLimits, measured: bool):
        nv, S = state.nv, len(state.character.supports)
        self.state, self.supports, self.limits, self.measured = state, supports, limits, measured
        self.problem = Problem(state, supports, soft_supports=False)
        self.program = Program()
        self.ground_force = np.zeros(nv)  # generalised, measured; for ``paper``
        self.root_force = np.zeros(6)
        force = WRENCH_EASE / state.m**2
        self._ease = np.array([force] * 3 + [force / MOMENT_ARM**2] * 3)
        self._S, self._e = np.zeros((6, 6)), np.zeros(6)
        self.solution = Solution(
            np.zeros(nv), np.zeros(nv), np.zeros((S, 6)), np.zeros(6), np.zeros(6), np.zeros(6)
        )
        self._v_dot = np.zeros(nv)
        self._sized: dict[int, tuple] = {}

    def refresh(self, command: Command, two_pass: bool = True) -> None:
        """Solve the least squares; its accelerations are held until the next refresh."""
        self.limits.update(self.state.q)
        weight, v_dot = command.tracking.weight.copy(), command.tracking.v_dot.copy()
        lim = self.limits
        keep_inside(weight, v_dot, self.state.v, lim.excess, lim.dof, lim.width, lim.gradient)
        tracking = type(command.tracking)(v_dot, weight)
        command = Command(tracking, command.linear, command.angular, command.supports, command.others)
        if self.problem.refresh(command, two_pass):
            self._v_dot[:] = self.problem.v_dot
        else:
            self.solution.failures += 1
        solution = self.solution
        solution.momentum_rate_free[:], solution.momentum_rate_des[:] = (
            self.problem.free,
            self.problem.desired,
        )
        np.dot(self.state.A_G, self._v_dot, out=solution.momentum_rate)
        solution.momentum_rate += self.state.G_bias

    def step(self) -> Solution:
        """Torques for the current state."""
        state, solution = self.state, self.solution
        solution.v_dot[:] = self._v_dot
        force = self.ground_force if self.measured else self._fit()
        root_acceleration(state.M, state.bias, force, solution.v_dot)
        inverse_dynamics(state.M, state.bias, solution.v_dot, solution.tau)
        solution.tau -= force
        return solution

    def _fit(self) -> np.ndarray:
        """Wrenches of the planted supports nearest to the root force wanted, in the metric of the root's inertia."""
        state, supports = self.state, self.supports
        supports.cones(state)
        chosen = supports.pressing()
        D, K, P_w, r_w, w = self._arrays(6 * len(chosen))
        w_ref = np.array([0.0, 0.0, -state.m * state.g[2] / max(len(chosen), 1), 0.0, 0.0, 0.0])
        root_force(state.M, state.bias, self._v_dot, self._S, self._e)
        factor(self._S)
        wrench_program(self._S, self._e, supports.J_local, chosen, self._ease, w_ref, D, K, P_w, r_w)
        if len(w) and not interior(P_w, r_w, supports.G, chosen, w):
            w[:] = self._inside(chosen, P_w, r_w, w)
        self.ground_force[:] = 0.0
        add_wrenches(supports.J_local, chosen, w, self.ground_force)
        solution = self.solution
        solution.wrenches[:] = 0.0
        for s, index in enumerate(chosen):
            T = supports.frames[index]
            solution.wrenches[index, :3] = T @ w[6 * s : 6 * s + 3]
            solution.wrenches[index, 3:] = T @ w[6 * s + 3 : 6 * s + 6]
        return self.ground_force

    def _inside(self, chosen, P_w, r_w, w) -> np.ndarray:
        each = self.supports.G.shape[1]
        A = np.zeros((each * len(chosen), len(r_w)))
        for s, index in enumerate(chosen):
            A[s * each : (s + 1) * each, 6 * s : 6 * s + 6] = self.supports.G[index]
        rows = len(A)
        result = self.program.solve(
            P_w, r_w, A, np.full(rows, -1e30), np.zeros(rows), np.zeros(rows, dtype=np.int32)
        )
        self.solution.iterations = result.iterations
        self.solution.status = result.status
        if not result.solved:
            self.solution.failures += 1
            return w
        return result.x

    def _arrays(self, k: int) -> tuple:
        if k not in self._sized:
            self._sized[k] = (np.zeros((6, k)), np.zeros((6, k)), np.zeros((k, k)), np.zeros(k), np.zeros(k))
        return self._sized[k]


@numba.njit(cache=True)
def root_force(M, bias, v_dot, S, e):
    """S = M_bb, and e = -(M_b v̇ + bias_b): the force on the root that must come from the ground."""
    for i in range(6):
        total = bias[i]
        for j in range(M.shape[0]):
            total += M[i, j] * v_dot[j]
        e[i] = -total
        for j in range(6):
            S[i, j] = M[i, j]


@numba.njit(cache=True)
def add_wrenches(J_local, chosen, w, force):
    for s in range(chosen.shape[0]):
        for a in range(6):
            for i in range(force.shape[0]):
                force[i] += J_local[chosen[s], a, i] * w[6 * s + a]


@numba.njit(cache=True)
def keep_inside(weight, v_dot, v, excess, dof, width, gradient):
    """One-sided rows for joints about to pass a limit, folded into the tracking targets along the limit's gradient."""
    for row in range(excess.shape[0]):
        bound = limit_bound(row, v, excess, dof, width, gradient, LOOK_AHEAD, STEEPEST)
        if bound >= STEEPEST:
            continue
        rate, size = 0.0, 0.0
        for k in range(width[row]):
            rate += gradient[row, k] * v_dot[dof[row] + k]
            size += gradient[row, k] ** 2
        if rate <= bound or size < 1e-12:
            continue
        for k in range(width[row]):
            v_dot[dof[row] + k] += gradient[row, k] * (bound - rate) / size
            weight[dof[row] + k] = max(weight[dof[row] + k], LIMIT_WEIGHT)

"""The two cheap ways to realise accelerations: least squares now and then, hybrid inverse dynamics every step.

``fast`` fits contact wrenches to the root force that the accelerations need, inside their cones. ``paper`` takes the
generalised ground force as measured ([Balance] §5). Either way the root's own acceleration then follows from that
force, and the joints get the torques that are consistent with it. Torque limits are the actuators' own.
"""

from __future__ import annotations

import numpy as np

from poise.compiled import compiled
from poise.control.contact import Supports, fill_cones
from poise.control.reduce import interior, limit_bound, wrench_program
from poise.control.solve import Command, Problem, Solution, momentum_rate, world_wrenches
from poise.control.tracking import Tracking
from poise.dynamics.limits import LOOK_AHEAD, STEEPEST, JointLimits, limit_rows
from poise.dynamics.mass import inverse_dynamics
from poise.dynamics.state import State
from poise.solvers.cholesky import backward, factor, forward
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
        force = supports.ease / state.m**2
        self._ease = np.array([force] * 3 + [force / supports.arm**2] * 3)
        self._S, self._e, self._chosen = np.zeros((6, 6)), np.zeros(6), np.zeros(S, dtype=np.int64)
        self._D, self._K, self._P_w = np.zeros((6, 6 * S)), np.zeros((6, 6 * S)), np.zeros((6 * S, 6 * S))
        self._r_w, self._w, self._v_dot = np.zeros(6 * S), np.zeros(6 * S), np.zeros(nv)
        self.solution = solution = Solution(
            np.zeros(nv), np.zeros(nv), np.zeros((S, 6)), np.zeros(6), np.zeros(6), np.zeros(6)
        )
        self._tracking = Tracking(np.zeros(nv), np.zeros(nv))
        self._arrays = (
            supports.active, state.x, state.R, state.J, state.corners, state.corner_count, supports.margins,
            supports.mu, supports.frames, supports.J_local, supports.polygon, supports.used, supports.G, self._chosen,
            state.M, state.bias,
            self._v_dot, self._ease, state.weight, self._S, self._e, self._D, self._K, self._P_w, self._r_w, self._w,
            self.ground_force, solution.v_dot, solution.tau, solution.wrenches, state.ground.point, state.ground.normal,
            measured,
        )  # fmt: skip
        self._realise = (
            state.M, state.bias, self._v_dot, supports.J_local, supports.frames, self._w, self.ground_force,
            solution.v_dot, solution.tau, solution.wrenches,
        )  # fmt: skip

    def refresh(self, command: Command, two_pass: bool = True) -> None:
        """Solve the least squares; its accelerations are held until the next refresh."""
        lim, tracking = self.limits, command.tracking
        keep_inside(lim.hinges, lim.balls, self.state.q, tracking.weight, tracking.v_dot, self.state.v, lim.excess,
                    lim.dof, lim.width, lim.gradient, self._tracking.weight, self._tracking.v_dot)  # fmt: skip
        command = Command(self._tracking, command.linear, command.angular, command.supports, command.others)
        if self.problem.refresh(command, two_pass):
            self._v_dot[:] = self.problem.v_dot
        else:
            self.solution.failures += 1
        solution = self.solution
        solution.momentum_rate_free[:] = self.problem.free
        solution.momentum_rate_des[:] = self.problem.desired
        momentum_rate(self.state.A_G, self.state.G_bias, self._v_dot, solution.momentum_rate)

    def step(self) -> Solution:
        """Torques for the current state."""
        count, inside = hybrid_step(*self._arrays)
        if not inside:
            self._limit(count)
            realise(*self._realise, self._chosen[:count], False)
        return self.solution

    def _limit(self, count: int) -> None:
        """Fitted wrenches again, with their cones."""
        k, each, solution = 6 * count, self.supports.G.shape[1], self.solution
        A = np.zeros((each * count, k))
        for s, index in enumerate(self._chosen[:count]):
            A[s * each : (s + 1) * each, 6 * s : 6 * s + 6] = self.supports.G[index]
        rows = len(A)
        P_w, r_w = self._P_w[:k, :k].copy(), self._r_w[:k].copy()
        limits = np.full(rows, -1e30), np.zeros(rows), np.zeros(rows, dtype=np.int32)
        result = self.program.solve(P_w, r_w, A, *limits)
        solution.iterations, solution.status = result.iterations, result.status
        if result.solved:
            self._w[:k] = result.x
        else:
            solution.failures += 1


@compiled(error_model="numpy")
def hybrid_step(
    active, x, R, J, corners, corner_count, margins, mu, frames, J_local, polygon, used, G, chosen, M, bias, wanted,
    ease, weight, S, e, D, K, P_w, r_w, w, force, v_dot, tau, wrenches, point, normal, measured,
):  # fmt: skip
    """One step as far as it goes without a program; false where the fitted wrenches leave their cones."""
    n, inside = 0, True
    if not measured:
        n, inside = fit(active, x, R, J, corners, corner_count, margins, mu, frames, J_local, polygon, used, G, chosen,
                        M, bias, wanted, ease, weight, S, e, D, K, P_w, r_w, w, point, normal)  # fmt: skip
    if inside:
        realise(M, bias, wanted, J_local, frames, w, force, v_dot, tau, wrenches, chosen[:n], measured)
    return n, inside


@compiled(error_model="numpy")
def fit(
    active, x, R, J, corners, corner_count, margins, mu, frames, J_local, polygon, used, G, chosen, M, bias, v_dot,
    ease, weight, S, e, D, K, P_w, r_w, w, point, normal,
):  # fmt: skip
    """Wrenches of the touching supports nearest to the root force wanted, in the metric of the root's inertia.

    Returns how many supports push, and whether the wrenches lie in their cones as they are.
    """
    fill_cones(active, x, R, J, corners, corner_count, margins, point, normal, mu, frames, J_local, polygon, used,
               G)  # fmt: skip
    n = 0
    for s in range(active.shape[0]):
        if active[s] and used[s] > 0:
            chosen[n] = s
            n += 1
    if n == 0:
        return 0, True
    k, push = 6 * n, chosen[:n]
    w_ref = np.zeros(6)
    w_ref[2] = -weight[2] / n
    root_force(M, bias, v_dot, S, e)
    factor(S)
    wrench_program(S, e, J_local, push, ease, w_ref, D[:, :k], K[:, :k], P_w[:k, :k], r_w[:k])
    return n, interior(P_w[:k, :k], r_w[:k], G, push, w[:k])


@compiled(error_model="numpy", fastmath={"reassoc", "contract", "nsz"})
def realise(M, bias, wanted, J_local, frames, w, force, v_dot, tau, wrenches, chosen, measured):
    """Hybrid inverse dynamics: joints as wanted, the root as the ground force has it, torques to match."""
    if not measured:
        force[:] = 0.0
        add_wrenches(J_local, chosen, w, force)
        world_wrenches(frames, chosen, w, wrenches)
    v_dot[:] = wanted
    root_acceleration(M, bias, force, v_dot)
    inverse_dynamics(M, bias, v_dot, tau)
    for i in range(tau.shape[0]):
        tau[i] -= force[i]


@compiled(error_model="numpy", fastmath={"reassoc", "contract", "nsz"})
def root_acceleration(M, bias, force, v_dot):
    """Hybrid dynamics: root acceleration that follows from joint accelerations and a known generalised force.

    Solves the six root rows of M v̇ + bias = force for v̇[:6], with the joints' v̇[6:] given ([Balance] §5).
    """
    F, right = M[:6, :6].copy(), force[:6] - bias[:6]
    for i in range(6):
        for j in range(6, v_dot.shape[0]):
            right[i] -= M[i, j] * v_dot[j]
    factor(F)
    forward(F, right)
    backward(F, right)
    v_dot[:6] = right


@compiled(fastmath={"reassoc", "contract", "nsz"})
def root_force(M, bias, v_dot, S, e):
    """S = M_bb, and e = -(M_b v̇ + bias_b): the force on the root that must come from the ground."""
    for i in range(6):
        total = bias[i]
        for j in range(M.shape[0]):
            total += M[i, j] * v_dot[j]
        e[i] = -total
        for j in range(6):
            S[i, j] = M[i, j]


@compiled(fastmath={"reassoc", "contract", "nsz"})
def add_wrenches(J_local, chosen, w, force):
    for s in range(chosen.shape[0]):
        for a in range(6):
            for i in range(force.shape[0]):
                force[i] += J_local[chosen[s], a, i] * w[6 * s + a]


@compiled
def keep_inside(hinges, balls, q, w_track, v_dot_track, v, excess, dof, width, gradient, weight, v_dot):
    """Tracking targets with one-sided rows for joints about to pass a limit folded in, along the limit's gradient."""
    limit_rows(hinges, balls, q, excess, dof, width, gradient)
    weight[:], v_dot[:] = w_track, v_dot_track
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

"""The two cheap ways to realise accelerations: least squares now and then, hybrid inverse dynamics every step.

``fast`` fits contact wrenches to the root force that the accelerations need, inside their cones. ``paper`` takes the
generalised ground force as measured ([Balance] §5). Either way the root's own acceleration then follows from that
force, and the joints get the torques that are consistent with it. Torque limits are the actuators' own.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from poise.compiled import compiled
from poise.control.bounds import along, limit_bound
from poise.control.command import Command, Solution
from poise.control.cones import fill_cones
from poise.control.contact import Supports
from poise.control.problem import Problem, momentum_rate
from poise.control.solve import world_wrenches
from poise.control.tracking import Tracking
from poise.control.wrench_program import Reduction, add, choose, interior, wrench_program
from poise.dynamics.limits import STEEPEST, JointLimits, limit_rows
from poise.dynamics.mass import inverse_dynamics
from poise.dynamics.state import State
from poise.records import Record, Vector
from poise.solvers.cholesky import backward, factor, forward
from poise.solvers.dot import dot
from poise.solvers.qp import Program

LIMIT_WEIGHT = 30.0  # of a joint that is about to pass its limit


class Work(Record):
    """What a step reads and writes besides the state."""

    reduction: Reduction
    solution: Solution
    wanted: Vector  # (nv,) accelerations of the last refresh
    ground_force: Vector  # (nv,) generalised: measured in ``paper``, fitted in ``fast``

    def __init__(self, state: State, supports: Supports):
        self.reduction = Reduction(state, supports)
        self.solution = Solution.empty(state.nv, len(supports.active))
        self.wanted, self.ground_force = np.zeros(state.nv), np.zeros(state.nv)
        self.seal()


class HybridSolver:
    """Accelerations from the equality-constrained least squares of eq. 13, torques by hybrid inverse dynamics."""

    def __init__(self, state: State, supports: Supports, limits: JointLimits, measured: bool):
        self.state, self.supports, self.limits, self.measured = state, supports, limits, measured
        self.problem = Problem(state, supports, soft_supports=False)
        self.program = Program()
        self.work = Work(state, supports)
        self.ground_force, self.solution = self.work.ground_force, self.work.solution
        self._tracking = Tracking(np.zeros(state.nv), np.zeros(state.nv))

    def refresh(self, command: Command, two_pass: bool = True) -> None:
        """Solve the least squares; its accelerations are held until the next refresh."""
        tracking, inside = command.tracking, self._tracking
        inside.weight[:], inside.v_dot[:] = tracking.weight, tracking.v_dot
        keep_inside(self.state, self.limits, inside.weight, inside.v_dot)
        if self.problem.refresh(replace(command, tracking=inside, led=None), two_pass):
            self.work.wanted[:] = self.problem.v_dot
        else:
            self.solution.failures += 1
        solution = self.solution
        solution.momentum_rate_free[:] = self.problem.free
        solution.momentum_rate_des[:] = self.problem.desired
        momentum_rate(self.state, self.work.wanted, solution.momentum_rate)

    def step(self) -> Solution:
        """Torques for the current state."""
        count, inside = hybrid_step(self.state, self.supports, self.work, self.measured)
        if not inside:
            self._limit(count)
            realise(self.state, self.supports, self.work, count, False)
        return self.solution

    def _limit(self, count: int) -> None:
        """Fitted wrenches again, with their cones."""
        k, each, solution, part = 6 * count, self.supports.G.shape[1], self.solution, self.work.reduction
        A = np.zeros((each * count, k))
        for s, index in enumerate(part.chosen[:count]):
            A[s * each : (s + 1) * each, 6 * s : 6 * s + 6] = self.supports.G[index]
        rows = len(A)
        P = np.tril(part.P[: k * k].reshape(k, k))
        P += np.tril(P, -1).T
        limits = np.full(rows, -1e30), np.zeros(rows), np.zeros(rows, dtype=np.int32)
        result = self.program.solve(P, part.r[:k].copy(), A, *limits)
        solution.iterations, solution.status = result.iterations, result.status
        if result.solved:
            part.w[:k] = result.x
        else:
            solution.failures += 1


@compiled
def hybrid_step(state, supports, work, measured):
    """One step as far as it goes without a program. Returns how many supports push; false where the fitted wrenches
    leave their cones."""
    n, inside = 0, True
    if not measured:
        n, inside = fit(state, supports, work)
    if inside:
        realise(state, supports, work, n, measured)
    return n, inside


@compiled
def fit(state, supports, work):
    """Wrenches of the touching supports nearest to the root force wanted, in the metric of the root's inertia.

    Returns how many supports push, and whether the wrenches lie in their cones as they are.
    """
    part = work.reduction
    fill_cones(state, supports)
    n = choose(supports, part.chosen)
    if n == 0:
        return 0, True
    root_force(state, work.wanted, part)
    factor(part.S)
    wrench_program(state, supports, part, n)
    return n, interior(supports, part, n)


@compiled
def realise(state, supports, work, n, measured):
    """Hybrid inverse dynamics: joints as wanted, the root as the ground force has it, torques to match."""
    part, solution, force = work.reduction, work.solution, work.ground_force
    if not measured:
        force[:] = 0.0
        for s in range(n):
            for a in range(6):
                add(supports.J_local[part.chosen[s], a], part.w[6 * s + a], force)
        world_wrenches(supports, part, n, solution.wrenches)
    solution.v_dot[:] = work.wanted
    root_acceleration(state.M, state.bias, force, solution.v_dot)
    inverse_dynamics(state.M, state.bias, solution.v_dot, solution.tau)
    add(force, -1.0, solution.tau)


@compiled
def root_acceleration(M, bias, force, v_dot):
    """Hybrid dynamics: root acceleration that follows from joint accelerations and a known generalised force.

    Solves the six root rows of M v̇ + bias = force for v̇[:6], with the joints' v̇[6:] given ([Balance] §5).
    """
    F, right = M[:6, :6].copy(), force[:6] - bias[:6]
    for i in range(6):
        right[i] -= dot(M[i, 6:], v_dot[6:], v_dot.shape[0] - 6)
    factor(F)
    forward(F, right)
    backward(F, right)
    v_dot[:6] = right


@compiled
def root_force(state, v_dot, part):
    """S = M_bb, and e = -(M_b v̇ + bias_b): the force on the root that must come from the ground."""
    for i in range(6):
        part.e[i] = -state.bias[i] - dot(state.M[i], v_dot, v_dot.shape[0])
        for j in range(6):
            part.S[i, j] = state.M[i, j]


@compiled
def keep_inside(state, limits, weight, v_dot):
    """One-sided rows for joints about to pass a limit, folded into tracking targets along the limit's gradient."""
    limit_rows(limits.hinges, limits.balls, state.q, limits.excess, limits.dof, limits.width, limits.gradient)
    for row in range(limits.excess.shape[0]):
        bound = limit_bound(limits, row, state.v)
        if bound >= STEEPEST:
            continue
        rate, size = along(limits, row, v_dot), 0.0
        for k in range(limits.width[row]):
            size += limits.gradient[row, k] ** 2
        if rate <= bound or size < 1e-12:
            continue
        for k in range(limits.width[row]):
            i = limits.dof[row] + k
            v_dot[i] += limits.gradient[row, k] * (bound - rate) / size
            weight[i] = max(weight[i], LIMIT_WEIGHT)

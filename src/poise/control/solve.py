"""Objectives and supports → accelerations, contact wrenches and torques: the one whole-body solve of a tick."""

from __future__ import annotations

import numpy as np

from poise.compiled import compiled, compiled_for_record
from poise.control.command import Command, Solution
from poise.control.cones import fill_cones
from poise.control.contact import Supports
from poise.control.limited_program import broken, limited
from poise.control.problem import Problem, momentum_rate
from poise.control.wrench_program import Reduction, accelerate, choose, interior, reduce
from poise.dynamics.limits import JointLimits, limit_rows
from poise.dynamics.state import State, all_finite
from poise.records import Indices, Record, SignMatrix, Signs, Vector
from poise.solvers.active_set import FAILED

SOLVED, SINGULAR, NOT_CONVEX, CONTRADICTORY, NOT_FINITE = range(5)  # how a step ended
FAILURES = {
    SINGULAR: "the root's equation of motion is singular",
    NOT_CONVEX: "the program is not convex; a weight is negative or not finite",
    CONTRADICTORY: "infeasible: no torques satisfy all limits; widen friction or torque limits",
    NOT_FINITE: "the torques are not finite",
}

__all__ = ["Command", "RobustSolver", "Solution"]


class Work(Record):
    """What a step reads and writes: the body, the problem, its reduction, the limits that act, the answer."""

    state: State
    supports: Supports
    limits: JointLimits
    problem: Problem
    reduction: Reduction
    solution: Solution
    low: Vector  # (nv,) torque limits [N m]
    high: Vector
    cone_sides: SignMatrix  # (S, rows): which rows of the cones acted in the last step
    limit_sides: Signs  # (nv + joint rows,): which torque and joint limits did
    rows: Indices  # limits found broken
    v_dot: Vector  # a try, kept only when it is good
    tau: Vector

    def __init__(self, problem: Problem, limits: JointLimits, torque: tuple[np.ndarray, np.ndarray]):
        self.problem, self.state, self.supports, self.limits = (
            problem,
            problem.state,
            problem.supports,
            limits,
        )
        nv, count, joint_rows, (self.low, self.high) = (
            self.state.nv,
            len(self.supports.active),
            limits.size,
            torque,
        )
        self.reduction = Reduction(self.state, self.supports)
        self.solution = Solution.empty(nv, count)
        self.cone_sides = np.zeros((count, self.supports.rows_each), dtype=np.int8)
        self.limit_sides = np.zeros(nv + joint_rows, dtype=np.int8)
        self.rows = np.zeros(nv + joint_rows, dtype=np.int64)
        self.v_dot, self.tau = np.zeros(nv), np.zeros(nv)
        self.seal()


class RobustSolver:
    """Exact solve with cones, torque limits and joint limits inside, on the state of this very step."""

    def __init__(
        self, state: State, supports: Supports, limits: JointLimits, torque: tuple[np.ndarray, np.ndarray]
    ):
        self.state, self.supports, self.limits = state, supports, limits
        self.problem = Problem(state, supports, soft_supports=True)
        self.low, self.high = torque
        self.work = Work(self.problem, limits, torque)
        self.solution = self.work.solution
        self._ready = False

    def refresh(self, command: Command, two_pass: bool = True) -> None:
        """New objectives; what follows re-solves them against the moving state until the next refresh."""
        self._ready = self.problem.refresh(command, two_pass) and all_finite(self.problem.v_dot)
        self.solution.momentum_rate_free[:] = self.problem.free
        self.solution.momentum_rate_des[:] = self.problem.desired

    def step(self) -> Solution:
        """Torques for the current state."""
        solution = self.solution
        if not self._ready:
            return self._fail("the objectives leave a direction of motion undetermined, or one is not finite")
        outcome, acting, solution.iterations = attempt(self.work)
        if outcome != SOLVED:
            return self._fail(FAILURES[outcome])
        solution.status, solution.limits = "solved", acting
        return solution

    @property
    def acting(self) -> np.ndarray:
        """Degrees of freedom whose torque or joint limits act in this step."""
        found, nv = np.flatnonzero(self.work.limit_sides), self.state.nv
        return np.where(found < nv, found, self.limits.dof[np.maximum(found - nv, 0)])

    def _fail(self, status: str) -> Solution:
        self.solution.failures += 1
        self.solution.status = status
        self.work.limit_sides[:] = 0
        return self.solution


@compiled_for_record
def attempt(work):
    """One step: cones, limits, reduction, the unlimited minimiser, and a program where that breaks a limit.

    Returns SOLVED where the solution was written, else why not; the limits of torques and joints that act; and the
    rounds of the program.
    """
    state, supports, limits = work.state, work.supports, work.limits
    part, solution = work.reduction, work.solution
    fill_cones(state, supports)
    limit_rows(limits.hinges, limits.balls, state.q, limits.excess, limits.dof, limits.width, limits.gradient)
    n = choose(supports, part.chosen)
    for s in range(supports.active.shape[0]):
        if not (supports.active[s] and supports.used[s] > 0):
            work.cone_sides[s] = 0
    if not reduce(state, supports, work.problem, part, n):
        return SINGULAR, 0, 0
    acting, rounds = 0, 0
    if not unlimited(state, supports, limits, work, n):
        rounds = limited(state, supports, limits, work, n)
        if rounds < 0:
            return NOT_CONVEX if rounds == FAILED else CONTRADICTORY, 0, 0
        for side in work.limit_sides:
            acting += side != 0
    if not all_finite(work.tau):
        return NOT_FINITE, 0, 0
    for i in range(work.tau.shape[0]):
        solution.v_dot[i], solution.tau[i] = work.v_dot[i], work.tau[i]
    momentum_rate(state, solution.v_dot, solution.momentum_rate)
    world_wrenches(supports, part, n, solution.wrenches)
    return SOLVED, acting, rounds


@compiled
def unlimited(state, supports, limits, work, n):
    """The minimiser without limits, and whether it breaks none; limits that acted last time stay in the program."""
    if work.limit_sides.any() or (n > 0 and not interior(supports, work.reduction, n)):
        return False
    none, nothing = np.zeros((0, state.v.shape[0])), np.zeros(0)
    accelerate(state, supports, work.problem, work.reduction, n, none, nothing, work.v_dot, work.tau)
    return broken(state, limits, work) == 0


@compiled
def world_wrenches(supports, part, n, out):
    """Wrenches (S, 6) in world axes from those of n supports in their own; zero for the others."""
    out[:, :] = 0.0
    for s in range(n):
        T, at = supports.frames[part.chosen[s]], part.chosen[s]
        for i in range(3):
            for j in range(3):
                out[at, i] += T[i, j] * part.w[6 * s + j]
                out[at, 3 + i] += T[i, j] * part.w[6 * s + 3 + j]

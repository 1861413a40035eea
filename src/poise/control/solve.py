"""Objectives and supports → accelerations, contact wrenches and torques: the one whole-body solve of a tick."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numba
import numpy as np

from poise.control.contact import Supports
from poise.control.limits import LOOK_AHEAD, STEEPEST, JointLimits
from poise.control.momentum import AngularMomentum, LinearMomentum
from poise.control.objective import Objective
from poise.control.pressure import PressureLaw
from poise.control.reduce import accelerate, broken, extend, interior, reduce
from poise.control.tracking import Tracking
from poise.dynamics.state import State
from poise.solvers.cholesky import add_rows, backward, factor, forward, update
from poise.solvers.least_squares import constrained
from poise.solvers.qp import Program

ROOT_EASE = 1e-6  # weight that keeps the root's translation determined when nothing else asks for it
SUPPORT_WEIGHT = 3000.0  # of a planted support's acceleration, per (rad/s²)² or (m/s² / h)²
WRENCH_EASE = 0.01  # regularisation of a contact force, per (N / kg)²
MOMENT_ARM = 0.1  # [m]: a moment counts as a force with this arm in the regularisation
ROUNDS = 8  # of adding broken limits before the solve is called failed


@dataclass
class Command:
    """What a behaviour wants now: the pose, the momenta, other objectives, and which supports may push."""

    tracking: Tracking
    linear: LinearMomentum | None
    angular: PressureLaw | AngularMomentum | None
    supports: np.ndarray  # (S,) true where planted
    others: Sequence[Objective] = ()


@dataclass
class Solution:
    """Result of a solve; arrays belong to the solver and are overwritten by the next."""

    v_dot: np.ndarray  # (nv,)
    tau: np.ndarray  # (nv,) joint torques; the root's six are zero up to rounding
    wrenches: np.ndarray  # (S, 6) contact wrench at each support's centre, world axes
    momentum_rate: np.ndarray  # (6,) L̇, Ḣ solved
    momentum_rate_free: np.ndarray  # (6,) what the first pass, without the angular objective, would do
    momentum_rate_des: np.ndarray  # (6,) what the laws asked for
    status: str = "solved"
    iterations: int = 0
    limits: int = 0  # torque and joint limits that act
    failures: int = 0  # solves so far whose last good answer was held instead
    notes: list[str] = field(default_factory=list)


class Problem:
    """Normal equations of the objectives of one tick: P and r, factored, with the two passes of the angular law."""

    def __init__(self, state: State, supports: Supports, soft_supports: bool):
        nv = state.nv
        self.state, self.supports, self.soft = state, supports, soft_supports
        self.L, self.r, self.z = np.zeros((nv, nv)), np.zeros(nv), np.zeros(nv)
        self.v_dot = np.zeros(nv)
        self.C, self.d = np.zeros((0, nv)), np.zeros(0)
        self.height = float(state.character.com_rest[2])
        self.free, self.desired = np.zeros(6), np.zeros(6)

    def refresh(self, command: Command, two_pass: bool = True) -> bool:
        """Build and factor from a command. False where the objectives leave a direction undetermined."""
        state, supports = self.state, self.supports
        supports.plant(state, command.supports)
        supports.accelerate(state)
        planted = supports.planted()
        _start(self.L, self.r, command.tracking.weight, command.tracking.v_dot)
        if command.linear is not None:
            add_rows(self.L, self.r, *command.linear.rows(state))
            self.desired[:3] = command.linear.rate
        for objective in command.others:
            add_rows(self.L, self.r, *objective.rows(state))
        if self.soft:
            _add_supports(self.L, self.r, state.J, state.J_bias, supports.rate, planted,
                          SUPPORT_WEIGHT, self.height)  # fmt: skip
        else:
            self.C = state.J[planted].reshape(-1, state.nv)
            self.d = (supports.rate - state.J_bias)[planted].ravel()
        if not factor(self.L):
            return False
        self._solve()
        self._rate(self.free)
        if command.angular is not None:
            self._angular(command.angular, two_pass)
        return True

    def _angular(self, law: PressureLaw | AngularMomentum, two_pass: bool) -> None:
        """Second pass: the angular objective, from the centre of pressure that the first one would like."""
        state = self.state
        if isinstance(law, PressureLaw):
            wrench = state.f
            if two_pass:
                wrench = self.free.copy()
                wrench[:3] -= state.weight
            law = law.objective(state, wrench, self.desired[:3])
        self.desired[3:] = law.rate
        _add_angular(self.L, self.r, *law.rows(state))
        self._solve()

    def _solve(self) -> None:
        if self.soft:
            _unconstrained(self.L, self.r, self.z, self.v_dot)
        else:
            constrained(self.L, self.r, self.C, self.d, self.v_dot)

    def _rate(self, out: np.ndarray) -> None:
        np.dot(self.state.A_G, self.v_dot, out=out)
        out += self.state.G_bias


class RobustSolver:
    """Exact solve with cones, torque limits and joint limits inside, on the state of this very step."""

    def __init__(
        self, state: State, supports: Supports, limits: JointLimits, torque: tuple[np.ndarray, np.ndarray]
    ):
        nv, S = state.nv, len(state.character.supports)
        self.state, self.supports, self.limits = state, supports, limits
        self.problem = Problem(state, supports, soft_supports=True)
        self.low, self.high = torque
        self.program = Program()
        self._Y, self._S, self._e = np.zeros((6, nv)), np.zeros((6, 6)), np.zeros(6)
        self._w_ref = np.zeros(6)
        self._sized: dict[int, tuple] = {}
        self._none = (np.zeros((0, nv)), np.zeros(0), np.zeros(0, dtype=bool))
        self._ready = False
        self._broken = np.zeros(nv + limits.size, dtype=np.int64)
        self._included = np.zeros(0, dtype=np.int64)
        self.chosen = np.zeros(0, dtype=np.int64)  # supports that push in this step
        self._v_dot, self._tau = np.zeros(nv), np.zeros(nv)
        force = WRENCH_EASE / state.m**2
        self._ease = np.array([force] * 3 + [force / MOMENT_ARM**2] * 3)
        self.solution = Solution(
            np.zeros(nv), np.zeros(nv), np.zeros((S, 6)), np.zeros(6), np.zeros(6), np.zeros(6)
        )

    def refresh(self, command: Command, two_pass: bool = True) -> None:
        """New objectives; what follows re-solves them against the moving state until the next refresh."""
        self._ready = self.problem.refresh(command, two_pass) and bool(np.isfinite(self.problem.v_dot).all())
        self.solution.momentum_rate_free[:] = self.problem.free
        self.solution.momentum_rate_des[:] = self.problem.desired

    def step(self) -> Solution:
        """Torques for the current state."""
        state, problem, supports = self.state, self.problem, self.supports
        if not self._ready:
            return self._fail("the objectives leave a direction of motion undetermined, or one is not finite")
        supports.cones(state)
        chosen = self.chosen = supports.pressing()
        self.limits.update(state.q)
        D, K, P_w, r_w, w = self._arrays(6 * len(chosen))
        self._w_ref[2] = -state.weight[2] / max(len(chosen), 1)
        args = (problem.L, problem.z, state.M, state.bias, supports.J_local, chosen)
        if not reduce(*args, self._ease, self._w_ref, self._Y, self._S, self._e, D, K, P_w, r_w):
            return self._fail("the root's equation of motion is singular")
        rows = self._included
        solution = self.solution
        solution.iterations = 0
        for _ in range(ROUNDS):
            answer = self._program(rows, D, K, P_w, r_w, w)
            if answer is None:
                return self.solution
            w, Y_hat, delta, acting = answer
            accelerate(problem.L, problem.z, self._Y, self._S, self._e, D, w, Y_hat, delta, state.M, state.bias,
                       supports.J_local, chosen, self._v_dot, self._tau)  # fmt: skip
            lim = self.limits
            n = broken(self._tau, self.low, self.high, self._v_dot, state.v, lim.excess, lim.dof, lim.width,
                       lim.gradient, LOOK_AHEAD, STEEPEST, self._broken)  # fmt: skip
            if n == 0:
                break
            fresh = np.setdiff1d(self._broken[:n], rows)
            if len(fresh) == 0:
                break
            rows = np.concatenate([rows, fresh])
        if not np.isfinite(self._tau).all():
            return self._fail("the torques are not finite")
        self._included = rows[: len(acting)][acting]
        return self._accept(w)

    def _program(self, rows, D, K, P_w, r_w, w):
        """Solve with the given limits included: (wrenches, Ŷ, δ, which act), or None where the last answer is held."""
        problem, state, lim, chosen = self.problem, self.state, self.limits, self.chosen
        if len(rows) == 0 and (len(w) == 0 or interior(P_w, r_w, self.supports.G, chosen, w)):
            return w, *self._none
        P, r, A, lower, upper, sense, Y_hat = extend(
            rows, problem.L, problem.z, self._Y, self._S, self._e, K, state.M, state.bias, self.supports.J_local,
            chosen, self.low, self.high, state.v, lim.excess, lim.dof, lim.width, lim.gradient, LOOK_AHEAD, STEEPEST,
            P_w, r_w, self.supports.G,
        )  # fmt: skip
        result = self.program.solve(P, r, A, lower, upper, sense)
        self.solution.iterations += result.iterations
        if not result.solved:
            self._fail(result.status)
            return None
        k = len(r_w)
        acting = np.abs(result.multipliers[len(A) - len(rows) :]) > 0.0
        return result.x[:k], Y_hat, result.x[k:], acting

    def _arrays(self, k: int) -> tuple:
        if k not in self._sized:
            self._sized[k] = (np.zeros((6, k)), np.zeros((6, k)), np.zeros((k, k)), np.zeros(k), np.zeros(k))
        return self._sized[k]

    def _accept(self, w: np.ndarray) -> Solution:
        solution, state = self.solution, self.state
        solution.v_dot[:], solution.tau[:] = self._v_dot, self._tau
        _outcome(state.A_G, state.G_bias, self._v_dot, self.supports.frames, self.chosen, w,
                 solution.momentum_rate, solution.wrenches)  # fmt: skip
        solution.status, solution.limits = "solved", len(self._included)
        return solution

    def _fail(self, status: str) -> Solution:
        self.solution.failures += 1
        self.solution.status = status
        self._included = self._included[:0]
        return self.solution


@numba.njit(cache=True, error_model="numpy")
def _start(P, r, weight, v_dot):
    P[:, :] = 0.0
    for i in range(P.shape[0]):
        w = weight[i] + (ROOT_EASE if i < 3 else 0.0)
        P[i, i] = w
        r[i] = -weight[i] * v_dot[i]


@numba.njit(cache=True, error_model="numpy")
def _add_supports(P, r, J, J_bias, rate, chosen, weight, height):
    b, w = np.empty(6), np.empty(6)
    for s in chosen:
        for k in range(6):
            b[k] = rate[s, k] - J_bias[s, k]
            w[k] = weight / height**2 if k < 3 else weight
        add_rows(P, r, J[s], b, w)


@numba.njit(cache=True, error_model="numpy")
def _add_angular(L, r, A, b, w):
    """Rows added to a system that is already factored."""
    for k in range(A.shape[0]):
        if w[k] > 0.0:
            r -= w[k] * b[k] * A[k]
            update(L, np.sqrt(w[k]) * A[k])


@numba.njit(cache=True, error_model="numpy")
def _outcome(A_G, G_bias, v_dot, frames, chosen, w, momentum_rate, wrenches):
    """Momentum rates of a solution, and its wrenches in world axes."""
    for k in range(6):
        momentum_rate[k] = G_bias[k]
        for i in range(v_dot.shape[0]):
            momentum_rate[k] += A_G[k, i] * v_dot[i]
    wrenches[:, :] = 0.0
    for s in range(chosen.shape[0]):
        for i in range(3):
            for j in range(3):
                wrenches[chosen[s], i] += frames[chosen[s], i, j] * w[6 * s + j]
                wrenches[chosen[s], 3 + i] += frames[chosen[s], i, j] * w[6 * s + 3 + j]


@numba.njit(cache=True, error_model="numpy")
def _unconstrained(L, r, z, v_dot):
    for i in range(r.shape[0]):
        z[i] = -r[i]
    forward(L, z)
    v_dot[:] = z
    backward(L, v_dot)

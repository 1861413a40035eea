"""Objectives and supports → accelerations, contact wrenches and torques: the one whole-body solve of a tick."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numba
import numpy as np

from poise.control.contact import Supports, fill_cones
from poise.control.limits import LOOK_AHEAD, STEEPEST, JointLimits, limit_rows
from poise.control.momentum import AngularMomentum, LinearMomentum
from poise.control.objective import Objective, Rows
from poise.control.pressure import PressureLaw
from poise.control.reduce import accelerate, broken, extend, interior, reduce
from poise.control.tracking import Tracking
from poise.dynamics.state import State, all_finite
from poise.solvers.cholesky import add_rows, backward, factor, forward, update
from poise.solvers.least_squares import add_constrained, constrained
from poise.solvers.qp import Program

ROOT_EASE = 1e-6  # weight that keeps the root's translation determined when nothing else asks for it
SUPPORT_WEIGHT = 3000.0  # of a planted support's acceleration, per (rad/s²)² or (m/s² / h)²
WRENCH_EASE = 1.0  # regularisation of a contact force, per (N / kg)²
MOMENT_ARM = 0.1  # [m]: a moment counts as a force with this arm in the regularisation
SOLVED, LIMITED, SINGULAR = 0, 1, 2  # how far a step got without a program
ROUNDS = 8  # of adding broken limits before the solve is called failed


@dataclass
class Command:
    """What a behaviour wants now: the pose, the momenta, other objectives, and which supports may push."""

    tracking: Tracking
    linear: LinearMomentum | None
    angular: PressureLaw | AngularMomentum | None
    supports: np.ndarray  # (S,) true where planted
    others: Sequence[Objective] = ()
    led: np.ndarray | None = None  # (S,) planted supports whose motion ``others`` ask for, not held still


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


class Problem:
    """Normal equations of the objectives of one tick: P and r, factored, with the two passes of the angular law."""

    def __init__(self, state: State, supports: Supports, soft_supports: bool):
        nv = state.nv
        self.state, self.supports, self.soft = state, supports, soft_supports
        self.L, self.r, self.z = np.zeros((nv, nv)), np.zeros(nv), np.zeros(nv)
        self.v_dot = np.zeros(nv)
        most = 0 if soft_supports else 6 * len(supports.active)
        self._C, self._d, self._rows = np.zeros((most, nv)), np.zeros(most), 0  # constraints of hard supports
        self._Y, self._S = np.zeros((most, nv)), np.zeros((most, most))
        self.height = float(state.character.com_rest[2])
        self.free, self.desired, self._none = np.zeros(6), np.zeros(6), np.zeros(3)
        self._gravity, self._ideal = np.concatenate([state.weight, np.zeros(3)]), np.zeros(6)
        self._nothing = Rows(np.zeros((0, nv)), np.zeros(0), np.zeros(0))

    def refresh(self, command: Command, two_pass: bool = True) -> bool:
        """Build and factor from a command. False where the objectives leave a direction undetermined."""
        state, supports, linear = self.state, self.supports, command.linear
        supports.plant(state, command.supports)
        supports.accelerate(state)
        held = supports.active if command.led is None else supports.active & ~command.led
        self.desired[:3] = 0.0 if linear is None else linear.rate
        self._rows = _first_pass(
            self.L, self.r, command.tracking.weight, command.tracking.v_dot, state.A_L, state.L_bias, self.desired[:3],
            self._none if linear is None else linear.weights(state), state.J, state.J_bias, supports.rate,
            held, supports.loose, SUPPORT_WEIGHT, self.height, *self._extra(command.others), self._C,
            self._d, self._Y, self._S, self.z, self.v_dot, state.A_G, state.G_bias, self.free,
        )  # fmt: skip
        if self._rows < 0:
            return False
        if command.angular is not None:
            self._angular(command.angular, two_pass)
        return True

    def _extra(self, others: Sequence[Objective]) -> Rows:
        """Rows of the further objectives, stacked."""
        if not others:
            return self._nothing
        rows = [o.rows(self.state) for o in others]
        return Rows(*(np.concatenate(parts) for parts in zip(*rows, strict=True)))

    def _angular(self, law: PressureLaw | AngularMomentum, two_pass: bool) -> None:
        """Second pass: the angular objective, from the centre of pressure that the first one would like."""
        state = self.state
        if isinstance(law, PressureLaw):
            np.subtract(self.free, self._gravity, out=self._ideal)
            law = law.objective(state, self._ideal if two_pass else state.f, self.desired[:3])
        self.desired[3:] = law.rate
        _second_pass(self.L, self.r, self._Y, self._S, self._rows, self.z, self.v_dot, state.A_H, state.H_bias,
                     law.rate, law.weights(state))  # fmt: skip


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
        self._D, self._K, self._P_w = np.zeros((6, 6 * S)), np.zeros((6, 6 * S)), np.zeros((6 * S, 6 * S))
        self._r_w, self._w, self._chosen = np.zeros(6 * S), np.zeros(6 * S), np.zeros(S, dtype=np.int64)
        self._none = (np.zeros((0, nv)), np.zeros(0), np.zeros(0, dtype=bool))
        self._ready = False
        self._broken = np.zeros(nv + limits.size, dtype=np.int64)
        self._included = np.zeros(0, dtype=np.int64)
        self.chosen = np.zeros(0, dtype=np.int64)  # supports that push in this step
        self._v_dot, self._tau = np.zeros(nv), np.zeros(nv)
        force = WRENCH_EASE / state.m**2
        self._ease = np.array([force] * 3 + [force / MOMENT_ARM**2] * 3)
        self.solution = solution = Solution(
            np.zeros(nv), np.zeros(nv), np.zeros((S, 6)), np.zeros(6), np.zeros(6), np.zeros(6)
        )
        p, lim = self.problem, limits
        self._arrays = (
            supports.active, state.x, state.R, state.J, state.corners, state.corner_count, supports.margins,
            supports.mu, supports.frames, supports.J_local, supports.polygon, supports.used, supports.G, self._chosen,
            lim.hinges, lim.balls, state.q,
            lim.excess, lim.dof, lim.width, lim.gradient, p.L, p.z, state.M, state.bias, self._ease, state.weight,
            self._Y, self._S, self._e, self._D, self._K, self._P_w, self._r_w, self._w, self.low, self.high, state.v,
            self._broken, state.A_G, state.G_bias, solution.v_dot, solution.tau, solution.momentum_rate,
            solution.wrenches, self._v_dot, self._tau, state.ground.point, state.ground.normal,
        )  # fmt: skip

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
        rows, solution = self._included, self.solution
        count, outcome = attempt(len(rows) == 0, *self._arrays)
        chosen = self.chosen = self._chosen[:count]
        solution.iterations = 0
        if outcome == SOLVED:
            solution.status, solution.limits = "solved", 0
            return solution
        if outcome == SINGULAR:
            return self._fail("the root's equation of motion is singular")
        k = 6 * count
        D, K, r_w, w = self._D[:, :k].copy(), self._K[:, :k].copy(), self._r_w[:k].copy(), np.zeros(k)
        P_w = self._P_w[:k, :k].copy()
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

    def _accept(self, w: np.ndarray) -> Solution:
        solution, state = self.solution, self.state
        solution.v_dot[:], solution.tau[:] = self._v_dot, self._tau
        momentum_rate(state.A_G, state.G_bias, self._v_dot, solution.momentum_rate)
        world_wrenches(self.supports.frames, self.chosen, w, solution.wrenches)
        solution.status, solution.limits = "solved", len(self._included)
        return solution

    def _fail(self, status: str) -> Solution:
        self.solution.failures += 1
        self.solution.status = status
        self._included = self._included[:0]
        return self.solution


@numba.njit(cache=True, error_model="numpy")
def _first_pass(
    L, r, weight, wanted, A_L, L_bias, rate, w_linear, J, J_bias, a_sup, planted, loose, w_support, height, A, b, w,
    C, d, Y, S, z, v_dot, A_G, G_bias, free,
):  # fmt: skip
    """Form, factor and solve without the angular objective; ``free`` is the momentum rate (6) that this would give.

    Where C has room the planted supports are constraints, elsewhere heavy rows. Returns the number of constraints, or
    -1 where the objectives leave a direction undetermined.
    """
    L[:, :] = 0.0
    for i in range(L.shape[0]):
        L[i, i] = weight[i] + (ROOT_EASE if i < 3 else 0.0)
        r[i] = -weight[i] * wanted[i]
    add_rows(L, r, A_L, rate - L_bias, w_linear)
    add_rows(L, r, A, b, w)
    n, heavy = 0, np.full(6, w_support)
    heavy[:3] /= height**2
    for s in range(planted.shape[0]):
        m = 3 if loose[s] else 6  # a point may tilt and turn
        if planted[s] and C.shape[0]:
            C[n : n + m], d[n : n + m] = J[s, :m], a_sup[s, :m] - J_bias[s, :m]
            n += m
        elif planted[s]:
            add_rows(L, r, J[s, :m], a_sup[s, :m] - J_bias[s, :m], heavy[:m])
    if not factor(L):
        return -1
    if n:
        constrained(L, r, C[:n], d[:n], v_dot, Y[:n], S[:n, :n])
    else:
        _unconstrained(L, r, z, v_dot)
    momentum_rate(A_G, G_bias, v_dot, free)
    return n


@numba.njit(cache=True, error_model="numpy")
def _second_pass(L, r, Y, S, n, z, v_dot, A_H, H_bias, rate, w):
    """The angular rows join a system that is already solved."""
    if n:
        add_constrained(L, A_H, rate - H_bias, w, Y[:n], S[:n, :n], v_dot)
        return
    for k in range(3):
        if w[k] > 0.0:
            r -= w[k] * (rate[k] - H_bias[k]) * A_H[k]
            update(L, np.sqrt(w[k]) * A_H[k])
    _unconstrained(L, r, z, v_dot)


@numba.njit(cache=True, error_model="numpy")
def _unconstrained(L, r, z, v_dot):
    """v̇ of least cost; z = -L⁻¹ r."""
    for i in range(r.shape[0]):
        z[i] = -r[i]
    forward(L, z)
    v_dot[:] = z
    backward(L, v_dot)


@numba.njit(cache=True, error_model="numpy")
def attempt(
    alone, active, x, R, J, corners, corner_count, margins, mu, frames, J_local, polygon, used, G, chosen, hinges,
    balls, q, excess, dof, width, gradient, L, z, M, bias, ease, weight, Y, S, e, D, K, P_w, r_w, w, low, high, v,
    row_list, A_G, G_bias, v_dot, tau, rates, wrenches, v_dot_try, tau_try, point, normal,
):  # fmt: skip
    """One step as far as it goes without a program: cones, limits, reduction, and the unlimited minimiser.

    Returns the number of supports that push, and SOLVED where that minimiser breaks no limit (the solution is then
    written), LIMITED where a program must be solved, SINGULAR where nothing can be.
    """
    fill_cones(active, x, R, J, corners, corner_count, margins, point, normal, mu, frames, J_local, polygon, used,
               G)  # fmt: skip
    limit_rows(hinges, balls, q, excess, dof, width, gradient)
    n = 0
    for s in range(active.shape[0]):
        if active[s] and used[s] > 0:
            chosen[n] = s
            n += 1
    k = 6 * n
    w_ref = np.zeros(6)
    w_ref[2] = -weight[2] / max(n, 1)
    push = chosen[:n]
    if not reduce(
        L, z, M, bias, J_local, push, ease, w_ref, Y, S, e, D[:, :k], K[:, :k], P_w[:k, :k], r_w[:k]
    ):
        return n, SINGULAR
    if not alone or (k and not interior(P_w[:k, :k], r_w[:k], G, push, w[:k])):
        return n, LIMITED
    none, nothing = np.zeros((0, L.shape[0])), np.zeros(0)
    accelerate(L, z, Y, S, e, D[:, :k], w[:k], none, nothing, M, bias, J_local, push, v_dot_try, tau_try)
    if broken(tau_try, low, high, v_dot_try, v, excess, dof, width, gradient, LOOK_AHEAD, STEEPEST, row_list):
        return n, LIMITED
    if not all_finite(tau_try):
        return n, LIMITED
    v_dot[:], tau[:] = v_dot_try, tau_try
    momentum_rate(A_G, G_bias, v_dot, rates)
    world_wrenches(frames, push, w[:k], wrenches)
    return n, SOLVED


@numba.njit(cache=True, fastmath={"reassoc", "contract", "nsz"})
def momentum_rate(A_G, G_bias, v_dot, out):
    """L̇ and Ḣ that an acceleration gives."""
    for k in range(6):
        total = G_bias[k]
        for i in range(v_dot.shape[0]):
            total += A_G[k, i] * v_dot[i]
        out[k] = total


@numba.njit(cache=True)
def world_wrenches(frames, chosen, w, out):
    """Wrenches (S, 6) in world axes from those of the chosen supports in their own; zero for the others."""
    out[:, :] = 0.0
    for s in range(chosen.shape[0]):
        for i in range(3):
            for j in range(3):
                out[chosen[s], i] += frames[chosen[s], i, j] * w[6 * s + j]
                out[chosen[s], 3 + i] += frames[chosen[s], i, j] * w[6 * s + 3 + j]

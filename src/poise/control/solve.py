"""Objectives and supports → accelerations, contact wrenches and torques: the one whole-body solve of a tick."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from poise.compiled import compiled
from poise.control.contact import Supports, fill_cones
from poise.control.limited import limited
from poise.control.momentum import AngularMomentum, LinearMomentum
from poise.control.objective import Objective, Rows
from poise.control.pressure import PressureLaw
from poise.control.reduce import accelerate, broken, interior, reduce
from poise.control.tracking import Tracking
from poise.dynamics.limits import LOOK_AHEAD, STEEPEST, JointLimits, limit_rows
from poise.dynamics.state import State, all_finite
from poise.solvers.active_set import FAILED
from poise.solvers.cholesky import add_rows, backward, factor, forward, update
from poise.solvers.least_squares import add_constrained, constrained

ROOT_EASE = 1e-6  # weight that keeps the root's translation determined when nothing else asks for it
SUPPORT_WEIGHT = 3000.0  # of a planted support's acceleration, per (rad/s²)² or (m/s² / h)²
SOLVED, SINGULAR, NOT_CONVEX, CONTRADICTORY, NOT_FINITE = range(5)  # how a step ended
FAILURES = {
    SINGULAR: "the root's equation of motion is singular",
    NOT_CONVEX: "the program is not convex; a weight is negative or not finite",
    CONTRADICTORY: "infeasible: no torques satisfy all limits; widen friction or torque limits",
    NOT_FINITE: "the torques are not finite",
}


@dataclass
class Command:
    """What a behaviour wants now: the pose, the momenta, other objectives, and which supports may push."""

    tracking: Tracking
    linear: LinearMomentum | None
    angular: PressureLaw | AngularMomentum | None
    supports: np.ndarray  # (S,) true where planted
    others: Sequence[Objective] = ()
    led: np.ndarray | None = None  # (S,) planted supports whose motion ``others`` ask for, not held still
    levels: np.ndarray | None = (
        None  # (S,) height of the ground under each support above its plane [m]; None is flat
    )


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
        supports.level(command.levels)
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
        self._Y, self._S, self._e = np.zeros((6, nv)), np.zeros((6, 6)), np.zeros(6)
        self._D, self._K, self._P_w = np.zeros((6, 6 * S)), np.zeros((6, 6 * S)), np.zeros((6 * S, 6 * S))
        self._r_w, self._w, self._chosen = np.zeros(6 * S), np.zeros(6 * S), np.zeros(S, dtype=np.int64)
        self._ready = False
        self._broken = np.zeros(nv + limits.size, dtype=np.int64)
        self._cone_sides = np.zeros(
            (S, supports.rows_each), dtype=np.int8
        )  # limits that acted in the last step
        self._limit_sides = np.zeros(nv + limits.size, dtype=np.int8)
        self.chosen = np.zeros(0, dtype=np.int64)  # supports that push in this step
        self._v_dot, self._tau = np.zeros(nv), np.zeros(nv)
        force = supports.ease / state.m**2
        self._ease = np.array([force] * 3 + [force / supports.arm**2] * 3)
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
            self._cone_sides, self._limit_sides,
        )  # fmt: skip

    def refresh(self, command: Command, two_pass: bool = True) -> None:
        """New objectives; what follows re-solves them against the moving state until the next refresh."""
        self._ready = self.problem.refresh(command, two_pass) and bool(np.isfinite(self.problem.v_dot).all())
        self.solution.momentum_rate_free[:] = self.problem.free
        self.solution.momentum_rate_des[:] = self.problem.desired

    def step(self) -> Solution:
        """Torques for the current state."""
        solution = self.solution
        if not self._ready:
            return self._fail("the objectives leave a direction of motion undetermined, or one is not finite")
        count, outcome, acting, solution.iterations = attempt(*self._arrays)
        self.chosen = self._chosen[:count]
        if outcome != SOLVED:
            return self._fail(FAILURES[outcome])
        solution.status, solution.limits = "solved", acting
        return solution

    @property
    def acting(self) -> np.ndarray:
        """Degrees of freedom whose torque or joint limits act in this step."""
        found, nv = np.flatnonzero(self._limit_sides), self.state.nv
        return np.where(found < nv, found, self.limits.dof[np.maximum(found - nv, 0)])

    def _fail(self, status: str) -> Solution:
        self.solution.failures += 1
        self.solution.status = status
        self._limit_sides[:] = 0
        return self.solution


@compiled(error_model="numpy")
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


@compiled(error_model="numpy")
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


@compiled(error_model="numpy")
def _unconstrained(L, r, z, v_dot):
    """v̇ of least cost; z = -L⁻¹ r."""
    for i in range(r.shape[0]):
        z[i] = -r[i]
    forward(L, z)
    v_dot[:] = z
    backward(L, v_dot)


@compiled(error_model="numpy")
def attempt(
    active, x, R, J, corners, corner_count, margins, mu, frames, J_local, polygon, used, G, chosen, hinges,
    balls, q, excess, dof, width, gradient, L, z, M, bias, ease, weight, Y, S, e, D, K, P_w, r_w, w, low, high, v,
    row_list, A_G, G_bias, v_dot, tau, rates, wrenches, v_dot_try, tau_try, point, normal, cone_sides, limit_sides,
):  # fmt: skip
    """One step: cones, limits, reduction, the unlimited minimiser, and a program where that breaks a limit.

    Returns the number of supports that push, SOLVED where the solution was written, else why not, the limits of torques
    and joints that act, and the rounds of the program.
    """
    fill_cones(active, x, R, J, corners, corner_count, margins, point, normal, mu, frames, J_local, polygon, used,
               G)  # fmt: skip
    limit_rows(hinges, balls, q, excess, dof, width, gradient)
    n = 0
    for s in range(active.shape[0]):
        if active[s] and used[s] > 0:
            chosen[n] = s
            n += 1
        else:
            cone_sides[s] = 0
    k = 6 * n
    w_ref = np.zeros(6)
    w_ref[2] = -weight[2] / max(n, 1)
    push, w = chosen[:n], w[:k]
    D, K, P_w, r_w = D[:, :k], K[:, :k], P_w[:k, :k], r_w[:k]
    if not reduce(L, z, M, bias, J_local, push, ease, w_ref, Y, S, e, D, K, P_w, r_w):
        return n, SINGULAR, 0, 0
    acting, rounds, free = 0, 0, not limit_sides.any()
    if free and (k == 0 or interior(P_w, r_w, G, push, w)):
        none, nothing = np.zeros((0, L.shape[0])), np.zeros(0)
        accelerate(L, z, Y, S, e, D, w, none, nothing, M, bias, J_local, push, v_dot_try, tau_try)
        ahead, most = LOOK_AHEAD, STEEPEST
        free = (
            broken(tau_try, low, high, v_dot_try, v, excess, dof, width, gradient, ahead, most, row_list) == 0
        )
    else:
        free = False
    if not free:
        rounds = limited(
            L, z, M, bias, J_local, push, Y, S, e, D, K, P_w, r_w, w, low, high, v, excess, dof, width, gradient, G,
            cone_sides, limit_sides, row_list, v_dot_try, tau_try,
        )  # fmt: skip
        if rounds < 0:
            return n, NOT_CONVEX if rounds == FAILED else CONTRADICTORY, 0, 0
        acting = int(np.sum(limit_sides != 0))
    if not all_finite(tau_try):
        return n, NOT_FINITE, 0, 0
    v_dot[:], tau[:] = v_dot_try, tau_try
    momentum_rate(A_G, G_bias, v_dot, rates)
    world_wrenches(frames, push, w, wrenches)
    return n, SOLVED, acting, rounds


@compiled(fastmath={"reassoc", "contract", "nsz"})
def momentum_rate(A_G, G_bias, v_dot, out):
    """L̇ and Ḣ that an acceleration gives."""
    for k in range(6):
        total = G_bias[k]
        for i in range(v_dot.shape[0]):
            total += A_G[k, i] * v_dot[i]
        out[k] = total


@compiled
def world_wrenches(frames, chosen, w, out):
    """Wrenches (S, 6) in world axes from those of the chosen supports in their own; zero for the others."""
    out[:, :] = 0.0
    for s in range(chosen.shape[0]):
        for i in range(3):
            for j in range(3):
                out[chosen[s], i] += frames[chosen[s], i, j] * w[6 * s + j]
                out[chosen[s], 3 + i] += frames[chosen[s], i, j] * w[6 * s + 3 + j]

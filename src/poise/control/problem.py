"""Objectives → normal equations, factored: the least-squares part of a solve, in two passes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from poise.compiled import compiled
from poise.control.command import Command
from poise.control.contact import Supports
from poise.control.momentum import AngularMomentum
from poise.control.objective import Objective, Rows
from poise.control.pressure import PressureLaw
from poise.dynamics.state import State
from poise.records import Count, Flags, Matrix, Real, Record, Vector
from poise.solvers.cholesky import add_rows, backward, factor, forward, update
from poise.solvers.dot import dot
from poise.solvers.least_squares import add_constrained, constrained

ROOT_EASE = 1e-6  # weight that keeps the root's translation determined when nothing else asks for it
SUPPORT_WEIGHT = 3000.0  # of a planted support's acceleration, per (rad/s²)² or (m/s² / h)²
MOST_CONSTRAINTS = 24  # rows of hard constraints besides the supports


class Problem(Record):
    """Normal equations of the objectives of one tick: P = F Fᵀ and r, with the two passes of the angular law."""

    state: State
    supports: Supports
    F: Matrix  # (nv, nv) factor of P
    r: Vector  # (nv,)
    z: Vector  # (nv,) -F⁻¹ r
    v_dot: Vector  # (nv,) of least cost
    C: Matrix  # rows of hard constraints; no room where they are heavy rows instead
    d: Vector
    Y: Matrix  # C F⁻ᵀ
    S: Vector  # factor of Y Yᵀ: see ``wrench_program.square``
    held: Flags  # (S,) supports that are kept in place
    heavy: Vector  # (6,) weights of a held support's rows
    weight: Real  # of a constraint's row, where constraints are heavy rows
    room: Count  # of rows in C
    free: Vector  # (6,) momentum rate of the first pass,
    ideal: Vector  # (6,) and the contact wrench about c that it takes
    desired: Vector  # (6,) momentum rate that the laws ask for

    def __init__(self, state: State, supports: Supports, soft_supports: bool):
        nv = state.nv
        self.state, self.supports = state, supports
        self.F, self.r, self.z, self.v_dot = np.zeros((nv, nv)), np.zeros(nv), np.zeros(nv), np.zeros(nv)
        self.room = 0 if soft_supports else 6 * len(supports.active) + MOST_CONSTRAINTS
        self.C, self.d = np.zeros((self.room, nv)), np.zeros(self.room)
        self.Y, self.S = np.zeros((self.room, nv)), np.zeros(self.room * self.room)
        self.held = np.zeros(len(supports.active), dtype=np.bool_)
        height = float(state.character.com_rest[2])
        self.weight = SUPPORT_WEIGHT
        self.heavy = np.array([SUPPORT_WEIGHT / height**2] * 3 + [SUPPORT_WEIGHT] * 3)
        self.free, self.desired = np.zeros(6), np.zeros(6)
        self.ideal = np.zeros(6)
        self._nothing, self._weightless = Rows(np.zeros((0, nv)), np.zeros(0), np.zeros(0)), np.zeros(3)
        self._rows = 0
        self.seal()

    def refresh(self, command: Command, two_pass: bool = True) -> bool:
        """Build and factor from a command. False where the objectives leave a direction undetermined."""
        state, supports = self.state, self.supports
        supports.plant(state, command.supports)
        supports.accelerate(state)
        self.held[:] = supports.active if command.led is None else supports.active & ~command.led
        supports.rolls[:] = 0.0 if command.rolls is None else command.rolls
        linear, tracking, weight = command.linear, command.tracking, self._weightless
        if linear is None:
            self.desired[:3] = 0.0
        else:
            self.desired[:3], weight = linear.rate, linear.weights(state)
        soft, hard = self._stacked(command.others), self._stacked(command.constraints)
        self._rows = _first_pass(self, tracking.weight, tracking.v_dot, weight, *soft, hard.A, hard.b)
        if self._rows < 0:
            return False
        if command.angular is not None:
            self._angular(command.angular, two_pass)
        return True

    def _stacked(self, objectives: Sequence[Objective]) -> Rows:
        """Rows of all objectives, one under the other."""
        if not objectives:
            return self._nothing
        rows = [o.rows(self.state) for o in objectives]
        return rows[0] if len(rows) == 1 else Rows(*map(np.concatenate, zip(*rows, strict=True)))

    def _angular(self, law: PressureLaw | AngularMomentum, two_pass: bool) -> None:
        """Second pass: the angular objective, from the centre of pressure that the first one would like."""
        state = self.state
        if isinstance(law, PressureLaw):
            law = law.objective(state, self.ideal if two_pass else state.f, self.desired[:3])
        self.desired[3:] = law.rate
        _second_pass(self, self._rows, law.weights(state))


@compiled
def _first_pass(problem, weights, wanted, w_linear, A, b, w, A_hard, b_hard):
    """Form, factor and solve without the angular objective; ``free`` is the momentum rate (6) that this would give.

    Returns the number of constraints in C, or -1 where the objectives leave a direction undetermined.
    """
    state, supports, F, r = problem.state, problem.supports, problem.F, problem.r
    F[:, :] = 0.0
    for i in range(r.shape[0]):
        F[i, i] = weights[i] + (ROOT_EASE if i < 3 else 0.0)
        r[i] = -weights[i] * wanted[i]
    add_rows(F, r, state.A_L, problem.desired[:3] - state.L_bias, w_linear)
    add_rows(F, r, A, b, w)
    n = 0
    for s in range(problem.held.shape[0]):
        if problem.held[s]:
            m = 3 if supports.loose[s] else 6  # a point may tilt and turn
            right = supports.rate[s, :m] - state.J_bias[s, :m]
            n = _require(problem, state.J[s, :m], right, problem.heavy[:m], n)
    n = _require(problem, A_hard, b_hard, np.full(b_hard.shape[0], problem.weight), n)
    if n < 0 or not factor(F):
        return -1
    _minimise(problem, n)
    momentum_rate(state, problem.v_dot, problem.free)
    for k in range(6):
        problem.ideal[k] = problem.free[k] - (state.weight[k] if k < 3 else 0.0)
    return n


@compiled
def _require(problem, A, b, w, n):
    """Rows that must hold join the n constraints, or weigh heavily where there is no room for any. Returns how many."""
    if problem.room == 0:
        add_rows(problem.F, problem.r, A, b, w)
        return 0
    m = b.shape[0]
    if n < 0 or n + m > problem.room:
        return -1
    for k in range(m):
        problem.d[n + k] = b[k]
        for i in range(A.shape[1]):
            problem.C[n + k, i] = A[k, i]
    return n + m


@compiled
def _minimise(problem, n):
    """v̇ of least cost under n constraints."""
    F, r, z, v_dot = problem.F, problem.r, problem.z, problem.v_dot
    if n:
        S = problem.S[: n * n].reshape(n, n)
        constrained(F, r, problem.C[:n], problem.d[:n], v_dot, problem.Y[:n], S)
        return
    for i in range(r.shape[0]):
        z[i] = -r[i]
    forward(F, z)
    for i in range(r.shape[0]):
        v_dot[i] = z[i]
    backward(F, v_dot)


@compiled
def _second_pass(problem, n, w):
    """The angular rows join a system that is already solved."""
    state = problem.state
    A, b = state.A_H, problem.desired[3:] - state.H_bias
    if n:
        S = problem.S[: n * n].reshape(n, n)
        add_constrained(problem.F, A, b, w, problem.Y[:n], S, problem.v_dot)
        return
    for k in range(A.shape[0]):
        if w[k] > 0.0:
            for i in range(A.shape[1]):
                problem.r[i] -= w[k] * b[k] * A[k, i]
                problem.z[i] = np.sqrt(w[k]) * A[k, i]
            update(problem.F, problem.z)
    _minimise(problem, 0)


@compiled
def momentum_rate(state, v_dot, out):
    """L̇ and Ḣ that an acceleration gives."""
    for k in range(6):
        out[k] = state.G_bias[k] + dot(state.A_G[k], v_dot, v_dot.shape[0])

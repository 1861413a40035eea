r"""The whole-body problem with accelerations eliminated, exactly.

Wanted: minimise ½ v̇ᵀ P v̇ + rᵀ v̇ over accelerations and contact wrenches w, subject to the six root rows of the
equation of motion M_b v̇ + bias_b = D w, to cones on w, and to limits on torques and joints. With P = F Fᵀ,
Y = F⁻¹ M_bᵀ, S = Yᵀ Y and z = -F⁻¹ r, the best acceleration for given wrenches is

.. math:: \dot v = F^{-T} (z + Y \lambda), \qquad \lambda = S^{-1} (D w + e), \quad e = -bias_b - Y^T z

and its cost ½ (D w + e)ᵀ S⁻¹ (D w + e): a program in w alone. A limit g v̇ ≤ b that this solution would break joins the
program with a variable δ of its own, since by the optimality conditions v̇ moves only along F⁻ᵀ ŷ, where ŷ is F⁻¹ gᵀ
with its part in the span of Y removed. That direction leaves the root rows alone and adds ½ δᵀ (Ŷ Ŷᵀ) δ to the cost.
"""

from __future__ import annotations

import numpy as np

from poise.compiled import compiled
from poise.control.contact import Supports
from poise.dynamics.state import State
from poise.records import Indices, Matrix, Record, Vector
from poise.solvers.cholesky import backward, factor, forward, forward_rows
from poise.solvers.dot import dot

INSIDE = 1e-6  # [N]: a wrench may pass a row of its cone by this much


class Reduction(Record):
    """The program in the wrenches of the supports that push, and what leads back from it; k = 6 a support."""

    Y: Matrix  # (6, nv)
    S: Matrix  # (6, 6), its factor
    e: Vector  # (6,)
    D: Matrix  # (k, 6): transposed
    K: Matrix  # (k, 6): S⁻¹ D, transposed
    P: Vector  # (k · k,): see ``square``; lower triangle
    r: Vector  # (k,)
    w: Vector  # (k,) wrenches, in the supports' own axes
    ease: Vector  # (6,) regularisation of one wrench
    chosen: Indices  # the supports that push

    def __init__(self, state: State, supports: Supports):
        count = len(supports.active)
        k = 6 * count
        self.Y, self.S, self.e = np.zeros((6, state.nv)), np.zeros((6, 6)), np.zeros(6)
        self.D, self.K = np.zeros((k, 6)), np.zeros((k, 6))
        self.P, self.r, self.w = np.zeros(k * k), np.zeros(k), np.zeros(k)
        self.chosen = np.zeros(count, dtype=np.int64)
        force = supports.ease / state.m**2
        dear = [force / arm**2 for arm in (supports.aside, supports.arm, supports.arm)]
        self.ease = np.array([force] * 3 + dear)
        self.seal()


@compiled
def square(values, n):
    """The first n² values as a matrix."""
    return values[: n * n].reshape(n, n)


@compiled
def choose(supports, chosen):
    """List the supports that push: planted and in touch. Returns how many."""
    n = 0
    for s in range(supports.active.shape[0]):
        if supports.active[s] and supports.used[s] > 0:
            chosen[n] = s
            n += 1
    return n


@compiled
def wrench_program(state, supports, part, n):
    """Program ½ (D w + e)ᵀ S⁻¹ (D w + e) + ½ ease |w - w_ref|² of n supports, with S given by its factor.

    The wrenches are drawn to an equal share of the weight each.
    """
    k, D, K, ease = 6 * n, part.D, part.K, part.ease
    P = square(part.P, k)
    for s in range(n):
        J = supports.J_local[part.chosen[s]]
        for a in range(6):
            for i in range(6):
                D[6 * s + a, i] = K[6 * s + a, i] = J[a, i]
    solved = part.e.copy()
    forward(part.S, solved)
    backward(part.S, solved)
    for a in range(k):
        forward(part.S, K[a])
        backward(part.S, K[a])
        part.r[a] = dot(D[a], solved, 6)
        for b in range(a + 1):
            P[a, b] = dot(D[a], K[b], 6)
        P[a, a] += ease[a % 6]
    for s in range(n):
        part.r[6 * s + 2] += ease[2] * state.weight[2] / n


@compiled
def reduce(state, supports, problem, part, n):
    """Program in the wrenches of n supports: fills ``part``. False where the root's rows are singular."""
    Y, nv = part.Y, state.v.shape[0]
    for i in range(6):
        Y[i] = state.M[i]
    forward_rows(problem.F, Y)
    for i in range(6):
        for j in range(i + 1):
            part.S[i, j] = dot(Y[i], Y[j], nv)
        part.e[i] = -state.bias[i] - dot(Y[i], problem.z, nv)
    if not factor(part.S):
        return False
    wrench_program(state, supports, part, n)
    return True


@compiled
def interior(supports, part, n):
    """Unlimited minimiser of the program into ``part.w``, and whether it happens to satisfy every cone."""
    k = 6 * n
    F, w = square(part.P, k).copy(), part.w[:k]
    if not factor(F):
        return False
    for i in range(k):
        w[i] = -part.r[i]
    forward(F, w)
    backward(F, w)
    for s in range(n):
        G = supports.G[part.chosen[s]]
        for q in range(G.shape[0]):
            if not dot(G[q], w[6 * s : 6 * s + 6], 6) <= INSIDE:
                return False
    return True


@compiled
def accelerate(state, supports, problem, part, n, Y_hat, delta, v_dot, tau):
    """Accelerations and generalised joint forces that belong to the wrenches of n supports and limit variables δ."""
    nv, w = state.v.shape[0], part.w
    multiplier = part.e.copy()
    for a in range(6 * n):
        for i in range(6):
            multiplier[i] += part.D[a, i] * w[a]
    forward(part.S, multiplier)
    backward(part.S, multiplier)
    v_dot[:] = problem.z
    for i in range(6):
        add(part.Y[i], multiplier[i], v_dot)
    for q in range(delta.shape[0]):
        add(Y_hat[q], delta[q], v_dot)
    backward(problem.F, v_dot)
    for i in range(nv):
        tau[i] = state.bias[i] + dot(state.M[i], v_dot, nv)
    for s in range(n):
        for a in range(6):
            add(supports.J_local[part.chosen[s], a], -w[6 * s + a], tau)


@compiled
def add(row, share, out):
    """out += share · row."""
    for i in range(out.shape[0]):
        out[i] += share * row[i]

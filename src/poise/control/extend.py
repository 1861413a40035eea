"""The reduced program with limits of torques and joints in it, a variable δ for each (see ``wrench_program``)."""

import numpy as np

from poise.compiled import compiled
from poise.control.bounds import limit_bound
from poise.control.wrench_program import add, square
from poise.solvers.cholesky import backward, forward, forward_rows
from poise.solvers.dot import dot

NO_LIMIT = -1e30  # a bound that is none
RELATIVE, ABSOLUTE = 1e-9, 1e-12  # added to the cost of each δ: limits may depend on each other


@compiled
def extend(state, supports, limits, work, n, rows):
    """P, r, A, lower, upper, soft and Ŷ of the program of n supports and the limits in ``rows``."""
    part, nv, k, m = work.reduction, state.v.shape[0], 6 * n, rows.shape[0]
    each = supports.G.shape[1]
    cones = each * n
    P, r, A = np.zeros((k + m, k + m)), np.zeros(k + m), np.zeros((cones + m, k + m))
    lower, upper, soft = (
        np.full(cones + m, NO_LIMIT),
        np.zeros(cones + m),
        np.zeros(cones + m, dtype=np.bool_),
    )
    kept = square(part.P, k)
    for a in range(k):
        r[a] = part.r[a]
        for b in range(k):
            P[a, b] = kept[a, b]
    for s in range(n):
        G = supports.G[part.chosen[s]]
        for row in range(each):
            for a in range(6):
                A[s * each + row, 6 * s + a] = G[row, a]
    Y_hat = _limit_rows(state, limits, rows)
    forward_rows(work.problem.F, Y_hat)
    for q in range(m):
        at = cones + q
        base = _split(work, Y_hat[q], A[at, :k])
        if rows[q] < nv:
            i = rows[q]
            for c in range(k):
                A[at, c] -= supports.J_local[part.chosen[c // 6], c % 6, i]
            lower[at] = work.low[i] - state.bias[i] - base
            upper[at] = work.high[i] - state.bias[i] - base
        else:
            upper[at], soft[at] = limit_bound(limits, rows[q] - nv, state.v) - base, True
    for q in range(m):
        for p in range(m):
            A[cones + q, k + p] = P[k + q, k + p] = dot(Y_hat[q], Y_hat[p], nv)
        P[k + q, k + q] += RELATIVE * P[k + q, k + q] + ABSOLUTE
    return P, r, A, lower, upper, soft, Y_hat


@compiled
def _limit_rows(state, limits, rows):
    """Rows g of the limits on v̇: of the mass matrix for a torque, of the gradient for a joint."""
    nv = state.v.shape[0]
    out = np.zeros((rows.shape[0], nv))
    for q in range(rows.shape[0]):
        if rows[q] < nv:
            out[q] = state.M[rows[q]]
        else:
            j = rows[q] - nv
            for a in range(limits.width[j]):
                out[q, limits.dof[j] + a] = limits.gradient[j, a]
    return out


@compiled
def _split(work, y, T):
    """Take the part in the span of Y out of y = F⁻¹ gᵀ. Returns g v̇ at w = δ = 0; T becomes its rows in w."""
    part, nv = work.reduction, y.shape[0]
    seen, shift = np.empty(6), part.e.copy()
    forward(part.S, shift)
    backward(part.S, shift)
    for i in range(6):
        seen[i] = dot(part.Y[i], y, nv)
    base = dot(seen, shift, 6) + dot(y, work.problem.z, nv)
    for c in range(T.shape[0]):
        T[c] = dot(seen, part.K[c], 6)
    forward(part.S, seen)
    backward(part.S, seen)
    for i in range(6):
        add(part.Y[i], -seen[i], y)
    return base

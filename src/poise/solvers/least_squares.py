r"""Weighted least squares with equality constraints: minimise Σ w |A x - b|² subject to C x = d ([Balance] eq. 13)."""

import numpy as np

from poise.compiled import compiled
from poise.solvers.cholesky import backward, factor, forward, forward_rows
from poise.solvers.dot import dot

COMPLIANCE = 1e-9  # of a constraint, relative to its own row: keeps redundant constraints solvable


@compiled
def constrained(L, r, C, d, x, Y, S):
    r"""Minimiser of ½ xᵀ P x + rᵀ x on C x = d, with P = L Lᵀ already factored.

    x = P⁻¹ (Cᵀ λ - r), where (C P⁻¹ Cᵀ) λ = d + C P⁻¹ r. Keeps Y = C L⁻ᵀ and the factor S of Y Yᵀ, for rows that are
    added later. Returns false where the constraints cannot be factored.
    """
    rows, n = C.shape
    for i in range(x.shape[0]):
        x[i] = -r[i]
    forward(L, x)
    if rows:
        for i in range(rows):
            for j in range(n):
                Y[i, j] = C[i, j]
        forward_rows(L, Y)
        for i in range(rows):
            for j in range(i + 1):
                S[i, j] = dot(Y[i], Y[j], n)
            S[i, i] += COMPLIANCE * S[i, i] + 1e-14
        multiplier = d.copy()
        for i in range(rows):
            multiplier[i] -= dot(Y[i], x, n)
        if not factor(S):
            return False
        forward(S, multiplier)
        backward(S, multiplier)
        for i in range(rows):
            for j in range(n):
                x[j] += multiplier[i] * Y[i, j]
    backward(L, x)
    return True


@compiled
def add_constrained(L, A, b, w, Y, S, x):
    r"""Minimiser x after weighted rows A x = b joined a constrained problem, by the rank of those rows alone.

    With ŷ = (1 - Yᵀ S⁻¹ Y) L⁻¹ Aᵀ the free part of the rows, x moves by L⁻ᵀ ŷ (ŷᵀŷ + W⁻¹)⁻¹ (b - A x) (Woodbury).
    """
    keep = np.flatnonzero(w > 0.0)
    n, nv = keep.shape[0], A.shape[1]
    if n == 0:
        return
    free, gap, F = np.empty((n, nv)), np.empty(n), np.empty((n, n))
    for q in range(n):
        free[q] = A[keep[q]]
        gap[q] = b[keep[q]] - dot(A[keep[q]], x, nv)
    forward_rows(L, free)
    part = np.empty(Y.shape[0])
    for q in range(n):
        for i in range(Y.shape[0]):
            part[i] = dot(Y[i], free[q], nv)
        forward(S, part)
        backward(S, part)
        for i in range(Y.shape[0]):
            for j in range(nv):
                free[q, j] -= part[i] * Y[i, j]
    for q in range(n):
        for p in range(q + 1):
            F[q, p] = dot(free[q], free[p], nv)
        F[q, q] += 1.0 / w[keep[q]]
    factor(F)
    forward(F, gap)
    backward(F, gap)
    step = np.zeros(nv)
    for q in range(n):
        for j in range(nv):
            step[j] += gap[q] * free[q, j]
    backward(L, step)
    for j in range(nv):
        x[j] += step[j]

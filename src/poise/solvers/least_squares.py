r"""Weighted least squares with equality constraints: minimise Σ w |A x - b|² subject to C x = d ([Balance] eq. 13)."""

from __future__ import annotations

import numpy as np

from poise.compiled import compiled
from poise.solvers.cholesky import backward, factor, forward, forward_rows

COMPLIANCE = 1e-9  # of a constraint, relative to its own row: keeps redundant constraints solvable


@compiled(error_model="numpy")
def constrained(L, r, C, d, x, Y, S):
    r"""Minimiser of ½ xᵀ P x + rᵀ x on C x = d, with P = L Lᵀ already factored.

    x = P⁻¹ (Cᵀ λ - r), where (C P⁻¹ Cᵀ) λ = d + C P⁻¹ r. Keeps Y = C L⁻ᵀ and the factor S of Y Yᵀ, for rows that are
    added later. Returns false where the constraints cannot be factored.
    """
    rows = C.shape[0]
    for i in range(x.shape[0]):
        x[i] = -r[i]
    forward(L, x)
    if rows:
        Y[:, :] = C
        forward_rows(L, Y)
        for i in range(rows):
            for j in range(i + 1):
                total = 0.0
                for k in range(Y.shape[1]):
                    total += Y[i, k] * Y[j, k]
                S[i, j] = total
            S[i, i] += COMPLIANCE * S[i, i] + 1e-14
        multiplier = d - Y @ x
        if not factor(S):
            return False
        forward(S, multiplier)
        backward(S, multiplier)
        x += multiplier @ Y
    backward(L, x)
    return True


@compiled(error_model="numpy")
def add_constrained(L, A, b, w, Y, S, x):
    r"""Minimiser x after weighted rows A x = b joined a constrained problem, by the rank of those rows alone.

    With ŷ = (1 - Yᵀ S⁻¹ Y) L⁻¹ Aᵀ the free part of the rows, x moves by L⁻ᵀ ŷ (ŷᵀŷ + W⁻¹)⁻¹ (b - A x) (Woodbury).
    """
    keep = np.flatnonzero(w > 0.0)
    n = keep.shape[0]
    if n == 0:
        return
    free, gap = np.empty((n, A.shape[1])), np.empty(n)
    for q in range(n):
        free[q] = A[keep[q]]
        gap[q] = b[keep[q]] - A[keep[q]] @ x
    forward_rows(L, free)
    for q in range(n):
        part = Y @ free[q]
        forward(S, part)
        backward(S, part)
        free[q] -= part @ Y
    F = free @ free.T
    for q in range(n):
        F[q, q] += 1.0 / w[keep[q]]
    factor(F)
    forward(F, gap)
    backward(F, gap)
    step = gap @ free
    backward(L, step)
    x += step


def solve(A: np.ndarray, b: np.ndarray, w: np.ndarray, C: np.ndarray, d: np.ndarray) -> np.ndarray:
    """The whole problem at once, for tests and small uses; A must have full column rank."""
    P = (A * w[:, None]).T @ A
    if not factor(P):
        raise np.linalg.LinAlgError("the objectives leave some direction undetermined")
    x = np.zeros(A.shape[1])
    constrained(P, -(A * w[:, None]).T @ b, C, d, x, np.zeros_like(C), np.zeros((len(C), len(C))))
    return x

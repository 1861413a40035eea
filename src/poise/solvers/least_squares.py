r"""Weighted least squares with equality constraints: minimise Σ w |A x - b|² subject to C x = d ([Balance] eq. 13)."""

from __future__ import annotations

import numba
import numpy as np

from poise.solvers.cholesky import backward, factor, forward, forward_rows

COMPLIANCE = 1e-9  # of a constraint, relative to its own row: keeps redundant constraints solvable


@numba.njit(cache=True, error_model="numpy")
def constrained(L, r, C, d, x):
    r"""Minimiser of ½ xᵀ P x + rᵀ x on C x = d, with P = L Lᵀ already factored.

    x = P⁻¹ (Cᵀ λ - r), where (C P⁻¹ Cᵀ) λ = d + C P⁻¹ r. Returns false where the constraints cannot be factored.
    """
    rows = C.shape[0]
    for i in range(x.shape[0]):
        x[i] = -r[i]
    forward(L, x)
    if rows:
        Y = C.copy()
        forward_rows(L, Y)
        S = Y @ Y.T
        for k in range(rows):
            S[k, k] += COMPLIANCE * S[k, k] + 1e-14
        multiplier = d - Y @ x
        if not factor(S):
            return False
        forward(S, multiplier)
        backward(S, multiplier)
        x += multiplier @ Y
    backward(L, x)
    return True


def solve(A: np.ndarray, b: np.ndarray, w: np.ndarray, C: np.ndarray, d: np.ndarray) -> np.ndarray:
    """The whole problem at once, for tests and small uses; A must have full column rank."""
    P = (A * w[:, None]).T @ A
    if not factor(P):
        raise np.linalg.LinAlgError("the objectives leave some direction undetermined")
    x = np.zeros(A.shape[1])
    constrained(P, -(A * w[:, None]).T @ b, C, d, x)
    return x

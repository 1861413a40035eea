"""Small dense Cholesky in place, compiled: fast at the sizes of one body, no allocation."""

from __future__ import annotations

import math

import numba

PIVOT_FLOOR = 1e-12  # a pivot below this means that no objective asks anything of that direction


@numba.njit(cache=True, fastmath=True, error_model="numpy")
def factor(P):
    """Lower triangle of P becomes its factor: P = L Lᵀ. Returns false where P is not positive definite."""
    n = P.shape[0]
    for i in range(n):
        for j in range(i):
            total = P[i, j]
            for k in range(j):
                total -= P[i, k] * P[j, k]
            P[i, j] = total / P[j, j]
        total = P[i, i]
        for k in range(i):
            total -= P[i, k] * P[i, k]
        if not total > PIVOT_FLOOR:
            return False
        P[i, i] = math.sqrt(total)
    return True


@numba.njit(cache=True, fastmath=True, error_model="numpy")
def forward(L, x):
    """x becomes L⁻¹ x."""
    for i in range(L.shape[0]):
        total = x[i]
        for k in range(i):
            total -= L[i, k] * x[k]
        x[i] = total / L[i, i]


@numba.njit(cache=True, fastmath=True, error_model="numpy")
def forward_rows(L, X):
    """Each row x of X becomes L⁻¹ x; the loop over rows is inside, so that L is read once."""
    rows = X.shape[0]
    for i in range(L.shape[0]):
        inverse = 1.0 / L[i, i]
        for q in range(rows):
            total = X[q, i]
            for k in range(i):
                total -= L[i, k] * X[q, k]
            X[q, i] = total * inverse


@numba.njit(cache=True, fastmath=True, error_model="numpy")
def backward(L, x):
    """x becomes L⁻ᵀ x."""
    n = L.shape[0]
    for i in range(n - 1, -1, -1):
        x[i] /= L[i, i]
        value = x[i]
        for k in range(i):
            x[k] -= L[i, k] * value


@numba.njit(cache=True, fastmath=True, error_model="numpy")
def update(L, x):
    """Factor of L Lᵀ + x xᵀ, in place; x is spent (Givens rotations, Golub and Van Loan §6.5)."""
    n = L.shape[0]
    for k in range(n):
        r = math.sqrt(L[k, k] * L[k, k] + x[k] * x[k])
        c = r / L[k, k]
        s = x[k] / L[k, k]
        L[k, k] = r
        for i in range(k + 1, n):
            L[i, k] = (L[i, k] + s * x[i]) / c
            x[i] = c * x[i] - s * L[i, k]


@numba.njit(cache=True, fastmath=True, error_model="numpy")
def add_rows(P, r, A, b, w):
    """Normal equations of weighted rows, lower triangle: P += Aᵀ W A, r -= Aᵀ W b."""
    n = P.shape[0]
    for k in range(A.shape[0]):
        if w[k] == 0.0:
            continue
        for i in range(n):
            a = w[k] * A[k, i]
            if a == 0.0:
                continue
            r[i] -= a * b[k]
            for j in range(i + 1):
                P[i, j] += a * A[k, j]

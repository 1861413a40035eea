"""Small dense Cholesky in place, compiled: fast at the sizes of one body, no allocation."""

from __future__ import annotations

import math

from poise.compiled import compiled

PIVOT_FLOOR = 1e-12  # a pivot below this means that no objective asks anything of that direction


@compiled(error_model="numpy", fastmath={"reassoc", "contract", "nsz", "arcp"})
def factor(P):
    """Lower triangle of P becomes its factor: P = L Lᵀ. Returns false where P is not positive definite.

    Four rows at a time, so that each entry that is read serves four sums.
    """
    n = P.shape[0]
    for i in range(0, n, 4):
        last = min(i + 4, n)
        if last - i == 4:
            a, b, c, d = P[i], P[i + 1], P[i + 2], P[i + 3]
            for j in range(i):
                row, inverse = P[j], 1.0 / P[j, j]
                s0, s1, s2, s3 = a[j], b[j], c[j], d[j]
                for k in range(j):
                    value = row[k]
                    s0 -= a[k] * value
                    s1 -= b[k] * value
                    s2 -= c[k] * value
                    s3 -= d[k] * value
                a[j], b[j], c[j], d[j] = s0 * inverse, s1 * inverse, s2 * inverse, s3 * inverse
        for q in range(i, last):
            for j in range(i if last - i == 4 else 0, q):
                total = P[q, j]
                for k in range(j):
                    total -= P[q, k] * P[j, k]
                P[q, j] = total / P[j, j]
            total = P[q, q]
            for k in range(q):
                total -= P[q, k] * P[q, k]
            if not total > PIVOT_FLOOR:
                return False
            P[q, q] = math.sqrt(total)
    return True


@compiled(error_model="numpy", fastmath={"reassoc", "contract", "nsz", "arcp"})
def forward(L, x):
    """x becomes L⁻¹ x."""
    for i in range(L.shape[0]):
        total = x[i]
        for k in range(i):
            total -= L[i, k] * x[k]
        x[i] = total / L[i, i]


@compiled(error_model="numpy", fastmath={"reassoc", "contract", "nsz", "arcp"})
def forward_rows(L, X):
    """Each row x of X becomes L⁻¹ x, three rows at a time."""
    rows = X.shape[0]
    for q in range(0, rows - rows % 3, 3):
        a, b, c = X[q], X[q + 1], X[q + 2]
        for i in range(L.shape[0]):
            row, inverse = L[i], 1.0 / L[i, i]
            s0, s1, s2 = a[i], b[i], c[i]
            for k in range(i):
                value = row[k]
                s0 -= a[k] * value
                s1 -= b[k] * value
                s2 -= c[k] * value
            a[i], b[i], c[i] = s0 * inverse, s1 * inverse, s2 * inverse
    for q in range(rows - rows % 3, rows):
        forward(L, X[q])


@compiled(error_model="numpy", fastmath={"reassoc", "contract", "nsz", "arcp"})
def backward(L, x):
    """x becomes L⁻ᵀ x."""
    n = L.shape[0]
    for i in range(n - 1, -1, -1):
        x[i] /= L[i, i]
        value = x[i]
        for k in range(i):
            x[k] -= L[i, k] * value


@compiled(error_model="numpy", fastmath={"reassoc", "contract", "nsz", "arcp"})
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


@compiled(error_model="numpy", fastmath={"reassoc", "contract", "nsz", "arcp"})
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

"""Small dense Cholesky in place, compiled: fast at the sizes of one body, no allocation."""

import math

from poise.compiled import compiled
from poise.solvers.dot import dot, dots

PIVOT_FLOOR = 1e-12  # a pivot below this means that no objective asks anything of that direction


@compiled
def factor(P):
    """Lower triangle of P becomes its factor: P = L Lᵀ. Returns false where P is not positive definite.

    Four rows at a time, so that each entry that is read serves four sums.
    """
    n = P.shape[0]
    for i in range(0, n, 4):
        last, begin = min(i + 4, n), 0
        if last - i == 4:
            begin = i
            a, b, c, d = P[i], P[i + 1], P[i + 2], P[i + 3]
            for j in range(i):
                inverse = 1.0 / P[j, j]
                s, t, u, v = dots((a, b, c, d), P[j], j)
                a[j], b[j] = (a[j] - s) * inverse, (b[j] - t) * inverse
                c[j], d[j] = (c[j] - u) * inverse, (d[j] - v) * inverse
        for q in range(i, last):
            row = P[q]
            for j in range(begin, q):
                row[j] = (row[j] - dot(row, P[j], j)) / P[j, j]
            square = row[q] - dot(row, row, q)
            if not square > PIVOT_FLOOR:
                return False
            row[q] = math.sqrt(square)
    return True


@compiled
def forward(L, x):
    """x becomes L⁻¹ x."""
    for i in range(L.shape[0]):
        x[i] = (x[i] - dot(x, L[i], i)) / L[i, i]


@compiled
def forward_rows(L, X):
    """Each row x of X becomes L⁻¹ x, three rows at a time."""
    rows = X.shape[0]
    for q in range(0, rows - rows % 3, 3):
        a, b, c = X[q], X[q + 1], X[q + 2]
        for i in range(L.shape[0]):
            inverse = 1.0 / L[i, i]
            s, t, u = dots((a, b, c), L[i], i)
            a[i], b[i], c[i] = (a[i] - s) * inverse, (b[i] - t) * inverse, (c[i] - u) * inverse
    for q in range(rows - rows % 3, rows):
        forward(L, X[q])


@compiled
def backward(L, x):
    """x becomes L⁻ᵀ x."""
    n = L.shape[0]
    for i in range(n - 1, -1, -1):
        x[i] /= L[i, i]
        value = x[i]
        for k in range(i):
            x[k] -= L[i, k] * value


@compiled
def update(L, x):
    """Factor of L Lᵀ + x xᵀ, in place; x is spent (Givens rotations, Golub and Van Loan §6.5)."""
    n = L.shape[0]
    for k in range(n):
        r = math.sqrt(L[k, k] * L[k, k] + x[k] * x[k])
        c = r / L[k, k]
        s = x[k] / L[k, k]
        L[k, k] = r
        inverse = 1.0 / c
        for i in range(k + 1, n):
            value = (L[i, k] + s * x[i]) * inverse
            L[i, k] = value
            x[i] = c * x[i] - s * value


@compiled
def add_rows(P, r, A, b, w):
    """Normal equations of weighted rows, lower triangle: P += Aᵀ W A, r -= Aᵀ W b."""
    n = P.shape[0]
    for k in range(A.shape[0]):
        if w[k] == 0.0:
            continue
        row = A[k]
        for i in range(n):
            a = w[k] * row[i]
            if a == 0.0:
                continue
            r[i] -= a * b[k]
            sums = P[i]
            for j in range(i + 1):
                sums[j] += a * row[j]

"""Products of vectors and matrices in an order of their own.

numpy hands ``@`` and ``norm`` to a BLAS, whose kernels add up in another order on every kind of processor. Here the
order is the same on all of them, so that a take is, too. For the path of control; elsewhere ``@`` reads better.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

SQUARINGS = 40  # of a matrix; two eigenvalues that differ by 1e-11 are told apart
HOW = {(1, 1): "i,i->", (2, 1): "ij,j->i", (1, 2): "i,ij->j", (2, 2): "ij,jk->ik"}


def times(a: Any, b: Any) -> Any:
    """a @ b."""
    a, b = np.asarray(a), np.asarray(b)
    if a.ndim == 1 and b.ndim == 1 and len(a) == len(b) <= 3:
        return _few(a.tolist(), b.tolist())
    how = HOW.get((a.ndim, b.ndim))
    if how is not None:
        return np.einsum(how, a, b)
    if b.ndim == 1:
        return np.einsum("...j,j->...", a, b)
    if a.ndim == 1:
        return np.einsum("i,...ij->...j", a, b)
    return np.einsum("...ij,...jk->...ik", a, b)


def norm(x: Any, axis: int | None = None, keepdims: bool = False) -> Any:
    """Length of vectors along an axis, of all entries without one."""
    x = np.asarray(x, dtype=float)
    if axis is None:
        values = x.ravel().tolist() if x.size <= 3 else []
        return math.sqrt(_few(values, values) if values else np.einsum("i,i->", x.ravel(), x.ravel()))
    return np.sqrt((x * x).sum(axis=axis, keepdims=keepdims))


def _few(a: list[float], b: list[float]) -> float:
    """Product of vectors with up to three entries; ``np.einsum`` would cost four times as much."""
    if len(a) == 3:
        return (a[0] * b[0] + a[2] * b[2]) + a[1] * b[1]
    return a[0] * b[0] + a[1] * b[1] if len(a) == 2 else a[0] * b[0] if a else 0.0


def running(x: np.ndarray, window: np.ndarray) -> np.ndarray:
    """Σₖ wₖ xᵢ₊ₖ (n - k + 1,) of a symmetric window: ``np.convolve(x, window, "valid")``."""
    return times(np.lib.stride_tricks.sliding_window_view(x, len(window)), window)


def principal(S: np.ndarray) -> np.ndarray:
    """Eigenvector (..., n) of the largest eigenvalue of symmetric matrices (..., n, n) without negative ones.

    Squared again and again, and scaled, a matrix becomes the projection on it; its largest entry is made positive.
    """
    S = np.array(S, dtype=float)
    for _ in range(SQUARINGS):
        size = np.abs(S).max(axis=(-2, -1), keepdims=True)
        S = S / np.where(size > 0, size, 1.0)
        S = times(S, S)
    diagonal = np.einsum("...ii->...i", S)
    column = np.take_along_axis(S, diagonal.argmax(axis=-1)[..., None, None], axis=-1)[..., 0]
    return column / np.maximum(norm(column, axis=-1, keepdims=True), 1e-300)


def solve(A: np.ndarray, b: np.ndarray) -> np.ndarray:
    """x with A x = b, by elimination with the largest pivot; for a handful of unknowns."""
    A, x = np.array(A, dtype=float), np.array(b, dtype=float)
    n = len(A)
    for k in range(n):
        p = k + int(np.argmax(np.abs(A[k:, k])))
        if A[p, k] == 0.0 or not math.isfinite(A[p, k]):
            raise np.linalg.LinAlgError("Singular matrix")
        A[[k, p]], x[[k, p]] = A[[p, k]], x[[p, k]]
        factor = A[k + 1 :, k] / A[k, k]
        A[k + 1 :] -= factor[:, None] * A[k]
        x[k + 1 :] -= factor[:, None] * x[k] if x.ndim == 2 else factor * x[k]
    for k in reversed(range(n)):
        x[k] /= A[k, k]
        x[:k] -= A[:k, k, None] * x[k] if x.ndim == 2 else A[:k, k] * x[k]
    return x

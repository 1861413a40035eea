r"""The smallest shift of the centre of mass that brings the pressure of a clip into its support, with room around it.

With f_z = m (g + z̈) the pressure is p = c - z c̈ / (g + z̈) + (-Ḣ_y, Ḣ_x) / f_z. A shift x of c moves it by
x - κ ẍ, κ = z / (g + z̈). We look for

.. math:: \min_x\; w |x|^2 + |p + x - \kappa \ddot x - s|^2, \quad s \in \text{support, drawn in}

by the alternating direction method of multipliers: one banded factorisation, then projections and solves.
"""

from __future__ import annotations

import numpy as np

from poise.compiled import compiled
from poise.geometry.linear import norm
from poise.geometry.polygon import project

ROUNDS = 60
SMALL = 0.003  # w
ENDS, END_TIME = (
    1.0,
    0.1,
)  # w at both ends of the clip, which should be as captured, and how far that reaches [s]
GIVEN_UP = (
    0.1  # [m]: a clip whose pressure is so far outside at its end is held by something, and its end is free
)
BLUR = 0.1  # [s] at both ends in which the accelerations of a filtered clip mean little
CALM = 0.03  # weight of ẍ there
STILL = 1e3  # weight of ẍ = 0 where nothing carries the body


def shifted(
    p: np.ndarray,
    kappa: np.ndarray,
    areas: np.ndarray,
    sizes: np.ndarray,
    dt: float,
    load: np.ndarray | float = 1.0,
) -> np.ndarray:
    """Shift x (n, 2) of the centre of mass; ``areas`` (n, K, 2) with ``sizes`` (n,) corners, none in flight.

    ``load`` (n,) is the weight of each pressure: of a light sole its force counts, not its place.
    """
    n, carried = len(p), sizes > 0
    flying = ~carried
    blur = min(round(BLUR / dt), n // 4)
    carried[:blur] = carried[n - blur :] = False
    D, A = _second(n, dt), np.zeros((n, 3))
    A[:] = -kappa[:, None] * D
    A[:, 1] += 1.0
    A[~carried] = 0.0
    still = D * np.sqrt(np.where(flying, STILL, np.where(carried, 0.0, CALM)))[:, None]
    load = np.broadcast_to(load, n)[:, None]
    band = _gram(load * A) + _gram(still)
    t = (
        np.arange(n) * dt
        if _held(p, areas, sizes, blur)
        else np.minimum(np.arange(n), np.arange(n)[::-1]) * dt
    )
    band[2] += SMALL + ENDS * np.exp(-((t / END_TIME) ** 2))
    _factor(band)
    x, u, s = np.zeros((n, 2)), np.zeros((n, 2)), p.copy()
    for _ in range(ROUNDS):
        y = p + _apply(A, x)
        s = y + u
        _project_all(areas, sizes, s)
        u += np.where(carried[:, None], y - s, 0.0)
        x = _transposed(A, load * load * (s - u - p))
        _solve(band, x)
    return x


def _held(p: np.ndarray, areas: np.ndarray, sizes: np.ndarray, blur: int) -> bool:
    """Whether the last pressures that mean something lie far outside the support."""
    last = slice(max(len(p) - 3 * blur, 0), len(p) - blur)
    near = p[last].copy()
    _project_all(areas[last], sizes[last], near)
    away = norm(p[last] - near, axis=1)
    return bool(len(away)) and float(np.median(away)) > GIVEN_UP


def _second(n: int, dt: float) -> np.ndarray:
    """(n, 3) second difference as coefficients of the samples before, at and after; zero at free ends."""
    D = np.tile(np.array([1.0, -2.0, 1.0]) / dt**2, (n, 1))
    D[0] = D[-1] = 0.0
    return D


def _apply(A: np.ndarray, x: np.ndarray) -> np.ndarray:
    y = A[:, 1:2] * x
    y[1:] += A[1:, :1] * x[:-1]
    y[:-1] += A[:-1, 2:] * x[1:]
    return y


def _transposed(A: np.ndarray, y: np.ndarray) -> np.ndarray:
    x = A[:, 1:2] * y
    x[:-1] += A[1:, :1] * y[1:]
    x[1:] += A[:-1, 2:] * y[:-1]
    return x


def _gram(A: np.ndarray) -> np.ndarray:
    """AᵀA as upper bands (3, n) of a matrix whose rows have three entries."""
    n, out = len(A), np.zeros((3, len(A)))
    rows = np.arange(n)
    for i in range(3):
        for j in range(i, 3):
            at = rows + j - 1
            good = (at >= 0) & (at < n) & (rows + i - 1 >= 0)
            np.add.at(out[2 - (j - i)], at[good], (A[:, i] * A[:, j])[good])
    return out


@compiled
def _factor(band):
    """Cholesky factor U of a matrix UᵀU, in place: upper bands (3, n), the diagonal last."""
    for j in range(band.shape[1]):
        if j > 1:
            band[0, j] /= band[2, j - 2]
            band[1, j] -= band[1, j - 1] * band[0, j]
        if j > 0:
            band[1, j] /= band[2, j - 1]
        band[2, j] = np.sqrt(band[2, j] - band[0, j] ** 2 - band[1, j] ** 2)


@compiled
def _solve(U, x):
    """x (n, k) with UᵀU x as it was, in place."""
    n = U.shape[1]
    for k in range(x.shape[1]):
        for j in range(n):
            if j > 0:
                x[j, k] -= U[1, j] * x[j - 1, k]
            if j > 1:
                x[j, k] -= U[0, j] * x[j - 2, k]
            x[j, k] /= U[2, j]
        for j in range(n - 1, -1, -1):
            x[j, k] /= U[2, j]
            if j > 0:
                x[j - 1, k] -= U[1, j] * x[j, k]
            if j > 1:
                x[j - 2, k] -= U[0, j] * x[j, k]


@compiled
def _project_all(areas, sizes, points):
    near = np.empty(2)
    for i in range(points.shape[0]):
        if sizes[i] > 0:
            project(areas[i], sizes[i], points[i], near)
            points[i, 0], points[i, 1] = near[0], near[1]

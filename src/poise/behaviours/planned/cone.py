r"""Quadratic programs over friction pyramids: minimise ½ Fᵀ Q F + rᵀ F with every point's force in its cone.

.. math:: \mu f_z \pm f_x \ge 0, \quad \mu f_z \pm f_y \ge 0

The feasible set is a cone with its apex at F = 0, so the program is a projection and always has an answer.
"""

import numpy as np

from poise.compiled import compiled
from poise.solvers.active_set import TRACE, minimise

FACES = 4  # of a pyramid
ROUNDING = 1e-13  # of the largest force: a normal force below it is zero


@compiled
def project(Q, r, mu, active, F):
    """Minimiser F (n, 3) of ½ Fᵀ Q F + rᵀ F in the cones; ``active`` (4 n) warm-starts and returns the active faces.

    Q (3 n, 3 n) symmetric positive definite, kept. Returns false where Q is not positive definite.
    """
    points = F.shape[0]
    n, m = 3 * points, FACES * points
    largest = np.abs(r).max() if points else 0.0
    if largest == 0.0:
        F[:, :] = 0.0
        return True
    stiff = 0.0
    for i in range(n):
        stiff = max(stiff, Q[i, i])
    if not stiff > 0.0:
        return False
    A, sides, f = np.zeros((m, n)), np.zeros(m, np.int8), np.empty(n)
    for i in range(points):
        for j in range(FACES):
            row = FACES * i + j
            A[row, 3 * i + j // 2], A[row, 3 * i + 2] = 1.0 - 2.0 * (j % 2), mu
            sides[row] = -1 if active[row] else 0
    hard, lower, upper = np.zeros(m, np.bool_), np.zeros(m), np.full(m, np.inf)
    # the tolerances of the solver are for numbers near one
    solved = minimise(Q / stiff, r / largest, A, lower, upper, hard, TRACE, sides, f) >= 0
    for i in range(points):
        for k in range(3):
            F[i, k] = f[3 * i + k] * (largest / stiff)
        _inside(F[i], mu, ROUNDING * largest / stiff)
    for row in range(m):
        active[row] = sides[row] != 0
    return solved


@compiled
def _inside(f, mu, least):
    """Remove what rounding left outside the pyramid, and a force so small that it is none."""
    f[2] = f[2] if f[2] > least else 0.0
    for k in range(2):
        f[k] = min(max(f[k], -mu * f[2]), mu * f[2])


@compiled
def free_directions(active, F, mu, scale, basis):
    """Orthonormal basis of the forces that keep the active faces active, column by column; returns their number.

    ``basis`` (3 n, 3 n). A point at its apex has none, one on an edge has the edge, one on a face has two.
    """
    points, columns = F.shape[0], 0
    basis[:, :] = 0.0
    norm = np.sqrt(1.0 + mu * mu)
    for i in range(points):
        on = active[FACES * i : FACES * i + FACES]
        x, y = on[0] or on[1], on[2] or on[3]
        if F[i, 2] <= 1e-9 * scale or (on[0] and on[1]) or (on[2] and on[3]):
            continue
        row = 3 * i
        sx, sy = (1.0 if on[1] else -1.0), (1.0 if on[3] else -1.0)  # f_x = sx mu f_z on the face
        if x and y:
            length = np.sqrt(1.0 + 2.0 * mu * mu)
            basis[row, columns], basis[row + 1, columns] = sx * mu / length, sy * mu / length
            basis[row + 2, columns] = 1.0 / length
            columns += 1
        elif x or y:
            along, across, sign = (0, 1, sx) if x else (1, 0, sy)
            basis[row + across, columns] = 1.0
            basis[row + along, columns + 1] = sign * mu / norm
            basis[row + 2, columns + 1] = 1.0 / norm
            columns += 2
        else:
            for k in range(3):
                basis[row + k, columns + k] = 1.0
            columns += 3
    return columns

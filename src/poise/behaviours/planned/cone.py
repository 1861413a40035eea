r"""Quadratic programs over friction pyramids: minimise ½ Fᵀ Q F + rᵀ F with every point's force in its cone.

.. math:: \mu f_z \pm f_x \ge 0, \quad \mu f_z \pm f_y \ge 0

The feasible set is a cone with its apex at F = 0, so the program is a projection and always has an answer. Its dual
is a non-negative least-squares problem, min ½ λᵀ D λ - gᵀ λ with D = A Q⁻¹ Aᵀ and g = A Q⁻¹ r, solved by the active
set method of Lawson and Hanson (1974). A face that depends on active faces has no slack and never enters.
"""

from __future__ import annotations

import numpy as np

from poise.compiled import compiled

FACES = 4  # of a pyramid
TOLERANCE = 1e-11  # of a violated face, relative to the largest


@compiled(error_model="numpy")
def cholesky(A, n):
    """Lower factor in place of the leading n × n block; false where it is not positive definite."""
    for j in range(n):
        total = A[j, j]
        for k in range(j):
            total -= A[j, k] * A[j, k]
        if not total > 1e-300:
            return False
        A[j, j] = np.sqrt(total)
        inverse = 1.0 / A[j, j]
        for i in range(j + 1, n):
            total = A[i, j]
            for k in range(j):
                total -= A[i, k] * A[j, k]
            A[i, j] = total * inverse
    return True


@compiled(error_model="numpy")
def lower_solve(A, n, b):
    """b becomes L⁻¹ b."""
    for i in range(n):
        total = b[i]
        for k in range(i):
            total -= A[i, k] * b[k]
        b[i] = total / A[i, i]


@compiled(error_model="numpy")
def upper_solve(A, n, b):
    """b becomes L⁻ᵀ b."""
    for i in range(n - 1, -1, -1):
        b[i] /= A[i, i]
        for k in range(i):
            b[k] -= A[i, k] * b[i]


@compiled
def face(j, mu):
    """The two entries of face j of a point: index of the tangent, its sign; the normal's entry is mu."""
    return j // 2, 1.0 - 2.0 * (j % 2)


@compiled(error_model="numpy")
def _restricted(D, g, chosen, count, work, z):
    """Solve D z = g on the chosen faces; false where they depend on each other."""
    for a in range(count):
        z[a] = g[chosen[a]]
        for b in range(a + 1):
            work[a, b] = D[chosen[a], chosen[b]]
        work[a, a] *= 1.0 + 1e-13
    if not cholesky(work, count):
        return False
    lower_solve(work, count, z)
    upper_solve(work, count, z)
    return True


@compiled(error_model="numpy")
def nonnegative(D, g, active, lam):
    """Minimise ½ λᵀ D λ - gᵀ λ over λ >= 0; ``active`` is a first guess of the faces that push and is updated."""
    m = g.shape[0]
    chosen, z, work, slack = np.empty(m, np.int64), np.empty(m), np.empty((m, m)), np.empty(m)
    lam[:] = 0.0
    tolerance = TOLERANCE * (np.abs(g).max() + 1e-300)
    first = True
    for _ in range(6 * m + 10):
        if not first:
            worst, enter = -tolerance, -1
            for j in range(m):
                slack[j] = -g[j]
                for k in range(m):
                    slack[j] += D[j, k] * lam[k]
                if not active[j] and slack[j] < worst:
                    worst, enter = slack[j], j
            if enter < 0:
                return True
            active[enter] = True
        while True:
            count = 0
            for j in range(m):
                if active[j]:
                    chosen[count] = j
                    count += 1
            if not _restricted(D, g, chosen, count, work, z):
                if first:
                    active[:] = False
                    break
                active[enter] = False  # no independent face is violated: rounding
                return True
            reach = 1.0
            for a in range(count):
                if z[a] <= 0.0:
                    now = lam[chosen[a]]
                    reach = 0.0 if first else min(reach, now / (now - z[a]))
            if reach == 1.0 and (count == 0 or z[:count].min() > 0.0):
                for a in range(count):
                    lam[chosen[a]] = z[a]
                break
            for a in range(count):
                j = chosen[a]
                if first:
                    active[j] = z[a] > 0.0
                    continue
                lam[j] += reach * (z[a] - lam[j])
                if z[a] <= 0.0 and lam[j] <= 1e-14 * (abs(z[a]) + 1e-300):
                    lam[j], active[j] = 0.0, False
        first = False
    return False


@compiled(error_model="numpy")
def project(Q, r, mu, active, F):
    """Minimiser F (n, 3) of ½ Fᵀ Q F + rᵀ F in the cones; ``active`` (4 n) warm-starts and returns the active faces.

    Q (3 n, 3 n) symmetric positive definite, kept. Returns false where Q is not positive definite.
    """
    points = F.shape[0]
    n, m = 3 * points, FACES * points
    if points == 0:
        return True
    low = Q.copy()
    if not cholesky(low, n):
        return False
    y, B = r.copy(), np.zeros((m, n))
    lower_solve(low, n, y)
    for i in range(points):
        for j in range(FACES):
            axis, sign = face(j, mu)
            B[FACES * i + j, 3 * i + axis] = sign
            B[FACES * i + j, 3 * i + 2] = mu
            lower_solve(low, n, B[FACES * i + j])
    lam = np.empty(m)
    solved = nonnegative(B @ B.T, B @ y, active, lam)
    f = B.T @ lam - y
    upper_solve(low, n, f)
    for i in range(points):
        for k in range(3):
            F[i, k] = f[3 * i + k]
        _inside(F[i], mu)
    return solved


@compiled
def _inside(f, mu):
    """Remove what rounding left outside the pyramid."""
    f[2] = max(f[2], 0.0)
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

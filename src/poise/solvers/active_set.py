r"""Small quadratic programs, compiled: minimise ½ xᵀ P x + rᵀ x subject to lower ≤ A x ≤ upper.

With P = L Lᵀ and u = Lᵀ x this is the point nearest to y = -L⁻¹ r in a polyhedron with rows B = A L⁻ᵀ, each scaled to
unit length. Its dual is a non-negative least-squares problem,

.. math:: (B_W B_W^T + \rho)\, \lambda = B_W y - b_W, \qquad u = y - B_W^T \lambda, \quad \lambda \ge 0,

solved by Lawson and Hanson's active set, starting from the rows that acted last time. A soft row may be exceeded
by s at the price s² / 2ρ, s in units of the scaled row. A
trace of ρ on every row keeps dependent rows apart, so that no program is without an answer; it is refined away.
"""

import math

import numpy as np

from poise.compiled import compiled
from poise.solvers.cholesky import backward, factor, forward, forward_rows
from poise.solvers.dot import dot

TRACE = 1e-10  # ρ of a hard row, in units of the scaled rows
REPAIRS = 3  # refinements of the forces, each taking the trace's part out again
TOLERANCE = 1e-9  # by which a scaled row may be exceeded
MOST = 200  # rounds; ordinary programs take one to ten
GAP = 1e-5  # by which an acting row may be missed before the program counts as infeasible
FAILED, INFEASIBLE = -1, -2


@compiled
def minimise(P, r, A, lower, upper, soft, rho, sides, x):
    """Minimiser into x (n,). Returns the rounds it took, FAILED where P is not positive definite, or
    INFEASIBLE.

    P, A, lower and upper are spent.

    Args:
        soft: (m,) true where a row may give way, at the price of ``rho``.
        sides: (m,) +1 or -1 where the upper or the lower limit of a row acts: a guess on entry, the answer on return.
    """
    n, m = r.shape[0], A.shape[0]
    if not factor(P):
        return FAILED
    y = -r
    forward(P, y)
    ease = np.empty(m)
    forward_rows(P, A)
    for i in range(m):
        size = math.sqrt(dot(A[i], A[i], n)) + 1e-150
        ease[i] = rho if soft[i] else TRACE
        for k in range(n):
            A[i, k] /= size
        lower[i], upper[i] = lower[i] / size, upper[i] / size
    rounds = _nearest(A, y, lower, upper, ease, sides, x)
    backward(P, x)
    return rounds


@compiled
def _nearest(B, y, lower, upper, ease, sides, u):
    """The point u nearest to y within the rows; returns the rounds."""
    m = B.shape[0]
    rows, z, force, rest = np.empty(m, dtype=np.int64), np.empty(m), np.zeros(m), np.empty(m)
    Q = np.empty(m * m)
    count = 0
    for i in range(m):
        if sides[i] != 0:
            rows[count] = i
            count += 1
    warm = True
    newest = -1
    for rounds in range(MOST):
        while count and not _multipliers(B, y, lower, upper, ease, sides, rows, count, Q, z, rest):
            count -= 1  # rows that depend on each other beyond repair: leave the last one out
            sides[rows[count]] = 0
        if _all_push(z, count):
            warm = False
            for a in range(count):
                force[rows[a]] = z[a]
            _point(B, y, sides, rows, z, count, u)
            worst, side = _worst(B, lower, upper, sides, u)
            if worst < 0:
                return rounds + 1 if _met(B, lower, upper, ease, sides, rows, count, u) else INFEASIBLE
            newest = worst
            sides[worst], force[worst] = side, 0.0
            rows[count] = worst
            count += 1
            continue
        if not warm and count and rows[count - 1] == newest and z[count - 1] <= 0.0:
            sides[newest] = 0  # exceeded by less than rounding
            return rounds + 1
        newest = -1
        count = _retreat(sides, rows, z, force, count, warm)
    return INFEASIBLE


@compiled
def _multipliers(B, y, lower, upper, ease, sides, rows, count, Q, z, rest):
    """Forces z of the acting rows; false where the rows are dependent."""
    n = B.shape[1]
    F = Q[: count * count].reshape(count, count)
    for a in range(count):
        i, s = rows[a], sides[rows[a]]
        z[a] = rest[a] = s * (dot(B[i], y, n) - (upper[i] if s > 0 else lower[i]))
        for b in range(a + 1):
            F[a, b] = s * sides[rows[b]] * dot(B[i], B[rows[b]], n)
        F[a, a] += ease[i]
    if not factor(F):
        return False
    forward(F, z[:count])
    backward(F, z[:count])
    for _ in range(REPAIRS):
        for a in range(count):
            z[a] = rest[a] + (TRACE * z[a] if ease[rows[a]] == TRACE else 0.0)
        forward(F, z[:count])
        backward(F, z[:count])
    return True


@compiled
def _all_push(z, count):
    pulls = 0
    for a in range(count):
        pulls += not z[a] > 0.0
    return pulls == 0


@compiled
def _point(B, y, sides, rows, z, count, u):
    u[:] = y
    for a in range(count):
        i = rows[a]
        for k in range(u.shape[0]):
            u[k] -= sides[i] * z[a] * B[i, k]


@compiled
def _worst(B, lower, upper, sides, u):
    """The row that is exceeded most and the side on which, or -1."""
    worst, side, most = -1, 0, TOLERANCE
    for i in range(B.shape[0]):
        if sides[i] != 0:
            continue
        value = dot(B[i], u, u.shape[0])
        if value - upper[i] > most:
            worst, side, most = i, 1, value - upper[i]
        if lower[i] - value > most:
            worst, side, most = i, -1, lower[i] - value
    return worst, side


@compiled
def _met(B, lower, upper, ease, sides, rows, count, u):
    """Whether the hard rows that act are met, from both sides."""
    for a in range(count):
        i = rows[a]
        if ease[i] > TRACE:
            continue
        value = dot(B[i], u, u.shape[0])
        if value > upper[i] + GAP or value < lower[i] - GAP:
            return False
    return True


@compiled
def _retreat(sides, rows, z, force, count, warm):
    """Go from the last forces towards z until one of them is zero, and drop that row; a guess drops all that pull."""
    step = 1.0
    for a in range(count):
        if not z[a] > 0.0 and not warm:
            step = min(step, force[rows[a]] / (force[rows[a]] - z[a]))
    kept = 0
    for a in range(count):
        i = rows[a]
        force[i] += step * (z[a] - force[i])
        if (z[a] <= 0.0 and (warm or force[i] <= 1e-14)) or z[a] != z[a]:
            sides[i], force[i] = 0, 0.0
            continue
        rows[kept] = i
        kept += 1
    return kept

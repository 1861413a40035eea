r"""The abstract model: centre of mass, momenta and the integral of H, moved by forces at contact points.

.. math:: x = [c, L, \Phi, H], \quad \dot c = L/m, \quad \dot L = \sum F + m g, \quad \dot\Phi = H, \quad
          \dot H = \sum (p - c) \times F

World axes, SI. One frame is the midpoint rule with F and p held, in closed form and bilinear in (x, F):

.. math:: L^+ = L + h f, \quad c^+ = c + \tfrac{h}{m}(L + \tfrac{h}{2} f), \quad
          H^+ = H + h \sum (p - c - \tfrac{h}{2m} L) \times F, \quad
          \Phi^+ = \Phi + h (H + \tfrac{h}{2} \sum (p - c) \times F)

with f = ΣF + m g. Hence f_xx = f_FF = 0 and f_Fx is all there is of the second derivative.

References: [Abstract], eq. 1; derived in notes of this package's tests.
"""

import numpy as np

from poise.compiled import compiled

C, L, H = slice(0, 3), slice(3, 6), slice(9, 12)  # of the state; 6:9 are angles


@compiled
def wrench(points, F, c, out):
    """Force ΣF and moment Σ(p - c) × F (6,) of forces F (n, 3) at points (n, 3), written to ``out``."""
    out[:] = 0.0
    for i in range(points.shape[0]):
        a, b, d = points[i, 0] - c[0], points[i, 1] - c[1], points[i, 2] - c[2]
        for k in range(3):
            out[k] += F[i, k]
        out[3] += b * F[i, 2] - d * F[i, 1]
        out[4] += d * F[i, 0] - a * F[i, 2]
        out[5] += a * F[i, 1] - b * F[i, 0]


@compiled
def rate(x, points, F, m, g, out):
    """Time derivative ẋ (12,) under forces F (n, 3), written to ``out``."""
    w = np.empty(6)
    wrench(points, F, x[:3], w)
    for k in range(3):
        out[k] = x[3 + k] / m
        out[3 + k] = w[k] + m * g[k]
        out[6 + k] = x[9 + k]
        out[9 + k] = w[3 + k]


@compiled
def step(x, points, F, h, m, g, out):
    """The state one frame later, written to ``out``."""
    start, middle, w = np.empty(6), np.empty(6), np.empty(3)
    wrench(points, F, x[:3], start)
    for k in range(3):
        w[k] = x[k] + 0.5 * h / m * x[3 + k]
    wrench(points, F, w, middle)
    for k in range(3):
        f = start[k] + m * g[k]
        out[k] = x[k] + h / m * (x[3 + k] + 0.5 * h * f)
        out[3 + k] = x[3 + k] + h * f
        out[6 + k] = x[6 + k] + h * (x[9 + k] + 0.5 * h * start[3 + k])
        out[9 + k] = x[9 + k] + h * middle[3 + k]


@compiled
def add_cross(a, scale, M, row, column):
    """Add scale [a]× (3, 3) to a block of M: [a]× b = a × b."""
    M[row, column + 1] -= scale * a[2]
    M[row, column + 2] += scale * a[1]
    M[row + 1, column] += scale * a[2]
    M[row + 1, column + 2] -= scale * a[0]
    M[row + 2, column] -= scale * a[1]
    M[row + 2, column + 1] += scale * a[0]


@compiled
def jacobians(x, points, F, h, m, fx, fF):
    """Exact derivatives of ``step``: fx (12, 12) and fF (12, 3 n), written in place."""
    n = points.shape[0]
    fx[:, :] = 0.0
    fF[:, :] = 0.0
    force = np.zeros(3)
    for i in range(n):
        force += F[i]
    for k in range(12):
        fx[k, k] = 1.0
    for k in range(3):
        fx[k, 3 + k] = h / m
        fx[6 + k, 9 + k] = h
    # -δc × F = F × δc
    add_cross(force, h, fx, 9, 0)
    add_cross(force, 0.5 * h * h / m, fx, 9, 3)
    add_cross(force, 0.5 * h * h, fx, 6, 0)
    for i in range(n):
        arm = points[i] - x[:3]
        late = arm - 0.5 * h / m * x[3:6]
        for k in range(3):
            fF[k, 3 * i + k] = 0.5 * h * h / m
            fF[3 + k, 3 * i + k] = h
        add_cross(arm, 0.5 * h * h, fF, 6, 3 * i)
        add_cross(late, h, fF, 9, 3 * i)


@compiled
def curvature(V, h, m, out):
    """∂²(V · x⁺)/∂F_i ∂x (3, 12), the same block for every contact point, written to ``out``."""
    out[:, :] = 0.0
    add_cross(V[9:12], -h, out, 0, 0)
    add_cross(V[6:9], -0.5 * h * h, out, 0, 0)
    add_cross(V[9:12], -0.5 * h * h / m, out, 0, 3)

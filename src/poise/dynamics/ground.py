"""The ground by place, compiled: its height, how a sole lies on it, and how a ground that moves carries a point."""

from __future__ import annotations

import math

import numpy as np

from poise.compiled import compiled
from poise.dynamics.relief import top_at
from poise.solvers.dot import applied

FOLLOW = 10.0  # [1/s]: how fast the height that the body counts from follows the ground under its feet
THIN = 1e-3  # [m]: least half size of a sole
ROUNDING = 1e-9  # [m]: a board that is lifted by less lies on the ground under its middle
BETWEEN = 10  # places looked at between two others


@compiled
def height(ground, x, y):
    """Height of the ground at a place: of the terrain, else of the plane [m]."""
    z, point, n = top_at(ground.relief, x, y, ground.base[2] + ground.reach), ground.point, ground.normal
    return z if z > -math.inf else point[2] - (n[0] * (x - point[0]) + n[1] * (y - point[1])) / n[2]


@compiled
def highest(ground, a, b):
    """Highest ground between two places (2,) [m]."""
    best = -math.inf
    for i in range(BETWEEN + 1):
        t = i / BETWEEN
        best = max(best, height(ground, a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])))
    return best


@compiled
def lie(ground, x, y, c, s, half, wide):
    """How a sole would lie: height of its middle, and how the ground rises along and across it."""
    z, along = _bridge(ground, x, y, c * half, s * half)
    z_across, across = _bridge(ground, x, y, -s * wide, c * wide)
    return max(z, z_across), along / half, across / wide


@compiled
def _bridge(ground, x, y, dx, dy):
    """A stiff board through a place, laid on the ground from above: its height there and its rise from middle to end.

    On a hump it may rock, and then lies as level as it can; over a hollow it spans the two places that bear it.
    """
    middle = height(ground, x, y)
    least, most, best, rise = -math.inf, math.inf, middle, 0.0
    for i in range(1, 3):
        a = 0.5 * i
        z_a = height(ground, x - a * dx, y - a * dy)
        most = min(most, (middle - z_a) / a)
        for k in range(1, 3):
            b = 0.5 * k
            z_b = height(ground, x + b * dx, y + b * dy)
            least = max(least, (z_b - middle) / b)
            z = (b * z_a + a * z_b) / (a + b)
            if z > best:
                best, rise = z, (z_b - z_a) / (a + b)
    if best > middle + ROUNDING:
        return best, rise
    return middle, min(max(0.0, least), most)


@compiled
def feel(ground, x, R, passed):
    """Planes under the soles, and ``base``, which follows their mean like a critically damped spring."""
    mean, count, base, climb = 0.0, 0, ground.base, ground.climb
    for s in range(x.shape[0]):
        c, sn, n = R[s, 0, 0], R[s, 1, 0], math.hypot(R[s, 0, 0], R[s, 1, 0])
        c, sn = (c / n, sn / n) if n > THIN else (1.0, 0.0)
        z, along, across = lie(ground, x[s, 0], x[s, 1], c, sn, ground.half[s, 0], ground.half[s, 1])
        ground.under[s, 0], ground.under[s, 1], ground.under[s, 2] = x[s, 0], x[s, 1], z
        _tilt(along * c - across * sn, along * sn + across * c, ground.axes[s])
        if ground.stance[s]:
            mean, count = mean + z, count + 1
    mean = mean / count if count > 0 else base[2]
    if passed == math.inf:
        base[2] = mean
    else:
        climb[0] += passed * FOLLOW * (FOLLOW * (mean - base[2]) - 2.0 * climb[0])
        base[2] += passed * climb[0]


@compiled
def _tilt(gx, gy, axes):
    """Axes (3, 3) of a plane that rises by gx and gy along the world's x and y: its x ahead, its z up."""
    n, a = math.sqrt(1.0 + gx * gx + gy * gy), math.sqrt(1.0 + gx * gx)
    axes[0, 0], axes[1, 0], axes[2, 0] = 1.0 / a, 0.0, gx / a
    axes[0, 2], axes[1, 2], axes[2, 2] = -gx / n, -gy / n, 1.0 / n
    axes[0, 1], axes[1, 1], axes[2, 1] = -gx * gy / (a * n), (1.0 + gx * gx) / (a * n), gy / (a * n)


@compiled
def sense(xpos, xmat, cvel, com, top, passed, point, normal, velocity, acceleration):
    """Pose and motion of the top of a moving body; the acceleration needs some time to have passed."""
    R = xmat.reshape(3, 3)
    normal[:] = R[:, 2]
    point[:] = xpos + applied(R, top)
    w = cvel[:3].copy()  # the engine's order: angular, then linear about the tree's centre of mass
    v = cvel[3:] + np.cross(w, point - com)
    for k in range(3):
        if passed > 0.0:
            acceleration[k], acceleration[3 + k] = (
                (v[k] - velocity[k]) / passed,
                (w[k] - velocity[3 + k]) / passed,
            )
        velocity[k], velocity[3 + k] = v[k], w[k]


@compiled
def carry(x, point, velocity, acceleration, v, a):
    """Motion of a point that moves with the ground."""
    r, w = x - point, velocity[3:]
    spin = np.cross(w, r)
    v[:], a[:] = velocity, acceleration
    v[:3] += spin
    a[:3] += np.cross(acceleration[3:], r) + np.cross(w, spin)

"""What a character stands on: a level plane, the top of a moving body, or terrain whose height is known by place."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import mujoco
import numpy as np

from poise.compiled import compiled
from poise.dynamics.engine import Soles
from poise.dynamics.relief import Relief, top_at
from poise.records import Cube, Flags, Matrix, Real, Record, Vector

if TYPE_CHECKING:
    from poise.dynamics.state import State

CLIMB = 0.35  # in heights of the centre of mass: what is higher than this above the feet is no ground to step on
FOLLOW = 10.0  # [1/s]: how fast the height that the body counts from follows the ground under its feet
THIN = 1e-3  # [m]: least half size of a sole
ROUNDING = 1e-9  # [m]: a board that is lifted by less lies on the ground under its middle
BETWEEN = 10  # places looked at between two others


class Ground(Record):
    """The ground by place, and the plane that a character counts on: still, or the top of a moving body.

    The motion of the plane is sensed, not foretold. On terrain (``rough``) every sole has a plane of its own.
    """

    relief: Relief
    point: Vector
    normal: Vector
    velocity: Vector  # (6,) of the material under ``point``, linear first
    acceleration: Vector
    under: Matrix  # (S, 3) a point of the plane under each sole [m]
    axes: Cube  # (S, 3, 3) axes of that plane, z its normal
    base: Vector  # (3,) where the body counts its height from: ``point``; on terrain, the mean under its feet, smooth
    climb: Vector  # (1,) its rate [m/s]
    half: Matrix  # (S, 2) half length and width of the soles [m]
    stance: Flags  # (S,) those that are its feet
    reach: Real  # above ``base`` [m]: what is higher is no ground

    def __init__(
        self, model: mujoco.MjModel, data: mujoco.MjData, body: str | None, soles: Soles, stance: np.ndarray, size: float
    ):
        self.relief = Relief(model, body is not None)
        self.rough = len(self.relief.kind) > 0
        self.body = -1 if body is None else model.body(body).id
        self.data, self.top = data, np.zeros(3)
        if self.body >= 0:
            geom = model.body_geomadr[self.body]
            self.top = model.geom_pos[geom] + [0, 0, model.geom_size[geom][2]]
        self.normal, self.point = np.array([0.0, 0.0, 1.0]), np.zeros(3)
        self.velocity, self.acceleration = np.zeros(6), np.zeros(6)
        count = len(stance)
        self.under, self.axes = np.zeros((count, 3)), np.tile(np.eye(3), (count, 1, 1))
        self.base, self.climb = self.point.copy() if self.rough else self.point, np.zeros(1)
        self.half = np.array([0.5 * np.ptp(c @ R[:, :2], axis=0) for c, R in zip(soles.corners_b, soles.frame_b)])
        self.half, self.stance, self.reach = np.maximum(self.half, THIN).reshape(-1, 2), stance, CLIMB * size
        self._time = -1.0  # of the last look
        self._v, self._a = np.zeros(6), np.zeros(6)
        if self.body >= 0:
            root = model.body_rootid[self.body]
            self._views = (
                data.xpos[self.body],
                data.xmat[self.body],
                data.cvel[self.body],
                data.subtree_com[root],
            )
        self.seal()

    def update(self) -> None:
        """Sense position, velocity and (by difference over the last tick) acceleration of the ground."""
        if self.body < 0:
            return
        passed = self.data.time - self._time if self._time >= 0 else 0.0
        _sense(*self._views, self.top, passed, self.point, self.normal, self.velocity, self.acceleration)
        self._time = self.data.time
        self.under[:], self.axes[:] = self.point, self._views[1].reshape(3, 3)

    def settle(self, height: float) -> None:
        """Put the level plane at a height [m]."""
        self.point[2] = height
        if not self.rough:
            self.under[:] = self.point

    def feel(self, state: State) -> None:
        """Find the planes under the soles and the height that the body counts from, on terrain."""
        passed = self.data.time - self._time if self._time >= 0 else math.inf
        _feel(self, state.x, state.R, passed)
        self._time = self.data.time

    def height_at(self, x: float, y: float) -> float:
        """Height of the ground at a place [m]."""
        return height(self, x, y)

    def lie(self, x: float, y: float, heading: float, half: np.ndarray) -> tuple[float, float, float]:
        """How a sole of half length and width (2,) would lie: height [m], pitch (heel up) and roll (left up) [rad]."""
        if not self.rough:
            return float(self.point[2]), 0.0, 0.0
        c, s = math.cos(heading), math.sin(heading)
        level, along, across = lie(self, x, y, c, s, half[0], half[1])
        return level, -math.atan(along), math.atan(across)

    def highest(self, a: np.ndarray, b: np.ndarray) -> float:
        """Highest ground between two places (2,) [m]."""
        return _highest(self, a, b) if self.rough else float(self.point[2])

    def motion_at(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Velocity and acceleration (linear, angular) of the ground's material at a point, until the next call."""
        if self.body < 0:
            return self.velocity, self.acceleration
        _carry(x, self.point, self.velocity, self.acceleration, self._v, self._a)
        return self._v, self._a

    def height_of(self, x: np.ndarray) -> np.ndarray:
        """Distance above the plane that the body counts from [m] of points (..., 3)."""
        return (x - self.base) @ self.normal


@compiled
def height(ground, x, y):
    """Height of the ground at a place: of the terrain, else of the plane [m]."""
    z, point, n = top_at(ground.relief, x, y, ground.base[2] + ground.reach), ground.point, ground.normal
    return z if z > -math.inf else point[2] - (n[0] * (x - point[0]) + n[1] * (y - point[1])) / n[2]


@compiled
def _highest(ground, a, b):
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
def _feel(ground, x, R, passed):
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
def _sense(xpos, xmat, cvel, com, top, passed, point, normal, velocity, acceleration):
    """Pose and motion of the top of a moving body; the acceleration needs some time to have passed."""
    R = xmat.reshape(3, 3)
    normal[:] = R[:, 2]
    point[:] = xpos + R @ top
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
def _carry(x, point, velocity, acceleration, v, a):
    """Motion of a point that moves with the ground."""
    r, w = x - point, velocity[3:]
    spin = np.cross(w, r)
    v[:], a[:] = velocity, acceleration
    v[:3] += spin
    a[:3] += np.cross(acceleration[3:], r) + np.cross(w, spin)

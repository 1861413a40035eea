"""The plane that a character stands on, and how it moves."""

from __future__ import annotations

import mujoco
import numpy as np

from poise.compiled import compiled
from poise.records import Record, Vector


class Ground(Record):
    """The plane a character stands on: still, or the top of a moving body. Its motion is sensed, not foretold."""

    point: Vector
    normal: Vector
    velocity: Vector  # (6,) of the material under ``point``, linear first
    acceleration: Vector

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData, body: str | None):
        self.body = -1 if body is None else model.body(body).id
        self.data, self.top = data, np.zeros(3)
        if self.body >= 0:
            geom = model.body_geomadr[self.body]
            self.top = model.geom_pos[geom] + [0, 0, model.geom_size[geom][2]]
        self.normal, self.point = np.array([0.0, 0.0, 1.0]), np.zeros(3)
        self.velocity, self.acceleration = np.zeros(6), np.zeros(6)
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

    def motion_at(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Velocity and acceleration (linear, angular) of the ground's material at a point, until the next call."""
        if self.body < 0:
            return self.velocity, self.acceleration
        _carry(x, self.point, self.velocity, self.acceleration, self._v, self._a)
        return self._v, self._a

    def height_of(self, x: np.ndarray) -> np.ndarray:
        """Distance above the plane [m] of points (..., 3)."""
        return (x - self.point) @ self.normal


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

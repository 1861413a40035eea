"""Points of a body that can touch the ground: what contact models outside the engine have in common."""

from __future__ import annotations

from collections.abc import Sequence

import mujoco
import numpy as np

from poise.geometry.linear import times
from poise.records import FlagMatrix, Indices, Matrix, Real, Record, Vector

Soles = Sequence[Sequence[int]]  # bodies of each support


class PointContact(Record):
    """Base of a contact model of capsule ends, spheres and box corners with the ground's plane."""

    body: Indices  # (n,) of each point
    local: Matrix  # (n, 3) in the frame of its body [m]
    radius: Vector
    affects: FlagMatrix  # (n, nv) degrees of freedom that move it
    depth: Vector  # below the ground [m]
    mu: Real
    xpos: Matrix  # the engine's
    xmat: Matrix
    cdof: Matrix
    origin: Vector  # (3,) centre of mass of the body's tree [m]

    def __init__(
        self, model: mujoco.MjModel, data: mujoco.MjData, bodies: range, supports: Soles, friction: float
    ):
        self.model, self.data, self.mu = model, data, float(friction)
        points = [p for b in bodies for p in contact_points(model, b)]
        self.body = np.array([p[0] for p in points])
        self.local, self.radius = np.array([p[1] for p in points]), np.array([p[2] for p in points])
        self.is_support = np.isin(self.body, [b for own in supports for b in own])
        self.affects = np.array([moving_dofs(model, b) for b in self.body])
        self.depth = np.zeros(len(points))
        self.xpos, self.xmat, self.cdof = data.xpos, data.xmat, data.cdof
        self.origin = data.subtree_com[model.body_rootid[bodies[0]]]

    @staticmethod
    def prepare(spec: mujoco.MjSpec) -> None:
        """Take the ground out of the engine's own contact; limbs still collide with each other."""
        ground = spec.geom("ground")
        ground.contype = ground.conaffinity = 0

    def touches(self) -> bool:
        """Whether a body that is no support is on the ground."""
        return bool((self.depth[~self.is_support] > 0).any())

    def penetration(self) -> float:
        """Deepest overlap with the ground [m]."""
        return max(0.0, float(self.depth.max()))


def contact_points(model: mujoco.MjModel, body: int) -> list[tuple[int, np.ndarray, float]]:
    """Points of a body's shapes that meet a plane first: (body, point in its frame, radius)."""
    out = []
    for g in range(model.body_geomadr[body], model.body_geomadr[body] + model.body_geomnum[body]):
        if model.geom_contype[g] == 0 and model.geom_conaffinity[g] == 0:
            continue
        kind, size, centre = model.geom_type[g], model.geom_size[g], model.geom_pos[g]
        R = np.zeros(9)
        mujoco.mju_quat2Mat(R, model.geom_quat[g])
        R = R.reshape(3, 3)
        if kind == mujoco.mjtGeom.mjGEOM_SPHERE:
            out.append((body, centre, size[0]))
        elif kind == mujoco.mjtGeom.mjGEOM_CAPSULE:
            out += [(body, centre + s * size[1] * R[:, 2], size[0]) for s in (-1, 1)]
        elif kind == mujoco.mjtGeom.mjGEOM_BOX:
            corners = np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).reshape(3, -1).T * size
            out += [(body, centre + times(R, c), 0.0) for c in corners]
    return [(b, np.array(p), float(r)) for b, p, r in out]


def moving_dofs(model: mujoco.MjModel, body: int) -> np.ndarray:
    mask = np.zeros(model.nv, dtype=np.bool_)
    while body > 0:
        mask[model.body_dofadr[body] : model.body_dofadr[body] + model.body_dofnum[body]] = (
            model.body_dofnum[body] > 0
        )
        body = model.body_parentid[body]
    return mask

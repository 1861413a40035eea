"""Penalty contact: springs and dampers at the points of the body that can touch the ground ([Balance] §5).

The force depends on the state alone, so it is known before the step and can be handed to inverse dynamics.
Friction is a spring to where the point first touched, whose foot slides when it would leave the friction cone.
"""

from __future__ import annotations

import mujoco
import numpy as np

from poise.compiled import compiled
from poise.dynamics.jacobian import body_jacobian

STIFFNESS = 4e5  # [N/m] per point; softer ground lets the body rock on it as one rigid piece
DAMPING = 1.5e3  # [N s/m] per point
SHEAR = 2e5  # [N/m] per point
SHEAR_DAMPING = 8e2  # [N s/m] per point


class PenaltyContact:
    """Spring contact of capsule ends, spheres and box corners with the ground's plane."""

    def __init__(
        self, model: mujoco.MjModel, data: mujoco.MjData, bodies: range, supports: set[int], friction: float
    ):
        self.model, self.data, self.mu = model, data, friction
        points = [p for b in bodies for p in contact_points(model, b)]
        self.body = np.array([p[0] for p in points])
        self.local = np.array([p[1] for p in points])
        self.radius = np.array([p[2] for p in points])
        self.is_support = np.isin(self.body, list(supports))
        self.anchor = np.full((len(points), 3), np.nan)  # in the frame of the ground
        self.depth = np.zeros(len(points))
        self.affects = np.array([moving_dofs(model, b) for b in self.body])
        ground = model.geom("ground")
        self.ground_body = int(ground.bodyid[0])
        self.top = np.array([0, 0, 0.0])
        self.moves = self.ground_body != 0
        self.root = model.body_rootid[bodies[0]]
        self.J = np.zeros((6, model.nv))

    @staticmethod
    def prepare(spec: mujoco.MjSpec) -> None:
        """Take the ground out of the engine's own contact; limbs still collide with each other."""
        ground = spec.geom("ground")
        ground.contype = ground.conaffinity = 0

    def apply(self, force: np.ndarray) -> None:
        """Add the ground's generalised force (nv of the model) for the state as it is."""
        d = self.data
        R_g, p_g = d.xmat[self.ground_body].reshape(3, 3), d.xpos[self.ground_body]
        twist = np.zeros(6)
        if self.moves:
            v = d.cvel[self.ground_body]
            arm = p_g - d.subtree_com[self.model.body_rootid[self.ground_body]]
            twist[:3], twist[3:] = v[3:] + np.cross(v[:3], arm), v[:3]
        _forces(self.body, self.local, self.radius, d.xpos, d.xmat, d.cvel, d.cdof, self.affects,
                d.subtree_com[self.root], R_g, p_g, twist, self.mu, self.anchor, self.depth, self.J, force)  # fmt: skip

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
            out += [(body, centre + R @ c, 0.0) for c in corners]
    return [(b, np.array(p), float(r)) for b, p, r in out]


def moving_dofs(model: mujoco.MjModel, body: int) -> np.ndarray:
    mask = np.zeros(model.nv, dtype=np.bool_)
    while body > 0:
        mask[model.body_dofadr[body] : model.body_dofadr[body] + model.body_dofnum[body]] = (
            model.body_dofnum[body] > 0
        )
        body = model.body_parentid[body]
    return mask


@compiled
def _forces(
    body, local, radius, xpos, xmat, cvel, cdof, affects, origin, R_g, p_g, twist, mu, anchor, depth, J, force
):
    x, v, f, shear = np.empty(3), np.empty(3), np.empty(3), np.empty(3)
    n = R_g[:, 2]
    for q in range(body.shape[0]):
        R = xmat[body[q]]
        for k in range(3):
            x[k] = xpos[body[q], k] - radius[q] * n[k]
            for j in range(3):
                x[k] += R[3 * k + j] * local[q, j]
        r = x - p_g
        depth[q] = -(r[0] * n[0] + r[1] * n[1] + r[2] * n[2])
        if depth[q] <= 0.0:
            anchor[q, 0] = np.nan
            continue
        w, arm = cvel[body[q], :3], x - origin
        g = twist[3:]
        v[0] = cvel[body[q], 3] + w[1] * arm[2] - w[2] * arm[1] - twist[0] - (g[1] * r[2] - g[2] * r[1])
        v[1] = cvel[body[q], 4] + w[2] * arm[0] - w[0] * arm[2] - twist[1] - (g[2] * r[0] - g[0] * r[2])
        v[2] = cvel[body[q], 5] + w[0] * arm[1] - w[1] * arm[0] - twist[2] - (g[0] * r[1] - g[1] * r[0])
        speed = v[0] * n[0] + v[1] * n[1] + v[2] * n[2]
        push = max(0.0, STIFFNESS * depth[q] - DAMPING * speed)
        place = R_g.T @ r
        if np.isnan(anchor[q, 0]):
            anchor[q] = place
        gap = R_g @ (anchor[q] - place)
        height = gap[0] * n[0] + gap[1] * n[1] + gap[2] * n[2]
        size = 0.0
        for k in range(3):
            shear[k] = SHEAR * (gap[k] - height * n[k]) - SHEAR_DAMPING * (v[k] - speed * n[k])
            size += shear[k] ** 2
        size = np.sqrt(size)
        if size > mu * push:
            for k in range(3):
                shear[k] *= mu * push / size
            anchor[q] = place + R_g.T @ (shear / SHEAR)
        for k in range(3):
            f[k] = push * n[k] + shear[k]
        body_jacobian(cdof, affects[q], origin, x, 0, J)
        for i in range(J.shape[1]):
            if affects[q, i]:
                force[i] += J[0, i] * f[0] + J[1, i] * f[1] + J[2, i] * f[2]

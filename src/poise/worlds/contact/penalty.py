"""Penalty contact: springs and dampers at the points of the body that can touch the ground ([Balance] §5).

The force depends on the state alone, so it is known before the step and can be handed to inverse dynamics.
Friction is a spring to where the point first touched, whose foot slides when it would leave the friction cone.
"""

from __future__ import annotations

import mujoco
import numpy as np

from poise.character.constants import GRAVITY
from poise.compiled import compiled
from poise.dynamics.jacobian import body_jacobian
from poise.records import Indices, Matrix, Vector
from poise.worlds.contact.points import PointContact, Soles

STIFFNESS = 2e6  # [N/m] per point; softer ground lets the body rock on it as one rigid piece
DAMPING = 4e3  # [N s/m] per point
SHEAR = 4e5  # [N/m] per point; much stiffer needs steps below 0.5 ms
SHEAR_DAMPING = 1.2e3  # [N s/m] per point
LEVEL = 1e-3  # [m]: points this near to the deepest bear the body with it


class PenaltyContact(PointContact):
    """Spring contact of capsule ends, spheres and box corners with the ground's plane."""

    cvel: Matrix
    anchor: Matrix  # in the frame of the ground
    p_g: Vector  # place, axes and motion of the ground
    R_g: Vector
    twist: Vector
    J: Matrix  # work array (6, nv)
    sole: Indices  # (n,) support that a point belongs to; -1 is none
    shares: Matrix  # (S, nv) generalised force on each support

    def __init__(
        self, model: mujoco.MjModel, data: mujoco.MjData, bodies: range, supports: Soles, friction: float
    ):
        super().__init__(model, data, bodies, supports, friction)
        at = {b: s for s, own in enumerate(supports) for b in own}
        self.sole = np.array([at.get(int(b), -1) for b in self.body])
        self.shares = np.zeros((len(supports), model.nv))
        self.ground_body = int(model.geom("ground").bodyid[0])
        self.p_g, self.R_g = data.xpos[self.ground_body], data.xmat[self.ground_body]
        self.cvel, self.anchor = data.cvel, np.full(self.local.shape, np.nan)
        self.twist, self.J = np.zeros(6), np.zeros((6, model.nv))
        self.seal()

    def lift(self, mass: float) -> float:
        """How much higher a body that stands should be for its deepest points to be pressed in by its weight [m]."""
        self.apply(np.zeros(self.model.nv))
        self.anchor[:, 0] = np.nan
        deepest = float(self.depth.max())
        bear = int((self.depth > deepest - LEVEL).sum())
        return deepest - mass * GRAVITY / (STIFFNESS * bear) if deepest > 0.0 else 0.0

    def apply(self, force: np.ndarray) -> None:
        """Add the ground's generalised force (nv of the model) for the state as it is."""
        if self.ground_body != 0:  # it moves
            v = self.cvel[self.ground_body]
            arm = self.p_g - self.data.subtree_com[self.model.body_rootid[self.ground_body]]
            self.twist[:3], self.twist[3:] = v[3:] + np.cross(v[:3], arm), v[:3]
        self.shares[:] = 0.0
        _forces(self, force)


@compiled
def _forces(contact, force):
    body, cvel, affects, J = contact.body, contact.cvel, contact.affects, contact.J
    anchor, depth, twist, mu = contact.anchor, contact.depth, contact.twist, contact.mu
    R_g, origin = contact.R_g.reshape(3, 3), contact.origin
    x, v, f, shear = np.empty(3), np.empty(3), np.empty(3), np.empty(3)
    n = R_g[:, 2]
    for q in range(body.shape[0]):
        R = contact.xmat[body[q]]
        for k in range(3):
            x[k] = contact.xpos[body[q], k] - contact.radius[q] * n[k]
            for j in range(3):
                x[k] += R[3 * k + j] * contact.local[q, j]
        r = x - contact.p_g
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
        body_jacobian(contact.cdof, affects[q], origin, x, 0, J)
        sole = contact.sole[q]
        for i in range(J.shape[1]):
            if affects[q, i]:
                push = J[0, i] * f[0] + J[1, i] * f[1] + J[2, i] * f[2]
                force[i] += push
                if sole >= 0:
                    contact.shares[sole, i] += push

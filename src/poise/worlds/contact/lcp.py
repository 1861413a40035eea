r"""Contact as a linear complementarity problem at large steps ([Rolling] appendix A), by projected Gauss-Seidel.

With u the velocities of the contact points along their normals and tangents after the step, in reduced coordinates,

.. math:: u_{t+h} = J\,(v_t + h\tilde M^{-1}(f + J^T\lambda)), \qquad 0 \le \lambda_N \perp u_N + d/h \ge 0, \qquad
          |\lambda_T| \le \mu\lambda_N

where d is the distance to the ground: a point that is still above it may come down to it within the step, one that is
below is brought up at a limited speed. M̃ holds the joints' damping as the engine's integrator does. Joint stops and
limbs that meet stay with the engine.
"""

from __future__ import annotations

import mujoco
import numpy as np

from poise.compiled import compiled
from poise.dynamics.jacobian import body_jacobian
from poise.dynamics.mass import unpack_mass
from poise.records import Matrix, Vector
from poise.solvers.cholesky import backward, factor, forward
from poise.worlds.contact.points import PointContact, Soles

MARGIN = 0.06  # [m]: points nearer than this are looked at; more than a limb moves in a step
LIFT = 1.0  # [m/s]: fastest that a point below the ground is brought up
SHARE = 0.5  # of its depth, a step
SWEEPS = 150  # of Gauss-Seidel, at the most
CLOSE = 1e-6  # [N s]: smaller changes of an impulse end the sweeps
EASE = 1e-9  # of the diagonal: keeps it from vanishing


class LcpContact(PointContact):
    """Hard contact of capsule ends, spheres and box corners with a still plane, solved together with the step."""

    implicit = True
    p_g: Vector  # place and axes of the ground
    R_g: Vector
    v: Vector  # (nv,) of the model
    damping: Vector
    impulse: Vector
    M: Matrix
    six: Matrix  # work array (6, nv)

    def __init__(
        self, model: mujoco.MjModel, data: mujoco.MjData, bodies: range, supports: Soles, friction: float
    ):
        super().__init__(model, data, bodies, supports, friction)
        ground, nv = model.geom("ground").id, model.nv
        self.p_g, self.R_g = data.geom_xpos[ground], data.geom_xmat[ground]
        self.v, self.damping = data.qvel, model.dof_damping
        self.impulse, self.M, self.six = np.zeros(3 * len(self.body)), np.zeros((nv, nv)), np.zeros((6, nv))
        self.sweeps = 0
        self.seal()

    def apply(self, force: np.ndarray) -> None:
        """Nothing before torques are known; see ``resolve``."""

    def resolve(self, force: np.ndarray) -> None:
        """Set the ground's generalised force (nv of the model) for the coming step; torques and pushes are in place."""
        m, d = self.model, self.data
        smooth = d.qfrc_passive - d.qfrc_bias + d.qfrc_applied
        mujoco.mj_fwdActuation(m, d)
        smooth += d.qfrc_actuator
        unpack_mass(d.M, m.M_rownnz, m.M_rowadr, m.M_colind, 0, self.M)
        force[:] = 0.0
        self.sweeps = _solve(self, smooth, m.opt.timestep, force)


@compiled
def _solve(contact, smooth, h, force):
    M, body, depth, impulse, six = contact.M, contact.body, contact.depth, contact.impulse, contact.six
    nv, total, R_g = M.shape[0], body.shape[0], contact.R_g.reshape(3, 3)
    axes = (R_g[:, 2].copy(), R_g[:, 0].copy(), R_g[:, 1].copy())  # normal, tangents
    near = np.zeros(total, dtype=np.int64)
    x = np.zeros((total, 3))
    k = 0
    for q in range(total):
        R = contact.xmat[body[q]].reshape(3, 3)
        x[q] = contact.xpos[body[q]] + R @ contact.local[q] - contact.radius[q] * axes[0]
        depth[q] = -np.dot(x[q] - contact.p_g, axes[0])
        if depth[q] > -MARGIN:
            near[k] = q
            k += 1
    if k == 0:
        return 0
    J = np.zeros((3 * k, nv))
    for s in range(k):
        q = near[s]
        body_jacobian(contact.cdof, contact.affects[q], contact.origin, x[q], 0, six)
        for i in range(3):
            for j in range(nv):
                J[3 * s + i, j] = axes[i][0] * six[0, j] + axes[i][1] * six[1, j] + axes[i][2] * six[2, j]
    for i in range(nv):
        M[i, i] += h * contact.damping[i]
    factor(M)
    free = h * smooth
    forward(M, free)
    backward(M, free)
    free += contact.v
    X = J.copy()
    for i in range(3 * k):
        forward(M, X[i])
    A = X @ X.T  # velocity per impulse
    u = J @ free
    for s in range(k):
        d = depth[near[s]]
        u[3 * s] -= d / h if d < 0 else min(SHARE * d / h, LIFT)
    z = np.zeros(3 * k)
    sweeps = 0
    for _ in range(SWEEPS):
        sweeps += 1
        change = 0.0
        for i in range(3 * k):
            most = contact.mu * z[i - i % 3]
            low, high = (0.0, np.inf) if i % 3 == 0 else (-most, most)
            new = min(max(z[i] - u[i] / (A[i, i] + EASE), low), high)
            step = new - z[i]
            if step != 0.0:
                z[i] = new
                for j in range(3 * k):
                    u[j] += A[j, i] * step
                change = max(change, abs(step))
        if change < CLOSE:
            break
    impulse[:] = 0.0
    for s in range(k):
        for i in range(3):
            impulse[3 * near[s] + i] = z[3 * s + i]
            for j in range(nv):
                force[j] += J[3 * s + i, j] * z[3 * s + i] / h
    return sweeps

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
from poise.solvers.cholesky import backward, factor, forward
from poise.worlds.contact.penalty import contact_points, moving_dofs

MARGIN = 0.06  # [m]: points nearer than this are looked at; more than a limb moves in a step
LIFT = 1.0  # [m/s]: fastest that a point below the ground is brought up
SHARE = 0.5  # of its depth, a step
SWEEPS = 150  # of Gauss-Seidel, at the most
CLOSE = 1e-6  # [N s]: smaller changes of an impulse end the sweeps
EASE = 1e-9  # of the diagonal: keeps it from vanishing


class LcpContact:
    """Hard contact of capsule ends, spheres and box corners with a still plane, solved together with the step."""

    implicit = True

    def __init__(
        self, model: mujoco.MjModel, data: mujoco.MjData, bodies: range, supports: set[int], friction: float
    ):
        self.model, self.data, self.mu = model, data, friction
        points = [p for b in bodies for p in contact_points(model, b)]
        self.body = np.array([p[0] for p in points])
        self.local, self.radius = np.array([p[1] for p in points]), np.array([p[2] for p in points])
        self.is_support = np.isin(self.body, list(supports))
        self.affects = np.array([moving_dofs(model, b) for b in self.body])
        self.root = model.body_rootid[bodies[0]]
        n, nv = len(points), model.nv
        self.depth, self.impulse = np.zeros(n), np.zeros(3 * n)
        self._M, self._six = np.zeros((nv, nv)), np.zeros((6, nv))
        self.sweeps = 0

    @staticmethod
    def prepare(spec: mujoco.MjSpec) -> None:
        """Take the ground out of the engine's own contact; limbs still collide with each other."""
        ground = spec.geom("ground")
        ground.contype = ground.conaffinity = 0

    def apply(self, force: np.ndarray) -> None:
        """Nothing before torques are known; see ``resolve``."""

    def resolve(self, force: np.ndarray) -> None:
        """Set the ground's generalised force (nv of the model) for the coming step; torques and pushes are in place."""
        m, d = self.model, self.data
        ground = m.geom("ground").id
        smooth = d.qfrc_passive - d.qfrc_bias + d.qfrc_applied
        mujoco.mj_fwdActuation(m, d)
        smooth += d.qfrc_actuator
        unpack_mass(d.M, m.M_rownnz, m.M_rowadr, m.M_colind, 0, self._M)
        force[:] = 0.0
        self.sweeps = _solve(
            self._M, m.dof_damping, m.opt.timestep, smooth, d.qvel, self.body, self.local, self.radius, d.xpos, d.xmat,
            d.cdof, self.affects, d.subtree_com[self.root], d.geom_xpos[ground],
            np.ascontiguousarray(d.geom_xmat[ground].reshape(3, 3)), self.mu, self.depth, self.impulse, self._six,
            force,
        )  # fmt: skip

    def touches(self) -> bool:
        """Whether a body that is no support is on the ground."""
        return bool((self.depth[~self.is_support] > 0).any())

    def penetration(self) -> float:
        """Deepest overlap with the ground [m]."""
        return max(0.0, float(self.depth.max()))


@compiled(error_model="numpy")
def _solve(
    M, damping, h, smooth, v, body, local, radius, xpos, xmat, cdof, affects, origin, p_g, R_g, mu, depth, impulse, six,
    force,
):  # fmt: skip
    nv, total = M.shape[0], body.shape[0]
    axes = (R_g[:, 2].copy(), R_g[:, 0].copy(), R_g[:, 1].copy())  # normal, tangents
    near = np.zeros(total, dtype=np.int64)
    x = np.zeros((total, 3))
    k = 0
    for q in range(total):
        x[q] = xpos[body[q]] + xmat[body[q]].reshape(3, 3) @ local[q] - radius[q] * axes[0]
        depth[q] = -np.dot(x[q] - p_g, axes[0])
        if depth[q] > -MARGIN:
            near[k] = q
            k += 1
    if k == 0:
        return 0
    J = np.zeros((3 * k, nv))
    for s in range(k):
        q = near[s]
        body_jacobian(cdof, affects[q], origin, x[q], 0, six)
        for i in range(3):
            for j in range(nv):
                J[3 * s + i, j] = axes[i][0] * six[0, j] + axes[i][1] * six[1, j] + axes[i][2] * six[2, j]
    for i in range(nv):
        M[i, i] += h * damping[i]
    factor(M)
    free = h * smooth
    forward(M, free)
    backward(M, free)
    free += v
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
            most = mu * z[i - i % 3]
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

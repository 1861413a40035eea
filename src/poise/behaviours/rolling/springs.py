r"""Joint springs that hold a pose firmly at large steps, within torque limits.

The torque is that of a spring and damper at the end of the coming step (stable PD, Tan et al. 2011, which [Rolling]
cites for its tracker), so that damping is stable however light the limb, and counts against the motor's limit:

.. math:: \tau = k_p(\hat\theta - \theta - h\dot\theta - h^2 a) - k_d(\dot\theta + h a), \qquad
          (M + h k_d + h^2 k_p)\, a = k_p(\hat\theta - \theta - h\dot\theta) - k_d\dot\theta + \delta - C
"""

from __future__ import annotations

import numpy as np

from poise.character import Character
from poise.compiled import compiled
from poise.solvers.cholesky import backward, factor, forward

GAINS = {  # stiffness [N m/rad], damping [N m s/rad], by the beginning of a joint's name
    "spine_low": (900.0, 60.0), "spine_mid": (800.0, 50.0), "spine_top": (600.0, 30.0), "neck": (80.0, 4.0),
    "hip": (700.0, 45.0), "knee": (450.0, 25.0), "ankle": (150.0, 7.0), "shoulder": (200.0, 12.0),
    "elbow": (100.0, 5.0), "wrist": (150.0, 3.0),
}  # fmt: skip
OTHER = (100.0, 5.0)
REFERENCE = 75.0 * 1.78  # [kg m] mass times height of the body that the gains are for; others by theirs


def gains(body: Character, strength: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Stiffness and damping of every joint (nv - 6,) [N m/rad], [N m s/rad]."""
    model, scale = body.model, strength * body.mass * body.height / REFERENCE
    kp, kd = np.zeros(model.nv - 6), np.zeros(model.nv - 6)
    for name in body.joint_names[1:]:
        dof, width = int(model.joint(name).dofadr[0]) - 6, len(model.joint(name).qpos0)
        found = [g for stem, g in GAINS.items() if name.startswith(stem)]
        k, d = np.multiply(found[0] if found else OTHER, scale)
        dofs = slice(dof, dof + (3 if width == 4 else 1))
        kp[dofs], kd[dofs] = k, d
    return kp, kd


@compiled
def spring_torque(M, bias, q, v, target, kp, kd, extra, low, high, h, A, a, tau):
    """Torques (nv,) of the springs plus ``extra`` for one step, limited; the root's six are zero.

    Args:
        q, target, kp, kd, extra: (nv - 6,) of the joints; where they are balls, q is zero and target the error.
        A, a: Work arrays (nv, nv), (nv,).
    """
    n = M.shape[0]
    for i in range(n):
        for j in range(i + 1):
            A[i, j] = M[i, j]
        a[i] = -bias[i]
        tau[i] = 0.0
    for i in range(6, n):
        k = i - 6
        A[i, i] += h * kd[k] + h * h * kp[k]
        tau[i] = kp[k] * (target[k] - q[k] - h * v[i]) - kd[k] * v[i] + extra[k]
        a[i] += tau[i]
    if not factor(A):
        return False
    forward(A, a)
    backward(A, a)
    for i in range(6, n):
        k = i - 6
        own = tau[i] - extra[k] - (h * kd[k] + h * h * kp[k]) * a[i]
        tau[i] = min(max(min(max(own, low[i]), high[i]) + extra[k], low[i]), high[i])
    return True


@compiled
def blend_rows(table, turns, out):
    """Row of a periodic table at a phase in turns, by linear interpolation."""
    n = table.shape[0]
    at = (turns - np.floor(turns)) * n
    i = int(at) % n
    s = at - int(at)
    for k in range(out.shape[0]):
        out[k] = (1.0 - s) * table[i, k] + s * table[(i + 1) % n, k]

"""Which entries of q are a quaternion and which a plain number, joint by joint."""

from __future__ import annotations

import mujoco
import numpy as np
from numpy.typing import ArrayLike

from poise.character.constants import BALL, FREE
from poise.compiled import compiled
from poise.geometry import quat


def quaternions(model: mujoco.MjModel) -> np.ndarray:
    """First index in q of every quaternion, and in v of its angular velocity: (k, 2)."""
    found = []
    for j in range(model.njnt):
        if model.jnt_type[j] in (BALL, FREE):
            skip = 3 if model.jnt_type[j] == FREE else 0  # a free joint has its position first
            found.append((model.jnt_qposadr[j] + skip, model.jnt_dofadr[j] + skip))
    return np.array(found, np.int64).reshape(-1, 2)


def scalars(model: mujoco.MjModel) -> np.ndarray:
    """Index in q and in v of every number that is not part of a quaternion: (k, 2)."""
    rest_q = np.ones(model.nq, bool)
    rest_v = np.ones(model.nv, bool)
    for iq, iv in quaternions(model):
        rest_q[iq : iq + 4] = False
        rest_v[iv : iv + 3] = False
    return np.stack([np.flatnonzero(rest_q), np.flatnonzero(rest_v)], axis=1).astype(np.int64)


def aligned(model: mujoco.MjModel, q: np.ndarray) -> np.ndarray:
    """Copy of poses (T, nq) with unit quaternions that never flip sign from one frame to the next."""
    q = np.array(q, float)
    for iq, _ in quaternions(model):
        q[:, iq : iq + 4] = quat.align(quat.normalize(q[:, iq : iq + 4]))
    return q


def relocated(q: np.ndarray, shift: ArrayLike, yaw: float, about: ArrayLike = (0.0, 0.0)) -> np.ndarray:
    """Poses (..., nq) turned about a vertical axis by ``yaw`` [rad]; it is then at ``shift`` (2,) or (3,) [m]."""
    turn, shift = quat.from_rotvec(np.array([0.0, 0.0, yaw])), np.asarray(shift, float)
    q = np.array(q, float)
    q[..., :2] -= about
    q[..., :3] = quat.rotate(turn, q[..., :3])
    q[..., : len(shift)] += shift
    q[..., 3:7] = quat.multiply(turn, q[..., 3:7])
    return q


def between(model: mujoco.MjModel, a: np.ndarray, b: np.ndarray, share: float) -> np.ndarray:
    """The pose (nq,) a share of the way from a to b, every joint by its shortest turn."""
    gap, out = np.empty(model.nv), np.array(a, float)
    mujoco.mj_differentiatePos(model, gap, 1.0, a, b)
    mujoco.mj_integratePos(model, out, share * gap, 1.0)
    return out


@compiled
def motion_of(s, ds, dds, quats, plain, q, v, v_dot):
    """Pose, velocity and acceleration of a curve s(t) in q-space whose quaternions need not have unit length.

    With conj(s) s' = |s|² (.., w / 2), the body-frame angular velocity is w = 2 Im(conj(s) s') / |s|² and
    its rate 2 Im(conj(s) s'') / |s|² - 2 w (s . s') / |s|².
    """
    for k in range(len(plain)):
        i, j = plain[k]
        q[i], v[j], v_dot[j] = s[i], ds[i], dds[i]
    for k in range(len(quats)):
        i, j = quats[k]
        norm2 = s[i] ** 2 + s[i + 1] ** 2 + s[i + 2] ** 2 + s[i + 3] ** 2
        pull = s[i] * ds[i] + s[i + 1] * ds[i + 1] + s[i + 2] * ds[i + 2] + s[i + 3] * ds[i + 3]
        length = np.sqrt(norm2)
        for n in range(4):
            q[i + n] = s[i + n] / length
        for n in range(3):
            a, b, c = i + 1 + n, i + 1 + (n + 1) % 3, i + 1 + (n + 2) % 3
            v[j + n] = 2 * (s[i] * ds[a] - s[a] * ds[i] - s[b] * ds[c] + s[c] * ds[b]) / norm2
            turn = 2 * (s[i] * dds[a] - s[a] * dds[i] - s[b] * dds[c] + s[c] * dds[b]) / norm2
            v_dot[j + n] = turn - 2 * v[j + n] * pull / norm2

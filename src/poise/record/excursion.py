r"""Rotation of the whole body over a take ([Rolling] §3): AE, the integral of AV, a form that does not drift, and ROOT.

AV is :math:`\omega = I_c^{-1} H`. Its integral is no orientation; the anchored form is integrated as a rotation and
drawn towards the root's own turn since the start, so that it tells at any time which way the body faces.
"""

from __future__ import annotations

import math

import mujoco
import numpy as np

from poise.compiled import compiled
from poise.geometry import quat
from poise.geometry.quat_jit import multiply
from poise.record.metrics import root_joint
from poise.record.recording import Recording, Series

ANCHOR = 15.0  # [1/s]: how fast the anchored excursion follows the root


def add(take: Recording) -> None:
    """Keep ``angular_excursion`` (rad, world axes) and ``excursion_anchored`` (quaternion wxyz) as series.

    ``root_excursion`` (rad, world axes) is the same sum over the turns of the root alone.
    """
    omega, t = take["angular_velocity"], take.time
    steps = np.diff(t)[:, None] * 0.5 * (omega[1:] + omega[:-1])
    total = np.vstack([np.zeros(3), np.cumsum(steps, axis=0)])
    take.series["angular_excursion"] = Series(total, "rad", "world", ("x", "y", "z"))
    model = mujoco.MjModel.from_xml_string(take.model_xml)
    at = int(model.jnt_qposadr[root_joint(model)])
    root = np.ascontiguousarray(take["q"][:, at + 3 : at + 7])
    found = anchored(steps, np.diff(t), root)
    turns = quat.to_rotvec(quat.multiply(root[1:], quat.conjugate(root[:-1])))
    total = np.vstack([np.zeros(3), np.cumsum(turns, axis=0)])
    take.series["root_excursion"] = Series(total, "rad", "world", ("x", "y", "z"))
    take.series["excursion_anchored"] = Series(found, "1", "world", ("w", "x", "y", "z"))


@compiled
def anchored(steps, dt, root):
    """(T, 4) rotations since the start from turns (T - 1, 3) [rad] and root orientations (T, 4)."""
    out = np.zeros((root.shape[0], 4))
    now = np.array([1.0, 0.0, 0.0, 0.0])
    back = root[0] * np.array([1.0, -1.0, -1.0, -1.0])
    out[0] = now
    for i in range(steps.shape[0]):
        size = math.sqrt(steps[i, 0] ** 2 + steps[i, 1] ** 2 + steps[i, 2] ** 2)
        turn = np.array([math.cos(size / 2), 0.0, 0.0, 0.0])
        share = 0.5 if size < 1e-9 else math.sin(size / 2) / size
        turn[1:] = share * steps[i]
        moved, since = multiply(turn, now), multiply(root[i + 1], back)
        if np.dot(moved, since) < 0.0:
            since = -since
        s = 1.0 - math.exp(-ANCHOR * dt[i])
        now = (1.0 - s) * moved + s * since
        now /= math.sqrt(np.dot(now, now))
        out[i + 1] = now
    return out

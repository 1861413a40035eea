"""Whether a clip could be danced by a real body: the zero-moment point of its accelerations, and a filter for it."""

from __future__ import annotations

import mujoco
import numpy as np
from scipy.linalg import solve_banded

from poise.character.constants import GRAVITY
from poise.geometry import polygon, quat
from poise.motion.clip import Clip
from poise.motion.plant import support_polygon

INSET = 0.012  # [m] from the border of the support to the zero-moment point that the filter aims at


def zero_moment_point(clip: Clip, t: float, data: mujoco.MjData | None = None) -> np.ndarray:
    """Where (2,) on the ground z = 0 the total ground force must act for the clip's motion at time t [m].

    The root wrench of inverse dynamics is what the ground must give: p such that its horizontal moment vanishes.
    ``data`` is scratch of the character's model, for callers with many frames.
    """
    at: mujoco.MjData = mujoco.MjData(clip.character.model) if data is None else data
    at.qpos[:], at.qvel[:], at.qacc[:] = clip.sample(t)
    mujoco.mj_inverse(clip.character.model, at)
    # forces between limbs are internal: they do not change the root's wrench
    force = at.qfrc_inverse[:3]
    moment = quat.rotate(at.qpos[3:7], at.qfrc_inverse[3:6]) + np.cross(at.qpos[:3], force)
    return np.array([-moment[1], moment[0]]) / force[2]


def outside(clip: Clip, inset: float = INSET) -> np.ndarray:
    """How far (T, 2) the zero-moment point is out of the support polygon less ``inset`` at each frame [m]."""
    character = clip.character
    areas: dict[tuple[str, ...], np.ndarray] = {}
    out, data = np.empty((len(clip.times), 2)), mujoco.MjData(character.model)
    for i, t in enumerate(clip.times):
        down = tuple(s for s in character.stance if clip.on_ground(s, t))
        if down not in areas:
            areas[down] = polygon.inset(support_polygon(character, down), inset)
        p = zero_moment_point(clip, t, data)
        out[i] = p - polygon.nearest(areas[down], p)
    return out


def lean(clip: Clip) -> np.ndarray:
    """Shift of the CM (T, 2) [m] that brings the zero-moment point of a planted clip back into the support."""
    return lean_by(clip, -outside(clip))


def lean_by(clip: Clip, wanted: np.ndarray, free: bool = False) -> np.ndarray:
    r"""Shift of the CM (T, 2) [m] that moves the zero-moment point by ``wanted`` (T, 2) [m].

    A pendulum of height h answers a shift x of its CM with :math:`p = x - (h/g) \ddot x`; solved for x on the
    clip's uniform frames, unmoved at both ends, or with ``free`` ends at rest wherever they like.
    """
    wanted = wanted.copy()
    n, dt = len(clip.times), float(clip.times[1] - clip.times[0])
    stiff = float(clip.character.com_rest[2]) / GRAVITY / dt**2
    bands = np.zeros((3, n))
    bands[0, 2:], bands[1], bands[2, :-2] = -stiff, 1.0 + 2.0 * stiff, -stiff
    if free:
        bands[0, 1] = bands[2, -2] = -2.0 * stiff
    else:
        bands[1, [0, -1]] = 1.0
        wanted[[0, -1]] = 0.0
    return solve_banded((1, 1), bands, wanted)

"""Where a clip has its centre of mass and its supports, for the linear law to follow."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
from scipy.interpolate import CubicSpline

from poise.geometry import quat
from poise.geometry.linear import times
from poise.motion.clip import Clip

AGREE = 0.005  # [rad]: headings nearer than this are one
STILL = np.zeros(3)
NUDGE = 1e-6  # [s] inside the ends of a clip, where its speed is its own


def heading(now: np.ndarray, wanted: np.ndarray) -> np.ndarray | None:
    """Turn about the vertical (quaternion) from the reference's heading to the body's; None where they agree."""
    _, yaw = quat.swing_twist(quat.multiply(now, quat.conjugate(wanted)))
    return None if abs(float(yaw)) < AGREE else quat.from_rotvec(np.array([0.0, 0.0, float(yaw)]))


class Reference:
    """Centre of mass and supports along a clip: position, velocity, acceleration, and the supports' places."""

    def __init__(self, clip: Clip, rate: float = 60.0):
        character = clip.character
        n = max(2, round(clip.seconds * rate) + 1)
        self.times = np.linspace(clip.start, clip.start + max(clip.seconds, 1e-3), n)
        self.clip = clip
        data = mujoco.MjData(character.model)
        self.c, self.x = np.zeros((n, 3)), np.zeros((n, len(character.supports), 3))
        for i, t in enumerate(self.times):
            data.qpos[:] = clip.at(t)
            mujoco.mj_kinematics(character.model, data)
            mujoco.mj_comPos(character.model, data)
            self.c[i] = data.subtree_com[0]
            for s, support in enumerate(character.supports):
                body = data.body(support.body)
                self.x[i, s] = body.xpos + times(body.xmat.reshape(3, 3), support.points.mean(axis=0))
        self.still = clip.seconds <= 0.0
        if clip.loop:
            self.c[-1] = self.c[0]  # equal but for rounding
        first, last = (self._speed(data, t) for t in (self.times[0] + NUDGE, self.times[-1] - NUDGE))
        ends: Any = "periodic" if clip.loop else ((1, first), (1, last))
        curve = CubicSpline(self.times, self.c, bc_type=ends)
        self.v, self.a = curve(self.times, 1), curve(self.times, 2)

    def _speed(self, data: mujoco.MjData, t: float) -> np.ndarray:
        """Velocity of the centre of mass at a time of the clip (3,) [m/s]."""
        model = self.clip.character.model
        data.qpos[:], data.qvel[:], _ = self.clip.sample(t)
        mujoco.mj_fwdPosition(model, data)
        mujoco.mj_fwdVelocity(model, data)
        mujoco.mj_subtreeVel(model, data)
        return data.subtree_linvel[0].copy()

    def turn(self, heading: np.ndarray) -> None:
        """Turn all of it about the vertical by a quaternion."""
        R = quat.to_matrix(heading)
        self.c, self.v, self.a, self.x = (
            times(self.c, R.T),
            times(self.v, R.T),
            times(self.a, R.T),
            times(self.x, R.T),
        )

    def at(self, t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """c, ċ, c̈ [m, s] and support places (S, 3) at a time of the clip."""
        start, end = self.times[0], self.times[-1]
        if self.still or not (self.clip.loop or start <= t < end):  # the end pose is held
            i = -1 if t >= end else 0
            return self.c[i], STILL, STILL, self.x[i]
        at = (t - start) % (end - start) / (end - start) * (len(self.times) - 1)
        i = min(int(at), len(self.times) - 2)
        u = at - i
        return tuple(a[i] + u * (a[i + 1] - a[i]) for a in (self.c, self.v, self.a, self.x))  # type: ignore[return-value]

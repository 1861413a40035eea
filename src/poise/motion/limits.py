"""How far joints may go: hinge ranges of the model and swing-twist limits of the character."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from poise.geometry import quat
from poise.motion import layout

if TYPE_CHECKING:
    from poise.character.character import Character


class Limits:
    """Limits of all joints of a character in arrays; ``margin`` [rad] makes them tighter on every side."""

    def __init__(self, character: Character, margin: float = 0.0) -> None:
        model = character.model
        hinges = [j for j in range(model.njnt) if model.jnt_type[j] == layout.HINGE and model.jnt_limited[j]]
        self.nv = model.nv
        self.hinge_q, self.hinge_v = model.jnt_qposadr[hinges], model.jnt_dofadr[hinges]
        self.low, self.high = (model.jnt_range[hinges] + [margin, -margin]).T
        balls = [character.joint(name) for name in character.limits]
        self.ball_q = model.jnt_qposadr[balls][:, None] + np.arange(4)
        self.ball_v = model.jnt_dofadr[balls][:, None] + np.arange(3)
        sides = np.array([(a.swing_x, a.swing_y, a.twist) for a in character.limits.values()]).reshape(-1, 3, 2)
        self.sides = sides + np.array([margin, -margin])

    def excess(self, q: np.ndarray) -> np.ndarray:
        """Tangent step (nv,) that brings each joint that is beyond its limits just inside; zero elsewhere."""
        step = np.zeros(self.nv)
        angle = q[self.hinge_q]
        step[self.hinge_v] = np.clip(angle, self.low, self.high) - angle
        if len(self.ball_q):
            turn = q[self.ball_q]
            swing, twist = quat.swing_twist(turn)
            radii = np.where(swing > 0, self.sides[:, :2, 1], self.sides[:, :2, 0])
            reach = np.maximum(np.linalg.norm(swing / radii, axis=1), 1.0)
            inner = np.clip(twist, self.sides[:, 2, 0], self.sides[:, 2, 1])
            beyond = (reach > 1) | (inner != twist)
            if beyond.any():
                allowed = quat.from_swing_twist(swing[beyond] / reach[beyond, None], inner[beyond])
                step[self.ball_v[beyond]] = quat.difference(turn[beyond], allowed)
        return step


def excess(character: Character, q: np.ndarray, margin: float = 0.0) -> np.ndarray:
    """Tangent step (nv,) that brings each joint just within its limits less ``margin`` [rad]; zero within."""
    return Limits(character, margin).excess(q)

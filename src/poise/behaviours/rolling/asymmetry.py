"""Joint torques split into what is alike on the two sides of a body and what is not, which turns a roll aside.

Torques that are alike on both sides (bend left and right hip alike) leave a symmetric body in its plane; the rest,
l - r of joints that bend and l + r of joints that swing or twist, turns it to the side. So a correction of heading and
line that keeps the second part alone does not slow the roll down.
"""

from __future__ import annotations

import numpy as np

from poise.character import Character

SIDES = {"_l": "_r", "_r": "_l"}


class Mirror:
    """Swaps left and right of joint vectors (nv - 6,); what is about y keeps its sign, about x and z turns it."""

    def __init__(self, body: Character):
        model, n = body.model, body.model.nv - 6
        self._twin, self._sign, self._seen = np.arange(n), np.ones(n), np.zeros(n)
        for name in body.joint_names[1:]:
            joint, dof = model.joint(name), int(model.joint(name).dofadr[0]) - 6
            other = int(model.joint(name[:-2] + SIDES.get(name[-2:], name[-2:])).dofadr[0]) - 6
            axes = np.eye(3) if len(joint.qpos0) == 4 else joint.axis[None]
            dofs = slice(dof, dof + len(axes))
            self._twin[dofs] = np.arange(other, other + len(axes))
            self._sign[dofs] = np.where(np.abs(axes[:, 1]) > 0.5, 1.0, -1.0)

    def lessen(self, torque: np.ndarray, share: float) -> None:
        """Keep, in place, what is unlike on the two sides, and a share of what is alike."""
        np.take(torque, self._twin, out=self._seen)
        self._seen *= self._sign * (0.5 * (1.0 - share))
        torque *= 0.5 * (1.0 + share)
        torque -= self._seen

r"""Restraint: nobody flings limbs about. Fast joints are braked by rows of the solve that grow with their speed.

A joint that turns at v beyond half of its bound V has its row v̇ = a, of weight w, joined by one that brakes it:

.. math:: \dot v = -β v, \qquad w_{brake} = W \min\!\left(1, \frac{|v| / V - 1/2}{1/2}\right)^2

Both are soft and weighed in the solve against everything else that is wanted: nothing is cut off after it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise.character import Character
from poise.dynamics.tree import Tree

BEGIN = 0.5  # of its bound: from this speed on a joint is braked


@dataclass(frozen=True)
class Restraint:
    """Bounds of speeds, and how firmly the trunk keeps its shape."""

    arms: float = 8.0  # [rad/s] of their joints
    legs: float = 20.0
    trunk: float = 12.0
    weight: float = 100.0  # of a brake at its bound; a tracked joint is 1
    brake: float = 25.0  # [1/s]
    firm: float = 6.0  # times the stiffness of joints of trunk, neck and wrists

    def bounds(self, tree: Tree, character: Character, legs: set[str]) -> np.ndarray:
        """Bound of every degree of freedom (nv,) [rad/s]; endless for the root."""
        out = np.full(tree.nv, np.inf)
        for j in tree.joints[1:]:
            joint = tree.model.joint(j)
            body, at = tree.model.body(joint.bodyid[0]).name, joint.dofadr[0] - tree.dof0
            bound = self.arms if body in character.arms else self.legs if body in legs else self.trunk
            out[at : at + len(joint.qpos0) - (len(joint.qpos0) == 4)] = bound
        return out

    def act(self, v: np.ndarray, bounds: np.ndarray, v_dot: np.ndarray, weight: np.ndarray) -> np.ndarray:
        """Change wanted accelerations (nv,) in place for their brakes; returns the weights with them."""
        fast = np.clip((np.abs(v) / bounds - BEGIN) / (1.0 - BEGIN), 0.0, 1.0)
        if not fast.any():
            return weight
        more = self.weight * fast * fast
        both = weight + more
        v_dot += np.divide(more, both, out=np.zeros_like(both), where=more > 0) * (-self.brake * v - v_dot)
        return both

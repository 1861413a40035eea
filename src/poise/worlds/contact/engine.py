"""MuJoCo's own contact: convex, regularised, solved with the dynamics."""

from __future__ import annotations

import mujoco
import numpy as np


class EngineContact:
    """Contact is inside ``mj_step2``; this only reads what it did."""

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData, bodies: range, supports: set[int], friction: float):
        self.data, self.ground = data, model.geom("ground").id
        self.body_of = model.geom_bodyid
        self.mine = np.isin(np.arange(model.nbody), list(bodies))
        self.is_support = np.isin(np.arange(model.nbody), list(supports))

    @staticmethod
    def prepare(spec: mujoco.MjSpec) -> None:
        """Nothing to change in the model."""

    def apply(self, force: np.ndarray) -> None:
        """Add this model's generalised forces: none, the engine has its own."""

    def touches(self) -> bool:
        """Whether a body that is no support is on the ground."""
        pairs = self.data.contact.geom
        hits = (pairs == self.ground).any(axis=1)
        if not hits.any():
            return False
        bodies = self.body_of[pairs[hits]]
        return bool((self.mine[bodies] & ~self.is_support[bodies]).any())

    def penetration(self) -> float:
        """Deepest overlap with the ground [m]."""
        contact = self.data.contact
        hits = (contact.geom == self.ground).any(axis=1)
        return max(0.0, -float(contact.dist[hits].min())) if hits.any() else 0.0

"""MuJoCo's own contact: convex, regularised, solved with the dynamics."""

from __future__ import annotations

import mujoco
import numpy as np

from poise.compiled import compiled
from poise.worlds.contact.points import Soles


class EngineContact:
    """Contact is inside ``mj_step2``; this only reads what it did."""

    def __init__(
        self, model: mujoco.MjModel, data: mujoco.MjData, bodies: range, supports: Soles, friction: float
    ):
        self.data = data
        self.ground = np.array([model.geom(g).name.startswith("ground") for g in range(model.ngeom)])
        self.body_of = model.geom_bodyid
        self.mine = np.isin(np.arange(model.nbody), list(bodies))
        self.is_support = np.isin(np.arange(model.nbody), [b for own in supports for b in own])

    @staticmethod
    def prepare(spec: mujoco.MjSpec) -> None:
        """Nothing to change in the model."""

    def apply(self, force: np.ndarray) -> None:
        """Add this model's generalised forces: none, the engine has its own."""

    def touches(self) -> bool:
        """Whether a body that is no support is on the ground."""
        pairs, dist = self._contacts()
        return _touches(pairs, dist, self.ground, self.body_of, self.mine, self.is_support)

    def penetration(self) -> float:
        """Deepest overlap with the ground [m]."""
        pairs, dist = self._contacts()
        return _deepest(pairs, dist, self.ground, self.body_of, self.mine)

    def _contacts(self) -> tuple[np.ndarray, np.ndarray]:
        """Pairs of shapes and their distances [m], dense: else a single contact would be compiled for by itself."""
        contact = self.data.contact
        return contact.geom.copy(), contact.dist.copy()


@compiled
def _touches(pairs, dist, ground, body_of, mine, is_support):
    for k in range(pairs.shape[0]):
        for i in range(2):
            other = body_of[pairs[k, 1 - i]]
            if dist[k] < 0.0 and ground[pairs[k, i]] and mine[other] and not is_support[other]:
                return True
    return False


@compiled
def _deepest(pairs, dist, ground, body_of, mine):
    depth = 0.0
    for k in range(pairs.shape[0]):
        for i in range(2):
            if ground[pairs[k, i]] and mine[body_of[pairs[k, 1 - i]]]:
                depth = max(depth, -dist[k])
    return depth

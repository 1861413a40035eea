"""Blows: what the ground has done to each part of a body, as normal impulse."""

from __future__ import annotations

import mujoco
import numpy as np

from poise.compiled import compiled


class Blows:
    """Added up after every step of the engine, while its contact forces are known.

    Attributes:
        impulse: (bodies,) normal impulse of the ground since the start [N s].
    """

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData, bodies: range):
        self.data, self._dt = data, float(model.opt.timestep)
        own = np.isin(model.geom_bodyid, list(bodies))
        self._part = np.where(own, model.geom_bodyid - bodies.start, -1)
        self._ground = np.array([model.geom(g).name.startswith("ground") for g in range(model.ngeom)])
        self.impulse = np.zeros(len(bodies))

    def reset(self) -> None:
        self.impulse[:] = 0.0

    def add(self) -> None:
        """The step that was just taken."""
        if self.data.ncon:
            contact, force = self.data.contact, self.data.efc_force
            pairs, rows = contact.geom.copy(), contact.efc_address.copy()
            _add(self._part, self._ground, pairs, rows, force, self._dt, self.impulse)


@compiled
def _add(part, ground, pairs, rows, force, dt, impulse):
    """Contacts of one step with the ground: the part of each, and its impulse."""
    for k in range(pairs.shape[0]):
        a, b = pairs[k]
        own = max(part[a], part[b])
        if rows[k] >= 0 and (ground[a] or ground[b]) and own >= 0:
            impulse[own] += force[rows[k]] * dt

"""Blows: what the ground has done to each part of a body, as normal impulse."""

from __future__ import annotations

import mujoco
import numpy as np


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
        contact, force = self.data.contact, self.data.efc_force
        pairs, rows = contact.geom, contact.efc_address
        for k in np.flatnonzero((rows >= 0) & self._ground[pairs].any(axis=1)):
            part = self._part[pairs[k]].max()
            if part >= 0:
                self.impulse[part] += force[rows[k]] * self._dt

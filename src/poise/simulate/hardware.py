"""Hardware: what lies between a controller and a plant that is not its model: sensors, a wire, motors."""

from __future__ import annotations

import math

import mujoco
import numpy as np

from poise.control.controller import Controller
from poise.simulate.rollout import Delay
from poise.worlds.world import Arena

SENSED = mujoco.mjtState.mjSTATE_INTEGRATION


class Hardware:
    """A controller as the plant sees it: called in its place, it lets it see what sensors see, and holds torques back.

    The controller keeps a model and data of its own, the nominal ones. Positions, velocities with their noise and
    the contact force of the last step are copied there; everything else follows from the nominal model.
    """

    def __init__(self, controller: Controller, arena: Arena, seed: int):
        self.controller, self._arena, self._plant = controller, arena, arena.world.plant
        self._data = mujoco.MjData(arena.nominal)
        self._physics = np.empty(mujoco.mj_stateSize(arena.nominal, SENSED))
        self._rng = np.random.default_rng([seed, 19])  # apart from what the seed draws elsewhere
        self._noise = np.zeros(arena.tree.nv - 6)  # of the joint velocities in this step [rad/s]
        dt, lag = arena.world.dt, self._plant.lag
        self._late = Delay()
        self._late.set(round(self._plant.delay / dt))
        self._share = 1.0 - math.exp(-dt / lag) if lag else 1.0
        self._applied: np.ndarray | None = None  # none before the first torques

    def __call__(self, model: mujoco.MjModel, data: mujoco.MjData, ready: bool = True) -> np.ndarray:
        """Torques of the motors in the coming step."""
        if self._plant.hidden:
            if self._plant.noise:
                self._noise[:] = self._plant.noise * self._rng.standard_normal(len(self._noise))
            self.sense(data)
            asked = self.controller(self._arena.nominal, self._data, ready=True)
        else:
            asked = self.controller(model, data, ready=ready)
        return self._driven(asked) if self._plant.slow else asked

    def sense(self, data: mujoco.MjData) -> mujoco.MjData:
        """Copy what can be measured, with the noise of this step; returns the copy."""
        nominal, own, tree = self._arena.nominal, self._data, self._arena.tree
        mujoco.mj_getState(self._arena.model, data, self._physics, SENSED)
        mujoco.mj_setState(nominal, own, self._physics, SENSED)
        own.qvel[tree.dofs][6:] += self._noise
        own.qfrc_constraint[:] = data.qfrc_constraint
        mujoco.mj_step1(nominal, own)
        return own

    def _driven(self, asked: np.ndarray) -> np.ndarray:
        """What was asked for a delay ago, through a lag of first order; the first torques are there from the start."""
        late = self._late(asked)
        if self._share == 1.0:
            return late
        if self._applied is None:
            self._applied = late.copy()
        self._applied += self._share * (late - self._applied)
        return self._applied

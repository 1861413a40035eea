"""A standing body in the closed loop, timed piece by piece."""

from __future__ import annotations

import time

import mujoco
import numpy as np

from poise.behaviours import Balance
from poise.character import Character
from poise.control import Control, Controller
from poise.simulate import rollout
from poise.worlds import Arena, World
from poise.worlds.disturb import Push

DT = 0.002  # step of the closed loop [s]
SETTLE = 50  # steps before anything is timed


class Rig:
    """A body that stands in mode `mode`; `every_step` refreshes the objectives at every step, for a whole tick."""

    def __init__(
        self,
        character: Character,
        mode: str,
        every_step: bool = False,
        dt: float = DT,
        pushes: tuple[Push, ...] = (),
    ) -> None:
        self.arena = Arena(World(dt=dt, pushes=pushes), character)
        control = Control(mode=mode, refresh_hz=1 / dt if every_step else None)
        self.controller = Controller(character, Balance(), control)
        self.arena.reset(np.array(character.q_rest))
        self.controls: list[np.ndarray] = []
        self.loop = rollout(self.arena, self.controller, SETTLE)

    def ticks_us(self, n: int) -> list[float]:
        """Times of a whole tick: kinematics, mass matrix and bias, objectives, solve, torques [µs]."""
        model, data = self.arena.model, self.arena.data
        times = []
        for _ in range(n):
            self.arena.finish()
            self.arena.begin()
            begun = time.perf_counter()
            dynamics(model, data)
            data.ctrl[:] = self.controller(model, data, ready=True)
            times.append(1e6 * (time.perf_counter() - begun))
        return times

    def loop_us(self, n: int) -> list[float]:
        """Times of a step of the closed loop [µs]; keeps the controls for `bare_us`."""
        self.start = np.empty(mujoco.mj_stateSize(self.arena.model, mujoco.mjtState.mjSTATE_INTEGRATION))
        mujoco.mj_getState(self.arena.model, self.arena.data, self.start, mujoco.mjtState.mjSTATE_INTEGRATION)
        self.controls.clear()
        times = []
        for _ in range(n):
            self.controls.append(self.arena.data.ctrl.copy())
            begun = time.perf_counter()
            self.loop.advance(1)
            times.append(1e6 * (time.perf_counter() - begun))
        return times

    def bare_us(self) -> list[float]:
        """Times of `mj_step` alone along the same motion: same body, same step, same controls [µs]."""
        model, data = self.arena.model, mujoco.MjData(self.arena.model)
        mujoco.mj_setState(model, data, self.start, mujoco.mjtState.mjSTATE_INTEGRATION)
        times = []
        for ctrl in self.controls:
            data.ctrl[:] = ctrl
            begun = time.perf_counter()
            mujoco.mj_step(model, data)
            times.append(1e6 * (time.perf_counter() - begun))
        return times


def dynamics(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """What the engine computes for a controller: frames, Jacobian axes, mass matrix, velocities, bias force."""
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    mujoco.mj_makeM(model, data)
    mujoco.mj_comVel(model, data)
    mujoco.mj_passive(model, data)
    mujoco.mj_rne(model, data, 0, data.qfrc_bias)

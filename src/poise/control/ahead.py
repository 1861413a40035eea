"""Ahead: the state in which torques will act, where a known delay lies between them and the measurement."""

from __future__ import annotations

from collections import deque

import mujoco
import numpy as np

S = mujoco.mjtState
MEASURED = (
    S.mjSTATE_FULLPHYSICS
    | S.mjSTATE_WARMSTART
    | S.mjSTATE_MOCAP_POS
    | S.mjSTATE_MOCAP_QUAT
    | S.mjSTATE_EQ_ACTIVE
)  # what others do to the body (pushes, ropes) is not measured


WILD = 3000.0  # norm of velocities [rad/s, m/s] beyond which nothing is foreseen: it blows up from there on


class Ahead:
    """What was measured, carried on by the model and the controls that are on their way (a Smith predictor).

    Controls found at step k act at step k + n. A controller that answers to step k as it is acts on a body that has
    moved on meanwhile; one that answers to step k + n as the model foresees it does not. Only what the model does not
    know, a push, is answered n steps late. Where the model blows up on the way, what it foresaw before that counts.

    Args:
        delay: Time between a measurement and the controls that answer to it [s]; whole steps of the model.
    """

    def __init__(self, model: mujoco.MjModel, delay: float):
        self.data = mujoco.MjData(model)
        self._model, self._steps = model, round(delay / model.opt.timestep)
        self._physics = np.empty(mujoco.mj_stateSize(model, MEASURED))
        self._foreseen = self._physics.copy()  # what was foreseen last, for those who go back to it
        self._sent = deque[np.ndarray](maxlen=self._steps)  # on their way, the next to act first
        self._time = 0.0  # [s] when the newest of them were found

    def send(self, time: float, ctrl: np.ndarray) -> None:
        """Remember controls that were found now; the very first act at once, as if they had been sent long ago."""
        for _ in range(1 if self._sent else self._steps):
            self._sent.append(ctrl.copy())
        self._time = time

    def carry(self, data: mujoco.MjData) -> None:
        """Go on from what is measured now; ``mj_step1`` has run when it is done."""
        model, own = self._model, self.data
        mujoco.mj_getState(model, data, self._physics, MEASURED)
        mujoco.mj_setState(model, own, self._physics, MEASURED)
        if self._sent:
            for _ in range(round((data.time - self._time) / model.opt.timestep) - 1):
                self._sent.append(self._sent[-1])  # nobody asked in between: they were held
        self._foreseen[:] = self._physics
        for ctrl in self._sent:
            own.ctrl[:] = ctrl
            mujoco.mj_step(model, own)
            if not own.qvel @ own.qvel < WILD**2:  # nan, too
                break
            mujoco.mj_getState(model, own, self._foreseen, MEASURED)
        self.again(data)

    def again(self, data: mujoco.MjData) -> None:
        """What was foreseen last, with the contact force as it is felt, since that is weighed."""
        mujoco.mj_setState(self._model, self.data, self._foreseen, MEASURED)
        self.data.qfrc_constraint[:] = data.qfrc_constraint
        mujoco.mj_step1(self._model, self.data)

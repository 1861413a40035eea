r"""Servos: what to ask of them so that they give the solved torques and follow the solved motion.

The force of a servo is :math:`g\,u + b_0 + b_1 l + b_2 \dot l`, with its own gains and the length l of its joint. Asked
for

.. math:: u = (\tau - b_0 - b_1 \hat l - b_2 \dot{\hat l}) / g

it gives the torque τ where the joint is at :math:`\hat l`, and pulls back to there by its own stiffness. That place is
where the solved acceleration takes the joint by the middle of the time for which u is held.
"""

from __future__ import annotations

from collections.abc import Sequence

import mujoco
import numpy as np

from poise.character.actuator import JOINTS
from poise.character.constants import BALL


def is_servo(model: mujoco.MjModel, a: int) -> bool:
    """Whether an actuator is a position or velocity servo of one hinge or slide, without a memory of its own."""
    if int(model.actuator_trntype[a]) not in JOINTS or model.actuator_ctrlnum[a] != 1:
        return False
    turns = model.jnt_type[model.actuator_trnid[a, 0]] > BALL and model.actuator_gear[a, 0] != 0.0
    fixed = model.actuator_gaintype[a] == mujoco.mjtGain.mjGAIN_FIXED and model.actuator_gainprm[a, 0] != 0.0
    affine = model.actuator_biastype[a] == mujoco.mjtBias.mjBIAS_AFFINE
    return bool(turns and fixed and affine and model.actuator_dyntype[a] == mujoco.mjtDyn.mjDYN_NONE)


class Servos:
    """Those of a body, with what each adds to its control."""

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData, actuators: Sequence[int]):
        self._data, self._ids = data, np.array(actuators, dtype=int)
        self._at = model.actuator_ctrladr[self._ids]
        self._gain, self._bias = model.actuator_gainprm[self._ids, 0], model.actuator_biasprm[self._ids, :3]
        self._gear = model.actuator_gear[self._ids, 0]
        self._dof = model.jnt_dofadr[model.actuator_trnid[self._ids, 0]]

    def __len__(self) -> int:
        return len(self._ids)

    def lead(self, ctrl: np.ndarray, v_dot: np.ndarray, ahead: float) -> np.ndarray:
        """Controls (nu,) that give the torques, where these were torques over gains.

        Args:
            v_dot: (nv,) of the whole model, solved. ahead: From now to the middle of the time they are held [s].
        """
        if not len(self._ids):
            return ctrl
        data, gear, a = self._data, self._gear, v_dot[self._dof]
        length = data.actuator_length[self._ids] + gear * ahead * (data.qvel[self._dof] + 0.5 * ahead * a)
        speed = data.actuator_velocity[self._ids] + gear * ahead * a
        out = ctrl.copy()
        out[self._at] -= (
            self._bias[:, 0] + self._bias[:, 1] * length + self._bias[:, 2] * speed
        ) / self._gain
        return out

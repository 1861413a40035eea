"""Actuators: torque motors on joints; which of a compiled model are torques, and how large those can be."""

from __future__ import annotations

from collections.abc import Sequence

import mujoco
import numpy as np

from poise.character.constants import BALL

JOINTS = (int(mujoco.mjtTrn.mjTRN_JOINT), int(mujoco.mjtTrn.mjTRN_JOINTINPARENT))


def add_joint_motors(
    spec: mujoco.MjSpec, joint: str, ranges: Sequence[tuple[float, float]], tail: str = ""
) -> None:
    """Torque motors of one joint, a range [N m] each: one for a hinge, three for a ball (axes of the child)."""
    for axis, limits in enumerate(ranges):
        suffix = f"_{'xyz'[axis]}" if len(ranges) == 3 else ""
        motor = spec.add_actuator(name=f"{joint}{suffix}{tail}", target=joint)
        motor.set_to_motor()
        motor.trntype = mujoco.mjtTrn.mjTRN_JOINT
        motor.gear = np.eye(6)[axis]
        motor.ctrllimited, motor.ctrlrange = 1, limits


def is_torque(model: mujoco.MjModel, a: int) -> bool:
    """Whether an actuator's force is its control times a fixed gain, along one axis of one joint."""
    if int(model.actuator_trntype[a]) not in JOINTS or model.actuator_ctrlnum[a] != 1:
        return False
    if model.jnt_type[model.actuator_trnid[a, 0]] == BALL:  # an axis that is fixed in the child
        one = model.actuator_trntype[a] == JOINTS[0] and np.count_nonzero(model.actuator_gear[a, :3]) == 1
    else:
        one = model.actuator_gear[a, 0] != 0.0
    fixed = model.actuator_gaintype[a] == mujoco.mjtGain.mjGAIN_FIXED and model.actuator_gainprm[a, 0] != 0.0
    plain = model.actuator_biastype[a] == mujoco.mjtBias.mjBIAS_NONE
    return bool(one and fixed and plain and model.actuator_dyntype[a] == mujoco.mjtDyn.mjDYN_NONE)


def axis_of(model: mujoco.MjModel, a: int) -> int:
    """Which degree of freedom of its joint a torque actuator drives."""
    ball = model.jnt_type[model.actuator_trnid[a, 0]] == BALL
    return int(np.argmax(np.abs(model.actuator_gear[a, :3]))) if ball else 0


def torque_range(model: mujoco.MjModel, a: int) -> tuple[float, float] | None:
    """Range of the torque [N m] (or force) that an actuator gives its joint, gear included; None where unbounded."""
    bounds = []
    if model.actuator_forcelimited[a]:
        bounds.append(np.sort(model.actuator_forcerange[a]))
    if is_torque(model, a) and model.actuator_ctrllimited[a]:
        bounds.append(np.sort(model.actuator_gainprm[a, 0] * model.actuator_ctrlrange[a]))
    if not bounds:
        return None
    low, high = max(float(b[0]) for b in bounds), min(float(b[1]) for b in bounds)
    gear = float(model.actuator_gear[a, axis_of(model, a)])
    return (low * gear, high * gear) if gear >= 0 else (high * gear, low * gear)


def torque_limits(model: mujoco.MjModel) -> tuple[np.ndarray, np.ndarray]:
    """Least and largest torque (nv,) of each degree of freedom [N m]: zero where nothing drives it."""
    low, high = np.zeros(model.nv), np.zeros(model.nv)
    for a in range(model.nactuator):
        if is_torque(model, a):
            dof = int(model.jnt_dofadr[model.actuator_trnid[a, 0]]) + axis_of(model, a)
            least, most = torque_range(model, a) or (-np.inf, np.inf)
            low[dof] += least
            high[dof] += most
    return low, high

"""Somebody's scene with torque motors in the place of servos, muscles and tendons, for a loop of their own."""

from __future__ import annotations

import warnings
from os import PathLike
from pathlib import Path

import mujoco

from poise.character.actuator import is_torque, torque_range
from poise.character.foreign.motors import touched
from poise.errors import BadInput


def with_motors(path: str | PathLike[str], **how) -> mujoco.MjSpec:
    """The whole file, floor and all, whose body is driven by torque motors alone.

    Torque motors stay as they are. Every other actuator of the body is taken out, and the joints it moved (all, where
    there is no drive) get motors with the limits that ``Character.from_mjcf`` finds for them. Sensors of what was
    taken out go with it, and so do the controls of keyframes.

    Args:
        path: An MJCF file.
        how: As for ``Character.from_mjcf``.
    """
    from poise.character.character import Character

    character = Character.from_mjcf(path, **how)
    spec = _spec(Path(path))
    model = spec.compile()
    inside = {model.joint(j).name for j in range(model.njnt)} & set(character.joint_names)
    by_joint = touched(model)
    mine = {a for j, actuators in by_joint.items() if model.joint(j).name in inside for a in actuators}
    other = [a for a in sorted(mine) if not is_torque(model, a)]
    kept = {j for j, actuators in by_joint.items() if any(a not in other for a in actuators)}
    gone = [
        model.joint(j).name
        for j, actuators in by_joint.items()
        if j not in kept and set(actuators) & set(other)
    ]
    gone = gone if mine else sorted(inside)  # a body without any drive gets motors everywhere
    named = {model.actuator(a).name for a in other}
    for key in spec.keys:
        key.ctrl, key.act = [], []
    for sensor in list(spec.sensors):
        if sensor.objtype == mujoco.mjtObj.mjOBJ_ACTUATOR and sensor.objname in named:
            spec.delete(sensor)
    for actuator in [spec.actuators[a] for a in other]:
        spec.delete(actuator)
    limits = _limits(character)
    for joint in sorted(set(gone) & set(character.joint_names), key=character.joint_names.index):
        for suffix, axis, (low, high) in limits.get(joint, []):
            motor = spec.add_actuator(name=f"{joint}{suffix}_motor", target=joint)
            motor.set_to_motor()
            motor.trntype = mujoco.mjtTrn.mjTRN_JOINT
            motor.gear = [float(i == axis) for i in range(6)]
            motor.ctrllimited, motor.ctrlrange = 1, (low, high)
    return spec


def _spec(path: Path) -> mujoco.MjSpec:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return mujoco.MjSpec.from_file(str(path))
    except ValueError as error:
        raise BadInput(f"{path}: {' '.join(str(error).split())}") from None


def _limits(character) -> dict[str, list[tuple[str, int, tuple[float, float]]]]:
    """Joint to its motors: end of the name, axis and range of the torque."""
    model, made = character.model, {}
    for a in range(model.nactuator):
        joint = model.joint(model.actuator_trnid[a, 0])
        axis = int(abs(model.actuator_gear[a, :3]).argmax())
        suffix = f"_{'xyz'[axis]}" if joint.type[0] == mujoco.mjtJoint.mjJNT_BALL else ""
        made.setdefault(joint.name, []).append((suffix, axis, torque_range(model, a)))
    return made

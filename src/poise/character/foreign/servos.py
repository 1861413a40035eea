"""Somebody's scene with torque motors in the place of servos, muscles and tendons, for a loop of their own."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

import mujoco

from poise.character.actuator import add_joint_motors, is_torque, torque_range
from poise.character.character import Character
from poise.character.foreign.motors import touched
from poise.character.foreign.source import engine_errors


def with_motors(path: str | PathLike[str], **how) -> mujoco.MjSpec:
    """The whole file, floor and all, whose body is driven by torque motors alone.

    Torque motors stay as they are. Every other actuator of the body is taken out, and the joints it moved (all, where
    there is no drive) get motors with the limits that ``Character.from_mjcf`` finds for them. Sensors of what was
    taken out go with it, and so do the controls of keyframes.

    Args:
        path: An MJCF file.
        how: As for ``Character.from_mjcf``.
    """
    character = Character.from_mjcf(path, **how)
    with engine_errors(Path(path)):
        spec = mujoco.MjSpec.from_file(str(path))
        model = spec.compile()
    inside = {model.joint(j).name for j in range(model.njnt)} & set(character.joint_names)
    by_joint = touched(model)
    mine = {a for j, actuators in by_joint.items() if model.joint(j).name in inside for a in actuators}
    other = [a for a in sorted(mine) if not is_torque(model, a)]
    kept = {j for j, actuators in by_joint.items() if any(a not in other for a in actuators)}
    moved = [j for j, actuators in by_joint.items() if set(actuators) & set(other)]
    gone = [model.joint(j).name for j in moved if j not in kept]
    gone = gone if mine else sorted(inside)  # a body without any drive gets motors everywhere
    named = {model.actuator(a).name for a in other}
    for key in spec.keys:
        key.ctrl, key.act = [], []
    for sensor in list(spec.sensors):
        if sensor.objtype == mujoco.mjtObj.mjOBJ_ACTUATOR and sensor.objname in named:
            spec.delete(sensor)
    for actuator in [spec.actuators[a] for a in other]:
        spec.delete(actuator)
    ours = character.model
    for joint in sorted(set(gone) & set(character.joint_names), key=character.joint_names.index):
        motors = [a for a in range(ours.nactuator) if ours.actuator_trnid[a, 0] == ours.joint(joint).id]
        ranges = [limits for a in motors if (limits := torque_range(ours, a)) is not None]
        add_joint_motors(spec, joint, ranges, "_motor")
    return spec

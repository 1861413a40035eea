"""Hinges in place of balls: a body whose poses are plain angles, with the engine's own joint stops and stiff wrists.

Every ball joint of a body with the adult's joints becomes hinges about y (bend), x (to the side) and z (twist) on the
same body. Masses, lengths and shapes stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import mujoco
import numpy as np

from poise.character.actuator import add_joint_motors
from poise.character.character import Character

Range = tuple[float, float]  # [deg]


@dataclass(frozen=True)
class Hinges:
    """What a ball joint becomes: range [deg] and torque limit [N m] about y, x and z; None leaves the axis out."""

    y: Range | None = None
    x: Range | None = None
    z: Range | None = None
    torque: tuple[float, float, float] = (0.0, 0.0, 0.0)  # about y, x, z


HINGES = {  # of the left side; bending forward is negative about y at hips and shoulders, positive elsewhere
    "spine_low": Hinges((-20, 50), (-15, 15), (-15, 15), (250, 200, 120)),
    "spine_mid": Hinges((-20, 50), (-15, 15), (-20, 20), (220, 180, 110)),
    "spine_top": Hinges((-15, 45), torque=(160, 0, 0)),
    "neck": Hinges((-50, 70), torque=(45, 0, 0)),
    "hip_l": Hinges((-150, 25), (-12, 40), (-30, 30), (220, 180, 90)),
    "ankle_l": Hinges((-30, 50), torque=(120, 0, 0)),
    "shoulder_l": Hinges((-180, 60), (-10, 110), (-80, 80), (90, 80, 50)),
    "wrist_l": Hinges(),
}
DAMPING = 0.004  # [s/rad] per torque limit, as of every body of ours: too small to see
ARMATURE = 0.02  # [kg m²]: keeps light limbs from whirling
AXES = {"y": (0.0, 1.0, 0.0), "x": (1.0, 0.0, 0.0), "z": (0.0, 0.0, 1.0)}


def hinged(body: Character, name: str, strength: float = 1.0, armature: float = ARMATURE) -> Character:
    """A body of ours with its ball joints turned into hinges and its wrists welded; ``strength`` scales torques."""
    spec = mujoco.MjSpec.from_string(body.spec_xml)
    spec.modelname = name
    for motor in list(spec.actuators):
        spec.delete(motor)
    torque: dict[str, float] = {}
    for joint in list(spec.joints):
        if joint.type == mujoco.mjtJoint.mjJNT_BALL:
            torque |= _replace(spec, joint, strength, armature)
        elif joint.type == mujoco.mjtJoint.mjJNT_HINGE:
            own = body.model.actuator(joint.name).ctrlrange[1]
            torque[joint.name], joint.armature = float(own), armature
    spec.compile()
    for joint in sorted(spec.joints, key=lambda j: j.id):
        if joint.name in torque:
            add_joint_motors(spec, joint.name, [(-torque[joint.name], torque[joint.name])])
    spec.compile()
    return Character(
        name=name, spec_xml=spec.to_xml(), supports=body.supports, stance=body.stance, effectors=body.effectors,
        pairs=body.pairs, arms=body.arms, rest={k: v for k, v in body.rest.items() if np.size(v) == 1},
    )  # fmt: skip


def _replace(
    spec: mujoco.MjSpec, joint: mujoco.MjsJoint, strength: float, armature: float
) -> dict[str, float]:
    """Hinges in the place of a ball joint; torque limit of each by its name."""
    right = joint.name.endswith("_r")
    hinges = HINGES[joint.name[:-2] + "_l" if right else joint.name]
    parent, made = joint.parent, {}
    stem, side = (joint.name[:-2], joint.name[-2:]) if joint.name[-2:] in ("_l", "_r") else (joint.name, "")
    spec.delete(joint)
    for (axis, vector), limit in zip(AXES.items(), hinges.torque, strict=True):
        span: Sequence[float] | None = getattr(hinges, axis)
        if span is None:
            continue
        if right and axis != "y":
            span = (-span[1], -span[0])
        name = f"{stem}_{axis}{side}"
        new = parent.add_joint(
            name=name, type=mujoco.mjtJoint.mjJNT_HINGE, axis=vector, armature=armature, limited=1
        )
        new.range = np.deg2rad(span)
        new.damping[0] = DAMPING * strength * limit
        made[name] = strength * limit
    return made

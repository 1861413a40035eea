"""A character's tree as URDF, for peers that read nothing else."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import mujoco
import numpy as np

from poise.character import Character
from poise.character.constants import HINGE


def urdf(character: Character) -> str:
    """URDF text: same masses, inertias and number of degrees of freedom; the root floats.

    A ball joint becomes three stacked hinges about x, y and z, joined by links without mass.
    """
    model = character.model
    robot = ET.Element("robot", name=character.name)
    for body in range(1, model.nbody):
        _link(robot, model, body)
        if model.body_parentid[body] != 0:
            _joint(robot, model, body)
    for name in character.stance:
        support = character.support(name)
        _fixed(robot, support.body, f"{name}_sole", support.points.mean(axis=0))
    ET.indent(robot)
    return ET.tostring(robot, encoding="unicode")


def _link(robot: ET.Element, model: mujoco.MjModel, body: int) -> None:
    link = ET.SubElement(robot, "link", name=model.body(body).name)
    inertial = ET.SubElement(link, "inertial")
    ET.SubElement(inertial, "origin", xyz=_text(model.body_ipos[body]))
    ET.SubElement(inertial, "mass", value=repr(float(model.body_mass[body])))
    R = np.zeros(9)
    mujoco.mju_quat2Mat(R, model.body_iquat[body])
    inertia = R.reshape(3, 3) @ np.diag(model.body_inertia[body]) @ R.reshape(3, 3).T
    entries = {"ixx": (0, 0), "ixy": (0, 1), "ixz": (0, 2), "iyy": (1, 1), "iyz": (1, 2), "izz": (2, 2)}
    ET.SubElement(inertial, "inertia", {name: repr(float(inertia[spot])) for name, spot in entries.items()})


def _joint(robot: ET.Element, model: mujoco.MjModel, body: int) -> None:
    joint = model.body_jntadr[body]
    name, kind = model.joint(joint).name, model.jnt_type[joint]
    axes = {"": model.jnt_axis[joint]} if kind == HINGE else dict(zip(("_x", "_y", "_z"), np.eye(3)))
    dof = model.jnt_dofadr[joint]
    parent = model.body(model.body_parentid[body]).name
    for i, (suffix, axis) in enumerate(axes.items()):
        last = i == len(axes) - 1
        child = model.body(body).name if last else f"{name}{suffix}_link"
        if not last:
            ET.SubElement(robot, "link", name=child)
        effort = float(np.abs(model.actuator_ctrlrange[dof - 6 + i]).max())
        element = ET.SubElement(robot, "joint", name=f"{name}{suffix}", type="revolute")
        ET.SubElement(element, "parent", link=parent)
        ET.SubElement(element, "child", link=child)
        ET.SubElement(element, "origin", xyz=_text(model.body_pos[body] if i == 0 else np.zeros(3)))
        ET.SubElement(element, "axis", xyz=_text(axis))
        ET.SubElement(element, "limit", lower="-3", upper="3", effort=repr(effort), velocity="50")
        parent = child


def _fixed(robot: ET.Element, parent: str, name: str, place: np.ndarray) -> None:
    """A frame without mass on a link: the middle of a sole."""
    ET.SubElement(robot, "link", name=name)
    element = ET.SubElement(robot, "joint", name=f"{name}_fixed", type="fixed")
    ET.SubElement(element, "parent", link=parent)
    ET.SubElement(element, "child", link=name)
    ET.SubElement(element, "origin", xyz=_text(place))


def rest_angles(character: Character) -> dict[str, float]:
    """Rest pose by the names of the URDF's hinges [rad]; a ball joint is turned about x, then y, then z."""
    angles: dict[str, float] = {}
    for name, value in character.rest.items():
        if np.ndim(value) == 0:
            angles[name] = float(value)
            continue
        R = np.zeros(9)
        mujoco.mju_quat2Mat(R, np.asarray(value))
        R = R.reshape(3, 3)
        angles[f"{name}_x"] = float(np.arctan2(-R[1, 2], R[2, 2]))
        angles[f"{name}_y"] = float(np.arcsin(np.clip(R[0, 2], -1, 1)))
        angles[f"{name}_z"] = float(np.arctan2(-R[0, 1], R[0, 0]))
    return angles


def _text(vector: np.ndarray) -> str:
    return " ".join(repr(float(x)) for x in vector)

"""Fields of URDF elements, read leniently; inertias made possible; files found although no package is installed."""

from __future__ import annotations

import math
from pathlib import Path
from xml.etree.ElementTree import Element

import mujoco
import numpy as np

from poise import gate
from poise.geometry import quat

GREY = (0.6, 0.62, 0.65, 1.0)
LARGEST = 1e9  # of a number in a description
LEAST_MASS = 1e-3  # [kg] of a link that moves and has none
LEAST_RADIUS = 0.01  # [m]: radius of gyration where none is given
CLIMB = 8  # folders above the description that are tried


def end(joint: Element, which: str) -> str:
    """Link at the ``parent`` or ``child`` end of a joint."""
    element = joint.find(which)
    return "" if element is None else element.get("link", "")


def number(element: Element, key: str, default: float = 0.0) -> float:
    """An attribute, or the default where it is missing or no number; one without a sane size is BadInput."""
    try:
        value = float(element.get(key, default))
    except ValueError:
        return default
    if abs(value) == math.inf:  # some write "no limit" so
        return math.copysign(gate.LARGEST, value)
    return gate.number(f"<{element.tag}> {key}", value, -LARGEST, LARGEST)


def vector(element: Element, key: str, default: tuple) -> tuple[float, ...]:
    """The numbers of an attribute, as many as the default has; the default where there are fewer."""
    try:
        values = tuple(float(x) for x in element.get(key, "").replace(",", " ").split())
    except ValueError:
        return default
    for value in values:
        gate.number(f"<{element.tag}> {key}", value, -LARGEST, LARGEST)
    return values[: len(default)] if len(values) >= len(default) else default


def origin(element: Element) -> tuple[np.ndarray, np.ndarray]:
    """Position [m] and quaternion of an element's frame; yaw, then pitch, then roll."""
    place = element.find("origin")
    if place is None:
        return np.zeros(3), quat.IDENTITY
    angles = vector(place, "rpy", (0, 0, 0))
    roll, pitch, yaw = (quat.from_rotvec(angle * axis) for angle, axis in zip(angles, np.eye(3)))
    return np.array(vector(place, "xyz", (0, 0, 0))), quat.multiply(yaw, quat.multiply(pitch, roll))


def colour(material: Element) -> tuple[float, ...] | None:
    """Of a material element, where it has one."""
    element = material.find("color")
    return None if element is None else vector(element, "rgba", GREY)


def inertial(body: mujoco.MjsBody, element: Element | None, moves: bool, repaired: list[str]) -> None:
    """Mass, centre and inertia of a link; those the engine would refuse are repaired, and ``repaired`` says which.

    A link that ``moves`` must have mass of its own.
    """
    body.explicitinertial = True
    mass = 0.0 if element is None else _attribute(element, "mass", "value")
    centre, turn = np.zeros(3), quat.IDENTITY
    inertia = np.zeros((3, 3))
    if element is not None:
        centre, turn = origin(element)
        keys = (("ixx", "ixy", "ixz"), ("ixy", "iyy", "iyz"), ("ixz", "iyz", "izz"))
        inertia = np.array([[_attribute(element, "inertia", key) for key in row] for row in keys])
    if mass <= 0.0 and moves:
        mass, inertia = LEAST_MASS, np.zeros((3, 3))
        repaired.append(f"{body.name} moves and had no mass: {mass} kg")
    principal, axes = np.linalg.eigh(inertia)
    fixed = possible(principal, mass, moves)
    if moves and np.abs(fixed - principal).max() > 1e-3 * fixed.max(initial=0.0) and principal.any():
        repaired.append(f"inertia of {body.name} was that of no real part")
    if np.linalg.det(axes) < 0:
        axes[:, 0] *= -1
    body.mass, body.ipos, body.inertia = mass, centre, fixed
    body.iquat = quat.multiply(turn, quat.from_matrix(axes))


def possible(principal: np.ndarray, mass: float, moves: bool) -> np.ndarray:
    """The nearest principal moments [kg m²] of a real part, ascending: no axis has more than the other two together."""
    if not moves and mass <= 0.0:
        return np.zeros(3)
    least = 1e-3 * max(float(principal.max()), mass * LEAST_RADIUS**2)
    fixed = np.maximum(principal, least)
    fixed[2] = min(fixed[2], fixed[0] + fixed[1])
    return fixed


def _attribute(element: Element, tag: str, key: str) -> float:
    part = element.find(tag)
    return 0.0 if part is None else number(part, key)


def find_file(uri: str, description: Path) -> Path | None:
    """The file of ``package://name/path``, of a relative path, or of an absolute path of another machine.

    Every tail of the path is tried in the description's folder and in those above it, the longest tail first.
    """
    text = uri.strip().replace("\\", "/")
    for scheme in ("package://", "model://", "file://"):
        text = text.removeprefix(scheme)
    if text.startswith("/") and Path(text).is_file():
        return Path(text)
    parts = [part for part in text.split("/") if part not in ("", ".")]
    folders = [description.resolve().parent, *description.resolve().parent.parents][:CLIMB]
    for start in range(len(parts)):
        for folder in folders:
            candidate = folder.joinpath(*parts[start:])
            if candidate.is_file():
                return candidate
    return None

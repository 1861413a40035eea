"""Inertias of a URDF, made possible where they are not: positive, and no axis with more than the other two together."""

from __future__ import annotations

from xml.etree.ElementTree import Element

import mujoco
import numpy as np

from poise.character.foreign.fields import number, origin
from poise.geometry import quat

LEAST_MASS = 1e-3  # [kg] of a link that moves and has none
LEAST_RADIUS = 0.01  # [m]: radius of gyration where none is given


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
        xx, xy, xz, yy, yz, zz = (
            _attribute(element, "inertia", k) for k in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
        )
        inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
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
    """The nearest principal moments [kg m²] of a real part, ascending."""
    if not moves and mass <= 0.0:
        return np.zeros(3)
    least = 1e-3 * max(float(principal.max()), mass * LEAST_RADIUS**2)
    fixed = np.maximum(principal, least)
    fixed[2] = min(fixed[2], fixed[0] + fixed[1])
    return fixed


def _attribute(element: Element, tag: str, key: str) -> float:
    part = element.find(tag)
    return 0.0 if part is None else number(part, key)

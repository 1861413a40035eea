"""Fields of URDF elements, read leniently."""

from __future__ import annotations

from xml.etree.ElementTree import Element

import numpy as np

from poise.geometry import quat

GREY = (0.6, 0.62, 0.65, 1.0)


def end(joint: Element, which: str) -> str:
    """Link at the ``parent`` or ``child`` end of a joint."""
    element = joint.find(which)
    return "" if element is None else element.get("link", "")


def number(element: Element, key: str, default: float = 0.0) -> float:
    """An attribute, or the default where it is missing or no number."""
    try:
        return float(element.get(key, default))
    except ValueError:
        return default


def vector(element: Element, key: str, default: tuple) -> tuple[float, ...]:
    """The numbers of an attribute, as many as the default has; the default where there are fewer."""
    try:
        values = tuple(float(x) for x in element.get(key, "").replace(",", " ").split())
    except ValueError:
        return default
    return values[: len(default)] if len(values) >= len(default) else default


def origin(element: Element) -> tuple[np.ndarray, np.ndarray]:
    """Position [m] and quaternion of an element's frame; yaw, then pitch, then roll."""
    place = element.find("origin")
    if place is None:
        return np.zeros(3), quat.IDENTITY
    turns = [
        quat.from_rotvec(angle * axis) for angle, axis in zip(vector(place, "rpy", (0, 0, 0)), np.eye(3))
    ]
    roll, pitch, yaw = turns
    return np.array(vector(place, "xyz", (0, 0, 0))), quat.multiply(yaw, quat.multiply(pitch, roll))


def colour(material: Element) -> tuple[float, ...] | None:
    """Of a material element, where it has one."""
    element = material.find("color")
    return None if element is None else vector(element, "rgba", GREY)

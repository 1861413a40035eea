"""Shapes of limbs: what is drawn and what collides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from poise.geometry import quat
from poise.geometry.linear import norm

Vec = Sequence[float]

RIGHT_SHADE = 0.88  # of the colours of right limbs to those of left ones


@dataclass(frozen=True)
class Shape:
    """One geom, in the limb's frame [m]. Solid shapes collide, the others are only drawn.

    A capsule goes from ``a`` to ``b`` with ``size`` = radius; a box or ellipsoid has its middle at ``a``,
    half sizes ``size`` and is pitched about y by ``pitch`` [rad].
    """

    kind: str
    a: Vec
    b: Vec | None
    size: Vec
    rgba: Vec
    solid: bool = True
    pitch: float = 0.0
    drawn: bool = True

    def mirrored(self) -> Shape:
        """The same on the right side, a shade darker so that sides can be told passes."""
        rgba = (*(RIGHT_SHADE * c for c in self.rgba[:3]), self.rgba[3])
        return replace(self, a=flip(self.a), b=None if self.b is None else flip(self.b), rgba=rgba)

    @property
    def volume(self) -> float:
        """[m³]."""
        if self.b is not None:
            radius, length = self.size[0], float(norm(np.subtract(self.b, self.a)))
            return np.pi * radius**2 * (length + 4 / 3 * radius)
        return float(np.prod(self.size)) * (8.0 if self.kind == "box" else 4 / 3 * np.pi)


def capsule(a: Vec, b: Vec, radius: float, rgba: Vec, **how: bool) -> Shape:
    """Capsule from a to b."""
    return Shape("capsule", a, b, (radius,), rgba, **how)


def look(kind: str, middle: Vec, size: Vec, rgba: Vec, pitch: float = 0.0) -> Shape:
    """Box or ellipsoid that is only drawn."""
    return Shape(kind, middle, None, size, rgba, solid=False, pitch=pitch)


@dataclass(frozen=True)
class Sole:
    """Flat underside of a foot: a heel and a toe rod across it, so that a plane meets it in four points [m].

    Its axes are x towards the toes and z away from the ground; ``frame`` turns them into the limb's (quaternion wxyz).
    """

    heel: float  # x of the heel rod
    toe: float  # x of the toe rod
    width: tuple[float, float]  # of the heel and of the toe rod
    depth: float  # of the sole below the ankle
    radius: float = 0.015  # of the rods
    frame: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)

    @property
    def points(self) -> np.ndarray:
        """Corners in the limb's frame, counter-clockwise seen from above (4, 3)."""
        return self._at(-self.depth)

    def _at(self, z: float) -> np.ndarray:
        h, t = self.width
        corners = [(self.heel, -h / 2, z), (self.toe, -t / 2, z), (self.toe, t / 2, z), (self.heel, h / 2, z)]
        return np.array(corners) if self.frame[0] == 1.0 else quat.rotate(np.array(self.frame), corners)

    def mirrored(self) -> Sole:
        """The same on the right side."""
        w, x, y, z = self.frame
        return replace(self, frame=(w, -x, y, -z))

    def shapes(self) -> tuple[Shape, Shape]:
        """The two rods."""
        p, grey = self._at(self.radius - self.depth), (0.3, 0.3, 0.3, 1.0)
        heel, toe = (capsule(a, b, self.radius, grey, drawn=False) for a, b in ((p[0], p[3]), (p[1], p[2])))
        return heel, toe


def flip(point: Vec) -> tuple[float, float, float]:
    """Mirror image of a point across the xz plane."""
    return (point[0], -point[1], point[2])

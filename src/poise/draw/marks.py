"""Marks in a picture: arrows of pushes, balls at points, ropes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from poise.draw import mesh
from poise.draw.cloth import Cloth, rigid
from poise.draw.mesh import Mesh
from poise.geometry import quat

BALL = 0.028  # radius of a mark [m]
SHAFT, HEAD, HEAD_LENGTH = 0.016, 0.042, 0.12  # radii and length of an arrow [m]
ROPE = 0.011  # radius [m]


class Mark(NamedTuple):
    """An arrow from `tail` to `tip`, a rope between them, or a ball at `tip` when there is no tail."""

    tail: np.ndarray | None
    tip: np.ndarray
    rgba: np.ndarray
    label: str = ""
    rope: bool = False

    def cloth(self) -> Cloth:
        """Its triangles."""
        if self.tail is None:
            made = mesh.ellipsoid(np.full(3, BALL)).moved(self.tip, quat.IDENTITY)
        else:
            made = self._long()
        return rigid(made, self.rgba[:3])

    def _long(self) -> Mesh:
        assert self.tail is not None
        along = self.tip - self.tail
        length = max(float(np.linalg.norm(along)), 1e-6)
        x, y, z = along / length
        turn = quat.normalize([1 + z, -y, x, 0.0]) if z > -0.999999 else np.array([0.0, 1.0, 0.0, 0.0])
        if self.rope:
            return mesh.cylinder(ROPE, 0.5 * length).moved(0.5 * (self.tail + self.tip), turn)
        neck = max(length - HEAD_LENGTH, 0.02)
        shaft = mesh.cylinder(SHAFT, 0.5 * neck).moved(np.array([0, 0, 0.5 * neck]), quat.IDENTITY)
        head = mesh.cone(HEAD, length - neck).moved(np.array([0, 0, neck]), quat.IDENTITY)
        return mesh.merged([shaft, head]).moved(self.tail, turn)

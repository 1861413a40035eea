"""How far points are from simple shapes, and points on their surfaces close enough together to be bent."""

from __future__ import annotations

from typing import NamedTuple

import mujoco
import numpy as np

SIDES = 18  # corners around a round shape
RINGS = 6  # steps from a pole to the equator
APART = 0.021  # of a body's height: between two rings of a straight part
KINDS = {int(getattr(mujoco.mjtGeom, f"mjGEOM_{k}")): k.lower() for k in
         ("SPHERE", "CAPSULE", "CYLINDER", "BOX", "ELLIPSOID")}  # fmt: skip


class Shape(NamedTuple):
    """A simple shape in the world: kind, half sizes, place, axes in columns, colour, and the joint it belongs to."""

    kind: str
    size: np.ndarray  # (3,)
    at: np.ndarray  # (3,)
    axes: np.ndarray  # (3, 3)
    rgb: np.ndarray  # (3,)
    joint: int

    @property
    def thick(self) -> float:
        """Half of its width [m]: of the three sizes the middle one."""
        return float(
            self.size[0] if self.kind in ("sphere", "capsule", "cylinder") else np.sort(self.size)[1]
        )

    def distance(self, points: np.ndarray) -> np.ndarray:
        """Of points (n, 3) from the surface, negative inside (n,) [m]; near the surface of an ellipsoid only nearly."""
        p = np.abs((points - self.at) @ self.axes)
        a, b, _ = self.size
        if self.kind == "sphere":
            return np.linalg.norm(p, axis=1) - a
        if self.kind == "ellipsoid":
            near, far = np.linalg.norm(p / self.size, axis=1), np.linalg.norm(p / self.size**2, axis=1)
            return np.where(far > 1e-6, near * (near - 1.0) / np.maximum(far, 1e-6), -self.size.min())
        if self.kind == "capsule":
            return np.hypot(np.hypot(p[:, 0], p[:, 1]), np.maximum(p[:, 2] - b, 0.0)) - a
        if self.kind == "cylinder":
            q = np.stack([np.hypot(p[:, 0], p[:, 1]) - a, p[:, 2] - b], axis=1)
        else:
            q = p - self.size
        return np.linalg.norm(np.maximum(q, 0.0), axis=1) + np.minimum(q.max(axis=1), 0.0)

    def surface(self, height: float) -> tuple[np.ndarray, np.ndarray]:
        """Points (n, 3) on it and triangles between them (m, 3), for a body of some height [m]."""
        a, b, _ = self.size
        if self.kind == "box":
            points, faces = _cube(max(2, round(2 * float(self.size.max()) / (APART * height))))
            points = points * self.size
        else:
            size = self.size if self.kind == "ellipsoid" else np.full(3, a)
            straight = b if self.kind in ("capsule", "cylinder") else 0.0
            flat = self.kind == "cylinder"
            points, faces = _lathe(size, straight, flat, max(1, round(2 * straight / (APART * height))))
        return points @ self.axes.T + self.at, faces


def _lathe(size: np.ndarray, half: float, flat: bool, rings: int) -> tuple[np.ndarray, np.ndarray]:
    """Of a shape that is round about z: caps of half axes ``size``, ``half`` of a straight part between them."""
    if flat:
        profile = [(0.0, half), (0.5, half), (1.0, half)]
        size = np.array([size[0], size[1], 0.0])
        caps = np.array(profile)
        low = caps[::-1] * [1.0, -1.0]
    else:
        tilt = 0.5 * np.pi * np.arange(RINGS + 1) / RINGS
        caps = np.stack([np.sin(tilt), np.cos(tilt) * size[2] + half], axis=1)
        low = caps[::-1] * [1.0, -1.0]
    between = half * (1.0 - 2.0 * np.arange(1, rings) / rings)
    middle = np.stack([np.ones(rings - 1), between], axis=1) if half > 0 else np.zeros((0, 2))
    rows = np.concatenate([caps, middle, low if half > 0 else low[1:]])
    turn = 2 * np.pi * np.arange(SIDES) / SIDES
    ring = np.stack([np.cos(turn) * size[0], np.sin(turn) * size[1]], axis=1)
    points = np.concatenate([np.column_stack([r * ring, np.full(SIDES, z)]) for r, z in rows])
    k = np.arange(SIDES)
    n, faces = (k + 1) % SIDES, []
    for row in range(len(rows) - 1):
        a, b = row * SIDES, (row + 1) * SIDES
        faces += [np.column_stack([a + k, b + k, b + n]), np.column_stack([a + k, b + n, a + n])]
    return _welded(points, np.concatenate(faces))


def _cube(cells: int) -> tuple[np.ndarray, np.ndarray]:
    """A cube from -1 to 1, each side in so many cells."""
    at = np.linspace(-1.0, 1.0, cells + 1)
    u, v = (g.ravel() for g in np.meshgrid(at, at, indexing="ij"))
    i = np.arange(cells)
    k = (i[:, None] * (cells + 1) + i).ravel()
    quads = np.concatenate(
        [np.column_stack([k, k + cells + 1, k + cells + 2]), np.column_stack([k, k + cells + 2, k + 1])]
    )
    points, faces = [], []
    for axis in range(3):
        for sign in (1.0, -1.0):
            side = np.empty((len(u), 3))
            side[:, axis], side[:, (axis + 1) % 3], side[:, (axis + 2) % 3] = sign, u, v
            faces.append((quads if sign > 0 else quads[:, ::-1]) + len(points) * len(u))
            points.append(side)
    return _welded(np.concatenate(points), np.concatenate(faces))


def _welded(points: np.ndarray, faces: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same with corners at one place made one, and triangles without area left out."""
    _, first, which = np.unique(np.round(points, 7), axis=0, return_index=True, return_inverse=True)
    faces = which.reshape(-1)[faces]
    a, b, c = faces.T
    return points[first], faces[(a != b) & (b != c) & (c != a)]

"""How far points are from simple shapes, and points on their surfaces close enough together to be bent."""

from __future__ import annotations

from typing import NamedTuple

import mujoco
import numpy as np

from poise.compiled import compiled

SIDES = (10, 44)  # corners around a round shape: at least, at most
KINDS = {int(getattr(mujoco.mjtGeom, f"mjGEOM_{k}")): k.lower() for k in
         ("SPHERE", "CAPSULE", "CYLINDER", "BOX", "ELLIPSOID")}  # fmt: skip


NAMES = list(KINDS.values())
SPHERE, CAPSULE, CYLINDER, BOX, ELLIPSOID = range(5)


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

    @property
    def thin(self) -> float:
        """The smallest of its half widths [m]."""
        sizes = {"sphere": 1, "capsule": 1, "cylinder": 2}.get(self.kind, 3)
        return float(self.size[:sizes].min())

    def distance(self, points: np.ndarray) -> np.ndarray:
        """Of points (n, 3) from the surface, negative inside (n,) [m]; near the surface of an ellipsoid only nearly."""
        return Part([self]).nearest(points)

    def surface(self, apart: float) -> tuple[np.ndarray, np.ndarray]:
        """Points (n, 3) on it, about so far apart [m], and triangles between them (m, 3)."""
        a, b, _ = self.size
        if self.kind == "box":
            points, faces = _cube(max(2, round(2 * float(self.size.max()) / apart)))
            points = points * self.size
        else:
            size = self.size if self.kind == "ellipsoid" else np.full(3, a)
            straight = b if self.kind in ("capsule", "cylinder") else 0.0
            flat = self.kind == "cylinder"
            sides = int(np.clip(round(2 * np.pi * self.thick / apart), *SIDES))
            sides += sides % 2
            points, faces = _lathe(size, straight, flat, max(1, round(2 * straight / apart)), sides)
        return points @ self.axes.T + self.at, faces


class Part:
    """The shapes of one body."""

    def __init__(self, shapes: list[Shape]) -> None:
        self.shapes = sorted(shapes, key=lambda s: -s.thick)
        self.thick = self.shapes[0].thick
        colours = [s.rgb.tobytes() for s in self.shapes]
        self.hues = {tuple(np.round(s.rgb / max(float(s.rgb.max()), 1e-3), 2)) for s in self.shapes}
        self._thin = np.array([s.thin for s in self.shapes])
        self._colours = np.array([colours.index(c) for c in colours])
        self._packed = (
            np.array([NAMES.index(s.kind) for s in self.shapes]),
            *(np.array([getattr(s, name) for s in self.shapes]) for name in ("size", "at", "axes")),
        )

    def nearest(self, points: np.ndarray, but: Shape | None = None) -> np.ndarray:
        """Distance from the nearest shape (n,), one left out if asked; 1e9 where there is no other."""
        skip = -1 if but is None else next(i for i, s in enumerate(self.shapes) if s is but)
        out = np.empty(len(points))
        _nearest(*self._packed, skip, np.ascontiguousarray(points), out)
        return out

    def together(self, points: np.ndarray, flow: float, share: float) -> np.ndarray:
        """Distance from all (n,): those of one colour run into one another where they are closer than ``flow`` [m],
        and than a share of the thinner one's half width."""
        out = np.empty(len(points))
        reach = np.minimum(flow, share * self._thin)
        _together(*self._packed, self._colours, reach, np.ascontiguousarray(points), out)
        return out


@compiled
def _nearest(kinds, sizes, places, axes, skip, points, out):
    for i in range(len(points)):
        best = 1e9
        for s in range(len(kinds)):
            if s != skip:
                best = min(best, _distance(kinds[s], sizes[s], places[s], axes[s], points[i]))
        out[i] = best


@compiled
def _together(kinds, sizes, places, axes, colours, reach, points, out):
    flowing = np.empty(len(kinds))
    for i in range(len(points)):
        best = 1e9
        flowing[:] = 1e9
        for s in range(len(kinds)):
            d, near, k = (
                _distance(kinds[s], sizes[s], places[s], axes[s], points[i]),
                flowing[colours[s]],
                reach[s],
            )
            d = min(d, near) - max(k - abs(d - near), 0.0) ** 2 / (4.0 * k)
            flowing[colours[s]] = d
        for s in range(len(kinds)):
            best = min(best, flowing[s])
        out[i] = best


@compiled
def _distance(kind, size, at, axes, point):
    """Of a point from one shape."""
    a, b, c = size[0], size[1], size[2]
    x, y, z = point[0] - at[0], point[1] - at[1], point[2] - at[2]
    u = abs(x * axes[0, 0] + y * axes[1, 0] + z * axes[2, 0])
    v = abs(x * axes[0, 1] + y * axes[1, 1] + z * axes[2, 1])
    w = abs(x * axes[0, 2] + y * axes[1, 2] + z * axes[2, 2])
    if kind == SPHERE:
        return np.sqrt(u * u + v * v + w * w) - a
    if kind == ELLIPSOID:
        near = np.sqrt((u / a) ** 2 + (v / b) ** 2 + (w / c) ** 2)
        far = np.sqrt((u / (a * a)) ** 2 + (v / (b * b)) ** 2 + (w / (c * c)) ** 2)
        return near * (near - 1.0) / far if far > 1e-6 else -min(a, b, c)
    if kind == CAPSULE:
        over = max(w - b, 0.0)
        return np.sqrt(u * u + v * v + over * over) - a
    if kind == CYLINDER:
        u, v, w = np.sqrt(u * u + v * v) - a, -1e9, w - b
    else:
        u, v, w = u - a, v - b, w - c
    outside = max(u, 0.0) ** 2 + max(v, 0.0) ** 2 + max(w, 0.0) ** 2
    return np.sqrt(outside) + min(max(u, v, w), 0.0)


def _lathe(
    size: np.ndarray, half: float, flat: bool, rings: int, sides: int
) -> tuple[np.ndarray, np.ndarray]:
    """Of a shape that is round about z: caps of half axes ``size``, ``half`` of a straight part between them."""
    if flat:
        profile = [(0.0, half), (0.5, half), (1.0, half)]
        size = np.array([size[0], size[1], 0.0])
        caps = np.array(profile)
        low = caps[::-1] * [1.0, -1.0]
    else:
        steps = max(4, sides // 3)
        tilt = 0.5 * np.pi * np.arange(steps + 1) / steps
        caps = np.stack([np.sin(tilt), np.cos(tilt) * size[2] + half], axis=1)
        low = caps[::-1] * [1.0, -1.0]
    between = half * (1.0 - 2.0 * np.arange(1, rings) / rings)
    middle = np.stack([np.ones(rings - 1), between], axis=1) if half > 0 else np.zeros((0, 2))
    rows = np.concatenate([caps, middle, low if half > 0 else low[1:]])
    turn = 2 * np.pi * np.arange(sides) / sides
    ring = np.stack([np.cos(turn) * size[0], np.sin(turn) * size[1]], axis=1)
    points = np.concatenate([np.column_stack([r * ring, np.full(sides, z)]) for r, z in rows])
    k = np.arange(sides)
    n, faces = (k + 1) % sides, []
    for row in range(len(rows) - 1):
        a, b = row * sides, (row + 1) * sides
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

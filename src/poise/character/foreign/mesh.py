"""Meshes: read STL and OBJ; simplify what is only drawn, so that a body fits in one text."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from xml.etree.ElementTree import ParseError

import mujoco
import numpy as np

from poise.errors import BadInput

Mesh = tuple[np.ndarray, np.ndarray]  # vertices (n, 3) [m] and faces (m, 3)
DRAWN_VERTICES = 900  # most that one drawn mesh keeps
GRID = 1_000_000  # steps across a mesh within which corners count as equal
FLAT = 5e-4  # [m]: half the thickness given to a flat mesh that collides
STL_RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("extra", "<u2")])


def read(path: Path) -> Mesh:
    """Vertices and triangles of a file, by its ending."""
    readers = {".stl": _stl, ".obj": _obj, ".dae": _dae}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise BadInput(f"mesh {path.name}: ending {path.suffix!r} is not read; {', '.join(readers)} are")
    try:
        vertices, faces = reader(path)
    except (ValueError, IndexError, KeyError, ParseError) as error:
        raise BadInput(f"mesh {path} cannot be read: {error}") from None
    if len(faces) == 0 or not np.isfinite(vertices).all():
        raise BadInput(f"mesh {path} holds no triangles, or coordinates that are not finite")
    return vertices, faces


def merged(corners: np.ndarray) -> Mesh:
    """Triangles (m, 3, 3) with equal corners made one vertex."""
    points = corners.reshape(-1, 3).astype(float)
    low, span = points.min(axis=0, initial=np.inf), float(np.ptp(points)) if len(points) else 1.0
    cells = np.rint((points - low) / max(span, 1e-12) * GRID).astype(np.int64)
    x, y, z = cells.T
    keys = (x * (GRID + 2) + y) * (GRID + 2) + z  # one number a vertex sorts fast
    _, first, index = np.unique(keys, return_index=True, return_inverse=True)
    return points[first], index.reshape(-1, 3)


def simplified(vertices: np.ndarray, faces: np.ndarray, most: int = DRAWN_VERTICES) -> Mesh:
    """The same surface with at most so many vertices: those that share a cell of a grid become one."""
    if len(vertices) <= most:
        return vertices, faces
    low, span = vertices.min(axis=0), float(np.ptp(vertices, axis=0).max())
    cell = span / np.sqrt(most)
    for _ in range(24):
        cells = np.floor((vertices - low) / cell).astype(np.int64)
        _, first, index = np.unique(cells, axis=0, return_index=True, return_inverse=True)
        if len(first) <= most:
            break
        cell *= 1.15
    else:
        return vertices, faces
    kept = index.ravel()[faces]
    kept = kept[(kept != np.roll(kept, 1, axis=1)).all(axis=1)]  # not fallen together
    if len(kept) == 0:
        return vertices, faces
    used, again = np.unique(kept, return_inverse=True)
    return vertices[first[used]], again.reshape(-1, 3)


def add(
    spec: mujoco.MjSpec,
    name: str,
    mesh: Mesh,
    solid: bool,
    most: int = DRAWN_VERTICES,
    digits: int | None = None,
) -> None:
    """Add a mesh to a spec: the hull of one that collides; a simple surface, rounded or not, of one that is drawn."""
    made = spec.add_mesh(name=name)
    if solid:
        made.uservert = solid_hull(mesh[0]).ravel()
        return
    vertices, faces = simplified(*mesh, most)
    made.uservert = (vertices if digits is None else vertices.round(digits)).ravel()
    made.userface, made.inertia = faces.ravel(), mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL


def hull(vertices: np.ndarray) -> np.ndarray:
    """Corners of the convex hull; all vertices where they lie in a plane."""
    from scipy.spatial import ConvexHull, QhullError

    try:
        return vertices[np.sort(ConvexHull(vertices).vertices)]
    except (QhullError, ValueError):
        return vertices


def solid_hull(vertices: np.ndarray) -> np.ndarray:
    """Corners of the convex hull, given some thickness where they lie in a plane."""
    middle = vertices.mean(axis=0)
    _, size, axes = np.linalg.svd(vertices - middle, full_matrices=False)
    if len(size) < 3 or size[2] < 1e-6 * max(float(size[0]), 1e-9):
        thin = FLAT * axes[-1]
        vertices = np.concatenate([vertices - thin, vertices + thin])
    return hull(vertices)


def _dae(path: Path) -> Mesh:
    from poise.character.foreign.collada import corners

    return merged(corners(path))


def _stl(path: Path) -> Mesh:
    data = path.read_bytes()
    count = int.from_bytes(data[80:84], "little") if len(data) >= 84 else -1
    if count >= 0 and len(data) >= 84 + 50 * count and not (data[:5] == b"solid" and b"facet" in data[:400]):
        return merged(np.frombuffer(data, STL_RECORD, count, 84)["corners"])
    numbers = re.findall(rb"vertex\s+(\S+)\s+(\S+)\s+(\S+)", data)
    return merged(np.array(numbers, dtype=float).reshape(-1, 3, 3))


def _obj(path: Path) -> Mesh:
    text = path.read_bytes()
    numbers = re.findall(rb"^v\s+(\S+)\s+(\S+)\s+(\S+)", text, re.MULTILINE)
    vertices = np.array(numbers, dtype=float).reshape(-1, 3)
    faces: list[tuple[int, int, int]] = []
    for line in re.findall(rb"^f\s+(.*)", text, re.MULTILINE):
        ring = [int(corner.partition(b"/")[0]) for corner in line.split()]
        ring = [i - 1 if i > 0 else len(vertices) + i for i in ring]  # from one on, or back from the last
        faces += [(ring[0], a, b) for a, b in pairwise(ring[1:])]
    return vertices, np.array(faces, dtype=np.int64).reshape(-1, 3)

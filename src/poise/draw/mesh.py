"""Triangles of simple shapes, and of the geoms of a model."""

from __future__ import annotations

from typing import NamedTuple

import mujoco
import numpy as np

from poise.geometry import quat

SIDES, RINGS = 20, 14  # of a round shape: corners around its axis, steps from pole to pole (even)
MOST = 4000  # corners of a mesh; finer ones are simplified
KIND = {int(getattr(mujoco.mjtGeom, f"mjGEOM_{k}")): k.lower() for k in
        ("SPHERE", "CAPSULE", "CYLINDER", "BOX", "ELLIPSOID", "MESH", "SDF", "HFIELD")}  # fmt: skip


class Mesh(NamedTuple):
    """Triangles, counter-clockwise seen from outside."""

    vertices: np.ndarray  # (n, 3) [m]
    normals: np.ndarray  # (n, 3) unit
    faces: np.ndarray  # (m, 3) int

    def moved(self, position: np.ndarray, rotation: np.ndarray) -> Mesh:
        """The same mesh turned by a quaternion, then shifted."""
        return Mesh(
            quat.rotate(rotation, self.vertices) + position, quat.rotate(rotation, self.normals), self.faces
        )


def merged(meshes: list[Mesh]) -> Mesh:
    """Several meshes as one."""
    starts = np.cumsum([0, *(len(m.vertices) for m in meshes[:-1])])
    return Mesh(
        np.concatenate([m.vertices for m in meshes]),
        np.concatenate([m.normals for m in meshes]),
        np.concatenate([m.faces + start for m, start in zip(meshes, starts)]),
    )


def ellipsoid(size: np.ndarray) -> Mesh:
    """Ellipsoid with three half axes [m]."""
    unit, faces = _globe()
    normals = unit / size
    return Mesh(unit * size, normals / np.linalg.norm(normals, axis=1, keepdims=True), faces)


def capsule(radius: float, half: float) -> Mesh:
    """Capsule along z: a cylinder of half length `half` with round ends [m]."""
    unit, faces = _globe(half > 0)
    vertices = radius * unit
    vertices[: len(unit) // 2, 2] += half
    vertices[len(unit) // 2 :, 2] -= half
    return Mesh(vertices, unit, faces)


def cylinder(radius: float, half: float) -> Mesh:
    """Cylinder along z with flat ends [m]."""
    turn = 2 * np.pi * np.arange(SIDES + 1) / SIDES
    around = np.stack([np.cos(turn), np.sin(turn), np.zeros_like(turn)], axis=1)
    up = np.array([0.0, 0.0, 1.0])
    rim = radius * around
    vertices = np.concatenate([rim + half * up, rim - half * up] * 2)
    normals = np.concatenate([around, around, np.tile(up, (SIDES + 1, 1)), np.tile(-up, (SIDES + 1, 1))])
    fan = np.array([[0, k, k + 1] for k in range(1, SIDES - 1)])
    caps = [fan + 2 * (SIDES + 1), fan[:, ::-1] + 3 * (SIDES + 1)]
    return Mesh(vertices, normals, np.concatenate([_strip(2), *caps]))


def cone(radius: float, length: float) -> Mesh:
    """Cone along z, its base at the origin [m]."""
    made = cylinder(radius, 0.5 * length)
    top = made.vertices[:, 2] > 0
    vertices = np.where(top[:, None], [0.0, 0.0, length], made.vertices * [1.0, 1.0, 0.0])
    side = made.normals[:, 2] == 0
    lean = made.normals + np.where(side[:, None], [0.0, 0.0, radius / length], 0.0)
    return Mesh(vertices, lean / np.linalg.norm(lean, axis=1, keepdims=True), made.faces)


def box(size: np.ndarray) -> Mesh:
    """Box with three half edges [m]."""
    corners, normals, faces = [], [], []
    for axis in range(3):
        u, v = np.eye(3)[(axis + 1) % 3], np.eye(3)[(axis + 2) % 3]
        for sign in (1.0, -1.0):
            normal = sign * np.eye(3)[axis]
            start = len(corners)
            corners += [normal + a * sign * u + b * v for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
            normals += [normal] * 4
            faces += [[start, start + 1, start + 2], [start, start + 2, start + 3]]
    return Mesh(np.array(corners) * size, np.array(normals), np.array(faces))


def of_geom(model: mujoco.MjModel, geom: int) -> Mesh | None:
    """Triangles of a geom in the frame of its body; None for kinds that have none, such as planes."""
    size = model.geom_size[geom]
    match KIND.get(int(model.geom_type[geom])):
        case "sphere":
            mesh = ellipsoid(np.full(3, size[0]))
        case "ellipsoid":
            mesh = ellipsoid(size)
        case "capsule":
            mesh = capsule(size[0], size[1])
        case "cylinder":
            mesh = cylinder(size[0], size[1])
        case "box":
            mesh = box(size)
        case "mesh" | "sdf":
            mesh = _asset(model, int(model.geom_dataid[geom]))
        case "hfield":
            mesh = _terrain(model, int(model.geom_dataid[geom]))
        case _:
            return None
    return mesh.moved(model.geom_pos[geom], model.geom_quat[geom])


def from_triangles(vertices: np.ndarray, faces: np.ndarray) -> Mesh:
    """A mesh with smooth normals: the mean of the triangles about each corner, by area."""
    cross = np.cross(
        vertices[faces[:, 1]] - vertices[faces[:, 0]], vertices[faces[:, 2]] - vertices[faces[:, 0]]
    )
    normals = np.zeros_like(vertices)
    for k in range(3):
        np.add.at(normals, faces[:, k], cross)
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    upward = np.array([0.0, 0.0, 1.0])
    return Mesh(vertices, np.where(length > 0, normals / np.where(length > 0, length, 1.0), upward), faces)


def simplified(vertices: np.ndarray, faces: np.ndarray, most: int = MOST) -> tuple[np.ndarray, np.ndarray]:
    """The same surface with fewer corners: those that share a cell of a grid become one, at their mean."""
    low = vertices.min(axis=0)
    extent = float((vertices.max(axis=0) - low).max())
    cells = 256
    while len(vertices) > most and cells > 4:
        cells = cells * 3 // 4
        _, which, count = np.unique(
            np.round((vertices - low) * (cells / max(extent, 1e-9))).astype(np.int64),
            axis=0, return_inverse=True, return_counts=True,
        )  # fmt: skip
        which = which.reshape(-1)
        means = np.stack([np.bincount(which, vertices[:, k]) / count for k in range(3)], axis=1)
        vertices, faces = means, which[faces]
        a, b, c = faces.T
        faces = faces[(a != b) & (b != c) & (c != a)]
    return vertices, faces


def _globe(split: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Unit sphere about z, pole to pole; with `split` the equator is there twice, once for each half."""
    tilt = np.pi * np.arange(RINGS + 1) / RINGS
    tilt = np.insert(tilt, RINGS // 2, np.pi / 2) if split else tilt
    turn = 2 * np.pi * np.arange(SIDES + 1) / SIDES
    ring = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    unit = np.concatenate([np.column_stack([np.sin(a) * ring, np.full(len(ring), np.cos(a))]) for a in tilt])
    faces = _strip(len(tilt))
    ends = np.linalg.norm(np.diff(unit[faces], axis=1, append=unit[faces[:, :1]]), axis=2)
    return unit, faces[(ends.min(axis=1) > 1e-9) | (split & _spans(faces, RINGS // 2))]


def _spans(faces: np.ndarray, ring: int) -> np.ndarray:
    """Whether a face of a strip lies between a ring and the next."""
    return faces.min(axis=1) // (SIDES + 1) == ring


def _strip(rings: int) -> np.ndarray:
    """Faces between rings of SIDES + 1 corners, the first ring on top."""
    k = np.arange(SIDES)
    faces = []
    for r in range(rings - 1):
        a, b = r * (SIDES + 1) + k, (r + 1) * (SIDES + 1) + k
        faces += [np.column_stack([a, b, b + 1]), np.column_stack([a, b + 1, a + 1])]
    return np.concatenate(faces)


def _asset(model: mujoco.MjModel, mesh: int) -> Mesh:
    """A mesh of the model; its own normals unless it is too fine."""
    first, count = model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]
    rows = slice(model.mesh_faceadr[mesh], model.mesh_faceadr[mesh] + model.mesh_facenum[mesh])
    vertices, faces = (
        model.mesh_vert[first : first + count].astype(float),
        model.mesh_face[rows].astype(np.int64),
    )
    start = model.mesh_normaladr[mesh]
    normals = model.mesh_normal[start : start + model.mesh_normalnum[mesh]].astype(float)
    pairs = np.stack([faces.ravel(), model.mesh_facenormal[rows].astype(np.int64).ravel()], axis=1)
    corners, which = np.unique(pairs, axis=0, return_inverse=True)
    if len(corners) > MOST:
        return from_triangles(*simplified(vertices, faces))
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    normals = np.where(lengths > 0, normals / np.where(lengths > 0, lengths, 1.0), [0.0, 0.0, 1.0])
    return Mesh(vertices[corners[:, 0]], normals[corners[:, 1]], which.reshape(-1, 3))


def _terrain(model: mujoco.MjModel, field: int) -> Mesh:
    """A height field, its top only."""
    rows, columns = int(model.hfield_nrow[field]), int(model.hfield_ncol[field])
    width, depth, height, _ = model.hfield_size[field]
    start = model.hfield_adr[field]
    z = height * model.hfield_data[start : start + rows * columns].reshape(rows, columns).astype(float)
    y, x = np.meshgrid(np.linspace(-depth, depth, rows), np.linspace(-width, width, columns), indexing="ij")
    vertices = np.stack([x, y, z], axis=-1).reshape(-1, 3)
    k = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    faces = np.concatenate([
        np.column_stack([k, k + 1, k + columns + 1]), np.column_stack([k, k + columns + 1, k + columns])
    ])  # fmt: skip
    return from_triangles(*simplified(vertices, faces, 4 * MOST))

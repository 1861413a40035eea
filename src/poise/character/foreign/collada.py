"""Triangles of a COLLADA file, in metres, with the axes of the file as they are (as in ROS)."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

from poise.geometry import quat


def corners(path: Path) -> np.ndarray:
    """Triangle corners (m, 3, 3) [m] of every mesh that the scene shows."""
    tree = ElementTree.fromstring(path.read_bytes())
    for element in tree.iter():
        element.tag = element.tag.rpartition("}")[2]
    unit = tree.find("asset/unit")
    scale = 1.0 if unit is None else float(unit.get("meter", "1"))
    shapes = {g.get("id", ""): _mesh(g) for g in tree.iter("geometry")}
    placed: list[tuple[np.ndarray, np.ndarray]] = []  # corners (m, 3, 3) and where they go (4, 4)
    for scene in tree.iter("visual_scene"):
        for node in scene.findall("node"):
            _node(node, np.eye(4), shapes, placed)
    if not placed:
        placed = [(shape, np.eye(4)) for shape in shapes.values()]
    return scale * np.concatenate([np.zeros((0, 3, 3))] + [c @ T[:3, :3].T + T[:3, 3] for c, T in placed])


def _node(node: ElementTree.Element, T: np.ndarray, shapes: dict, placed: list) -> None:
    for part in node:
        values = np.array((part.text or "").split(), dtype=float) if part.tag in MOVES else np.zeros(0)
        if part.tag in MOVES:
            T = T @ MOVES[part.tag](values)
    for use in node.findall("instance_geometry"):
        shape = shapes.get(use.get("url", "")[1:])
        if shape is not None:
            placed.append((shape, T))
    for child in node.findall("node"):
        _node(child, T, shapes, placed)


def _mesh(geometry: ElementTree.Element) -> np.ndarray:
    """Triangle corners (m, 3, 3) of one geometry."""
    sources = {s.get("id"): s for s in geometry.iter("source")}
    vertices = geometry.find("mesh/vertices")
    if vertices is None:
        return np.zeros((0, 3, 3))
    position = next(i for i in vertices.findall("input") if i.get("semantic") == "POSITION")
    numbers = sources[position.get("source", "")[1:]].find("float_array")
    points = np.array((numbers.text or "" if numbers is not None else "").split(), dtype=float).reshape(-1, 3)
    rings: list[np.ndarray] = []
    for part in (p for kind in ("triangles", "polylist", "polygons") for p in geometry.iter(kind)):
        inputs = part.findall("input")
        stride = 1 + max(int(i.get("offset", 0)) for i in inputs)
        offset = next(int(i.get("offset", 0)) for i in inputs if i.get("semantic") == "VERTEX")
        counts = part.findtext("vcount")
        for p in part.findall("p"):
            index = np.array((p.text or "").split(), dtype=np.int64).reshape(-1, stride)[:, offset]
            if part.tag == "triangles":
                rings.append(index.reshape(-1, 3))
                continue
            sizes = np.array(counts.split(), dtype=int) if counts else np.array([len(index)])
            ends = np.cumsum(sizes)
            for start, end in zip(ends - sizes, ends):
                ring = index[start:end]
                fan = [(ring[0], a, b) for a, b in pairwise(ring[1:])]
                rings.append(np.array(fan, dtype=np.int64).reshape(-1, 3))
    return points[np.concatenate(rings)] if rings else np.zeros((0, 3, 3))


def _turn(values: np.ndarray) -> np.ndarray:
    T = np.eye(4)
    axis = values[:3] / max(float(np.linalg.norm(values[:3])), 1e-12)
    T[:3, :3] = quat.to_matrix(quat.from_rotvec(axis * np.deg2rad(values[3])))
    return T


def _shift(values: np.ndarray) -> np.ndarray:
    T = np.eye(4)
    T[:3, 3] = values
    return T


MOVES = {
    "matrix": lambda v: v.reshape(4, 4),
    "translate": _shift,
    "rotate": _turn,
    "scale": lambda v: np.diag([*v, 1.0]),
}

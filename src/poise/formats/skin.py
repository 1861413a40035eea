"""One smooth skin over the shapes of a body, bent with its joints.

Every shape keeps its own surface and colour. Where bodies that hang together meet, the surface is that of their
smooth union, the level zero of

.. math:: F(x) = -k \\ln \\sum_b e^{-d_b(x) / k},

with d_b the distance from body b, which grows away from the joint that they share; where another shape is nearer, a
surface sinks below it, so that each border is a clean line. A corner follows several joints, the more the nearer it
is to their bodies.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from poise.formats.distance import KINDS, Shape
from poise.formats.skeletal import Bodies
from poise.geometry import quat

SOFT = 0.006  # of the body's height: k
SMALL = 0.35  # of the thinner of two bodies that meet: k at the most
DEEP = 0.02  # of the height: what is deeper inside is left out
BEND = 0.045  # of the height: over this difference of distances one joint's rule goes over into another's
JOINTS = 4  # that a corner may follow
REACH = 1.6  # of the thinner of two bodies: so far about their joint they are one
NUDGE = 1e-4  # [m] for slopes


class Skin(NamedTuple):
    """Corners in the rest pose, where all joint frames are parallel to the world."""

    vertices: np.ndarray  # (n, 3) [m]
    normals: np.ndarray  # (n, 3) unit
    faces: np.ndarray  # (m, 3)
    colours: np.ndarray  # (n, 3) rgb, 0 to 1
    joints: np.ndarray  # (n, 4) numbers of the joints that a corner follows
    weights: np.ndarray  # (n, 4) how much, sum 1
    rest: np.ndarray  # (J, 3) places of the joints [m]
    covers: frozenset[int]  # joints whose shapes are in it


def skin_of(world: Bodies) -> Skin | None:
    """The skin of a character; of its bodies those that are made of simple shapes. None where there are none."""
    shapes = _shapes(world)
    if not shapes:
        return None
    rest = world.zero.xpos[world.own] + quat.rotate(
        world.zero.xquat[world.own], np.array([world.anchor(b) for b in world.own])
    )
    spread = np.array([s.at for found in shapes.values() for s in found])
    height = max(float(np.ptp(spread, axis=0).max()), 1e-3)
    near = _neighbours(world, set(shapes))
    parts = []
    for j, found in shapes.items():
        kin = [Kin(n, shapes[n], rest[max(j, n)], _reach(found, shapes[n], height)) for n in near[j]]
        parts += [_covered(s, found, kin, height) for s in found]
    starts = np.cumsum([0, *(len(p[0]) for p in parts[:-1])])
    columns = [np.concatenate([p[i] for p in parts]) for i in (0, 1, 3, 4, 5)]
    faces = np.concatenate([p[2] + start for p, start in zip(parts, starts, strict=True)])
    vertices, normals, colours, joints, weights = columns
    return Skin(vertices, normals, faces, colours, joints, weights, rest, frozenset(shapes))


class Kin(NamedTuple):
    """A body that hangs on another: its number and shapes, their joint, and how far about it they are one."""

    joint: int
    shapes: list[Shape]
    at: np.ndarray  # (3,)
    reach: float  # [m]

    def distance(self, x: np.ndarray) -> np.ndarray:
        """Of points from it, and from where it matters (n,)."""
        return _nearest(self.shapes, x) + np.maximum(np.linalg.norm(x - self.at, axis=1) - self.reach, 0.0)


def _reach(a: list[Shape], b: list[Shape], height: float) -> float:
    return REACH * min(max(s.thick for s in part) for part in (a, b)) + 0.01 * height


def _shapes(world: Bodies) -> dict[int, list[Shape]]:
    """Simple shapes of each joint in the zero pose; bodies with a mesh among theirs are left out."""
    model, zero, drawn = world.model, world.zero, world.drawn
    found: dict[int, list[Shape]] = {}
    for j, b in enumerate(world.own):
        geoms = drawn[model.geom_bodyid[drawn] == b].tolist()
        if not geoms or any(int(model.geom_type[g]) not in KINDS for g in geoms):
            continue
        found[j] = [
            Shape(KINDS[int(model.geom_type[g])], model.geom_size[g].copy(), zero.geom_xpos[g].copy(),
                  zero.geom_xmat[g].reshape(3, 3).copy(), world.colour(g)[:3], j)
            for g in geoms
        ]  # fmt: skip
    return found


def _neighbours(world: Bodies, known: set[int]) -> dict[int, list[int]]:
    """Joints that hang together, over bodies that have no shape of their own."""
    index = {int(b): j for j, b in enumerate(world.own)}
    near: dict[int, list[int]] = {j: [] for j in known}
    for j in known:
        up = index.get(int(world.model.body_parentid[world.own[j]]), -1)
        while up >= 0 and up not in known:
            up = index.get(int(world.model.body_parentid[world.own[up]]), -1)
        if up >= 0:
            near[j].append(up)
            near[up].append(j)
    return near


def _covered(shape: Shape, own: list[Shape], kin: list[Kin], height: float) -> tuple[np.ndarray, ...]:
    """Corners, normals, faces, colours, joints and weights of one shape as part of the skin."""
    points, faces = shape.surface(height)
    k = min(
        SOFT * height, SMALL * min(max(s.thick for s in part) for part in (own, *(n.shapes for n in kin)))
    )

    def field(x: np.ndarray) -> np.ndarray:
        d = np.stack([_nearest(own, x), *(n.distance(x) for n in kin)])
        low = d.min(axis=0)
        return low - k * np.log(np.exp((low - d) / k).sum(axis=0))

    level = field(points)
    deep = level < -DEEP * height
    for _ in range(2):
        points = points - np.clip(level, -4.0 * k, 0.0)[:, None] * _slope(field, points, level)
        level = field(points)
    others = [_nearest([s], points) for s in own if s is not shape] + [n.distance(points) for n in kin]
    sink = (
        np.maximum(shape.distance(points) - np.min(others, axis=0), 0.0) if others else np.zeros(len(points))
    )
    normals = _slope(field, points, level)
    points = points - np.minimum(sink, DEEP * height)[:, None] * normals
    kept = faces[~deep[faces].all(axis=1)]
    used, which = np.unique(kept, return_inverse=True)
    joints, weights = _followed(points[used], shape.joint, own, kin, height)
    colours = np.tile(shape.rgb, (len(used), 1))
    return points[used], normals[used], which.reshape(-1, 3), colours, joints, weights


def _nearest(shapes: list[Shape], x: np.ndarray) -> np.ndarray:
    """Distance from the nearest of some shapes (n,)."""
    return np.min([s.distance(x) for s in shapes], axis=0)


def _slope(field, x: np.ndarray, level: np.ndarray) -> np.ndarray:
    """Directions (n, 3) in which a field grows, from its level there (n,)."""
    rise = np.stack([field(x + step) - level for step in NUDGE * np.eye(3)], axis=1)
    return rise / np.maximum(np.linalg.norm(rise, axis=1, keepdims=True), 1e-12)


def _followed(
    x: np.ndarray, joint: int, own: list[Shape], kin: list[Kin], height: float
) -> tuple[np.ndarray, np.ndarray]:
    """Which joints each corner follows, and how much: the nearer a body, the more."""
    ids, d = (
        [joint, *(n.joint for n in kin)],
        np.stack([_nearest(own, x), *(n.distance(x) for n in kin)], axis=1),
    )
    share = np.maximum(1.0 - (d - d.min(axis=1, keepdims=True)) / (BEND * height), 0.0) ** 2
    order = np.argsort(-share, axis=1, kind="stable")[:, :JOINTS]
    weights = np.take_along_axis(share, order, axis=1)
    joints = np.array(ids)[order]
    pad = ((0, 0), (0, JOINTS - order.shape[1]))
    joints, weights = np.pad(joints, pad), np.pad(weights, pad)
    return np.where(weights > 0, joints, joints[:, :1]), weights / weights.sum(axis=1, keepdims=True)

"""One smooth skin over the shapes of a body, bent with its joints.

Every shape keeps its own surface and colour; shapes of one body and colour run into one another. Where bodies that hang
together meet, the surface is that of their smooth union, the level zero of

.. math:: F(x) = -k \\ln \\sum_b e^{-d_b(x) / k},

with d_b the distance from body b, which grows away from the joint that they share. A surface is cut where another
shape becomes nearer, and sinks below it from there on, so that each border is a clean line. A corner follows several
joints, the more the nearer it is to their bodies.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from poise.draw.distance import KINDS, Part, Shape
from poise.draw.form import Form
from poise.geometry import quat

SOFT = 0.009  # of the body's height: k
FLOW = 0.03  # of the height: shapes of one body and colour that are closer than this run into one another,
THIN = 0.9  # and no farther apart than this part of the thinner one's smallest half width
SMALL = 0.35  # of the thinner of two bodies that meet: k at the most
DEEP = 0.02  # of the height: a surface sinks no deeper below others
HIDDEN = 0.0045  # of the height: what lies farther below others is left out
APART, CLOSE = 0.016, 0.0065  # of the height: between corners, and where shapes of a body are small
SKIRT = 0.004  # of the height: beyond a border a surface sinks at least so deep
BEND = 0.045  # of the height: over this difference of distances one joint's rule goes over into another's
JOINTS = 4  # that a corner may follow
REACH = 1.6  # of the thinner of two bodies: so far about their joint they are one
ACROSS = 0.5  # how much of a border between two bodies the plane through their joint decides
NUDGE = 1e-4  # [m] for slopes
HALVINGS = 8  # of an edge, until a border is found


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


def skin_of(world: Form) -> Skin | None:
    """The skin of a character; of its bodies those that are made of simple shapes. None where there are none."""
    bodies = _parts(world)
    if not bodies:
        return None
    anchors = np.array([world.anchor(b) for b in world.own])
    rest, held = (
        at.xpos[world.own] + quat.rotate(at.xquat[world.own], anchors) for at in (world.zero, world.spread)
    )
    spread = np.array([s.at for part in bodies.values() for s in part.shapes])
    height = max(float(np.ptp(spread, axis=0).max()), 1e-3)
    near = _neighbours(world, set(bodies))
    parts = []
    for j, own in bodies.items():
        kin = [
            Kin(n, bodies[n], held[max(j, n)], _reach(own, bodies[n], height), _way(own, bodies[n]))
            for n in near[j]
        ]
        parts += [_covered(s, own, kin, height) for s in own.shapes]
    starts = np.cumsum([0, *(len(p[0]) for p in parts[:-1])])
    columns = [np.concatenate([p[i] for p in parts]) for i in (0, 1, 3, 4, 5)]
    faces = np.concatenate([p[2] + start for p, start in zip(parts, starts, strict=True)])
    vertices, normals, colours, joints, weights = columns
    vertices, normals = _lowered(world, vertices, normals, joints, weights)
    return Skin(vertices, normals, faces, colours, joints, weights, rest, frozenset(bodies))


class Kin(NamedTuple):
    """A body that hangs on another: its number and shapes, their joint, and how far about it they are one."""

    joint: int
    part: Part
    at: np.ndarray  # (3,)
    reach: float  # [m]
    way: np.ndarray  # (3,) unit, from the other body to it, or zero

    def distance(self, x: np.ndarray) -> np.ndarray:
        """Of points from it, and from where it matters (n,)."""
        return self.part.nearest(x) + np.maximum(np.linalg.norm(x - self.at, axis=1) - self.reach, 0.0)

    def claim(self, x: np.ndarray) -> np.ndarray:
        """The same, smaller on its side of the joint: where both surfaces are one, the border goes through it."""
        return self.distance(x) - ACROSS * (x - self.at) @ self.way


def _way(a: Part, b: Part) -> np.ndarray:
    """Where the border between two bodies faces; nowhere where they have a hue in common and none is seen."""
    if a.hues & b.hues:
        return np.zeros(3)
    along = np.mean([s.at for s in b.shapes], axis=0) - np.mean([s.at for s in a.shapes], axis=0)
    return along / max(float(np.linalg.norm(along)), 1e-9)


def _reach(a: Part, b: Part, height: float) -> float:
    return REACH * min(a.thick, b.thick) + 0.01 * height


def _parts(world: Form) -> dict[int, Part]:
    """Simple shapes of each joint, limbs held out; bodies with a mesh among theirs are left out."""
    model, held, drawn = world.model, world.spread, world.drawn
    found: dict[int, Part] = {}
    for j, b in enumerate(world.own):
        geoms = drawn[model.geom_bodyid[drawn] == b].tolist()
        if not geoms or any(int(model.geom_type[g]) not in KINDS for g in geoms):
            continue
        found[j] = Part([
            Shape(KINDS[int(model.geom_type[g])], model.geom_size[g].copy(), held.geom_xpos[g].copy(),
                  held.geom_xmat[g].reshape(3, 3).copy(), world.colour(g)[:3], j)
            for g in geoms
        ])  # fmt: skip
    return found


def _lowered(
    world: Form, vertices: np.ndarray, normals: np.ndarray, joints: np.ndarray, weights: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Corners and normals in the zero configuration, of those with limbs held out."""
    moved = displaced(world, world.spread.xpos, world.spread.xquat)[world.own][joints]
    signs = np.where(np.einsum("nk,njk->nj", moved[:, 0, :4], moved[..., :4]) < 0.0, -1.0, 1.0)
    mean = np.einsum("nj,njk->nk", signs * weights, moved)
    mean /= np.linalg.norm(mean[:, :4], axis=1, keepdims=True)
    back = quat.conjugate(mean[:, :4])
    shift = 2.0 * quat.multiply(mean[:, 4:], back)[:, 1:]
    return quat.rotate(back, vertices - shift), quat.rotate(back, normals)


def displaced(form: Form, places: np.ndarray, turns: np.ndarray) -> np.ndarray:
    """How bodies at places (B, 3), turned by (B, 4), have come there from the zero configuration: dual quaternions."""
    real = quat.multiply(turns, quat.conjugate(form.zero.xquat))
    shift = places - quat.rotate(real, form.zero.xpos)
    dual = 0.5 * quat.multiply(np.concatenate([np.zeros((len(shift), 1)), shift], axis=1), real)
    return np.ascontiguousarray(np.concatenate([real, dual], axis=1))


def _neighbours(world: Form, known: set[int]) -> dict[int, list[int]]:
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


def _covered(shape: Shape, own: Part, kin: list[Kin], height: float) -> tuple[np.ndarray, ...]:
    """Corners, normals, faces, colours, joints and weights of one shape as part of the skin."""
    points, faces = shape.surface(max(min(APART * height, *(s.thick for s in own.shapes)), CLOSE * height))
    k = min(SOFT * height, SMALL * min(own.thick, *(n.part.thick for n in kin), 1e9))

    def field(x: np.ndarray) -> np.ndarray:
        d = np.stack([own.together(x, FLOW * height, THIN), *(n.distance(x) for n in kin)])
        low = d.min(axis=0)
        return low - k * np.log(np.exp((low - d) / k).sum(axis=0))

    def beyond(x: np.ndarray) -> np.ndarray:
        return shape.distance(x) - np.min([own.nearest(x, shape), *(n.claim(x) for n in kin)], axis=0)

    hidden = beyond(points) > HIDDEN * height  # what lies below others is not seen
    points, faces = _used(points, faces[~hidden[faces].all(axis=1)])
    points, whole = _settled(points, field, k), len(points)
    points, faces = _cut(points, faces, lambda x: beyond(_settled(x, field, k)))
    points[whole:] = _settled(points[whole:], field, k)
    normals, over = _slope(field, points, field(points)), beyond(points)
    over[whole:] = 0.0  # corners on a border stay there
    sink = np.where(over > 0.0, np.clip(over, SKIRT * height, DEEP * height), 0.0)
    points = points - sink[:, None] * normals
    joints, weights = _followed(points, shape.joint, own, kin, height)
    return points, normals, faces, np.tile(shape.rgb, (len(points), 1)), joints, weights


def _used(x: np.ndarray, faces: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Only the corners that triangles have."""
    used, which = np.unique(faces, return_inverse=True)
    return x[used], which.reshape(-1, 3)


def _settled(x: np.ndarray, field, k: float) -> np.ndarray:
    """Points of a surface moved out to where a field is zero."""
    for _ in range(2):
        level = field(x)
        x = x - np.clip(level, -1.5 * k, 0.0)[:, None] * _slope(field, x, level)
    return x


def _cut(x: np.ndarray, faces: np.ndarray, beyond) -> tuple[np.ndarray, np.ndarray]:
    """The same triangles, with corners where their edges cross the zero of a function."""
    g = beyond(x)
    out = g > 0
    mixed = out[faces].any(axis=1) & ~out[faces].all(axis=1)
    if not mixed.any():
        return x, faces
    split = faces[mixed]
    odd = out[split].sum(axis=1) == 1  # the corner that is alone on its side comes first
    lone = np.argmax(out[split] == odd[:, None], axis=1)
    a, b, c = (split[np.arange(len(split)), (lone + i) % 3] for i in range(3))
    edges, which = np.unique(np.sort(np.concatenate([np.stack([a, b], 1), np.stack([a, c], 1)]), axis=1),
                             axis=0, return_inverse=True)  # fmt: skip
    low, high = np.zeros(len(edges)), np.ones(len(edges))
    first, last = x[edges[:, 0]], x[edges[:, 1]]
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        same = (beyond(first + middle[:, None] * (last - first)) > 0) == out[edges[:, 0]]
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    new = len(x) + which.reshape(2, -1)
    x = np.concatenate([x, first + (0.5 * (low + high))[:, None] * (last - first)])
    made = [np.stack(t, 1) for t in ((a, new[0], new[1]), (new[0], b, c), (new[0], c, new[1]))]
    return x, np.concatenate([faces[~mixed], *made])


def _slope(field, x: np.ndarray, level: np.ndarray) -> np.ndarray:
    """Directions (n, 3) in which a field grows, from its level there (n,)."""
    rise = np.stack([field(x + step) - level for step in NUDGE * np.eye(3)], axis=1)
    return rise / np.maximum(np.linalg.norm(rise, axis=1, keepdims=True), 1e-12)


def _followed(
    x: np.ndarray, joint: int, own: Part, kin: list[Kin], height: float
) -> tuple[np.ndarray, np.ndarray]:
    """Which joints each corner follows, and how much: the nearer a body, the more."""
    ids, d = (
        [joint, *(n.joint for n in kin)],
        np.stack([own.nearest(x), *(n.distance(x) for n in kin)], axis=1),
    )
    share = np.maximum(1.0 - (d - d.min(axis=1, keepdims=True)) / (BEND * height), 0.0) ** 2
    order = np.argsort(-share, axis=1, kind="stable")[:, :JOINTS]
    weights = np.take_along_axis(share, order, axis=1)
    joints = np.array(ids)[order]
    pad = ((0, 0), (0, JOINTS - order.shape[1]))
    joints, weights = np.pad(joints, pad), np.pad(weights, pad)
    return np.where(weights > 0, joints, joints[:, :1]), weights / weights.sum(axis=1, keepdims=True)

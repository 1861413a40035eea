"""Soles: the face of a foot that meets the ground, and the polygons, lines and points that bodies stand on."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import mujoco
import numpy as np

from poise.character.character import Support
from poise.character.foreign.anatomy import FoundLeg, ModelAnatomy
from poise.geometry import polygon, quat

# least length and width of a flat sole, in lengths of its leg, with ankles to keep it flat
SHORT, NARROW = 0.06, 0.02
STIFF_SHORT = 0.12  # least length where the leg has no ankle: smaller feet tilt on the ground as points
ANKLED = 5  # degrees of freedom of a leg that can keep its sole flat
TOUCH = 0.006  # of the leg's length: points this near to the lowest one are part of the sole
LONGEST = 0.5  # in lengths of its leg: a longer face is the side of a shank
FACING, STIFF_FACING = 0.75, 0.98  # least cosine between a sole and the ground, with ankles and without
TOES = 0.06  # of the leg's length: a part above the last that is this low, and larger, is the foot
THICK = 0.03  # of a foot's size: points this near to its lower face belong to it
MOSTLY = 0.3  # of a side's area: a plane face smaller than this is a facet of something round
SIDES = 8  # most corners of a sole
# cosines between faces of one side of a foot, of one plane: ten degrees, two degrees
ALIKE, PLANE = 0.985, 0.9995


@dataclass(frozen=True)
class FoundSole:
    """Underside of one foot in the frame of its part."""

    part: int  # body id
    centre: np.ndarray  # (3,) its middle [m]
    normal: np.ndarray | None  # (3,) unit vector from the ground into the foot; None where it is a point


def sole(anatomy: ModelAnatomy, data: mujoco.MjData, leg: FoundLeg) -> FoundSole:
    """What a leg would stand on, from the shape of its lowest part (with its toes) and which way that faces now."""
    low = anatomy.lowest(data)
    part = min((f for f in leg.feet), key=lambda f: low[f])
    length = leg_length(anatomy, data, leg)
    up = anatomy.parent[part]
    near = up > 1 and up in low and low[up] < low[part] + TOES * length
    if near and set(anatomy.dofs(up)) <= set(leg.dofs) and _span(anatomy, up) > _span(anatomy, part):
        part = up  # toes: the foot they hang on is the larger
    R = data.xmat[part].reshape(3, 3)
    points, radius = _whole(anatomy, data, part)
    found = _face(points, radius, R, FACING if len(leg.dofs) >= ANKLED else STIFF_FACING)
    if found is not None:
        normal, face = found
        long, wide = _extent(face, normal)
        if is_flat((long, wide), length, len(leg.dofs)) and long < LONGEST * length:
            return FoundSole(part, face.mean(axis=0), normal)
    world = data.xpos[part] + points @ R.T
    world[:, 2] -= radius
    lowest = world[world[:, 2] < world[:, 2].min() + TOUCH * length].mean(axis=0)
    return FoundSole(part, (lowest - data.xpos[part]) @ R, None)


def _whole(anatomy: ModelAnatomy, data: mujoco.MjData, part: int) -> tuple[np.ndarray, np.ndarray]:
    """Outline of a part and of all that hangs on it, as posed, in the part's frame."""
    R, points, radii = data.xmat[part].reshape(3, 3), [], []
    for p in anatomy.below(part):
        local, radius = anatomy.shape[p]
        points.append((data.xpos[p] + local @ data.xmat[p].reshape(3, 3).T - data.xpos[part]) @ R)
        radii.append(radius)
    return np.concatenate(points), np.concatenate(radii)


def flat_points(
    anatomy: ModelAnatomy, data: mujoco.MjData, part: int, length: float, dofs: int
) -> np.ndarray:
    """Which points of a part's outline are its sole: those near to the lowest, or farther where it is round."""
    world = anatomy.points(data, part)
    above = world[:, 2] - world[:, 2].min()
    for reach in (TOUCH, 2 * TOUCH, 4 * TOUCH):
        near = above < reach * length
        if near.sum() > 2 and is_flat(_extent(world[near], np.array([0.0, 0.0, 1.0])), length, dofs):
            return near
    return above < TOUCH * length


def leg_length(anatomy: ModelAnatomy, data: mujoco.MjData, leg: FoundLeg) -> float:
    """From the leg's first joint along its joints to its lowest point [m]."""
    low = anatomy.lowest(data)
    foot = min(leg.feet, key=lambda f: low[f])
    chain = [p for p in reversed(anatomy.above(foot)) if set(anatomy.dofs(p)) & set(leg.dofs)]
    places = [anatomy.anchor(data, p) for p in chain]
    world = anatomy.points(data, foot)
    places.append(world[world[:, 2].argmin()])
    return float(sum(np.linalg.norm(b - a) for a, b in pairwise(places)))


def is_flat(extent: tuple[float, float], length: float, dofs: int) -> bool:
    """Whether a face of that length and width is one that a leg keeps flat on the ground."""
    long, wide = extent
    least = SHORT if dofs >= ANKLED else STIFF_SHORT
    return long >= least * length and wide >= NARROW * length


def supports_of(
    anatomy: ModelAnatomy, data: mujoco.MjData, leg: FoundLeg, parts: list[int], names: dict[int, str]
) -> list[Support]:
    """Supports of the parts of one leg that touch the ground: flat ones, else one point or the two of a line."""
    length = leg_length(anatomy, data, leg)
    made: list[Support] = []
    for part in parts:
        world = anatomy.points(data, part)
        near = flat_points(anatomy, data, part, length, len(leg.dofs))
        radius = anatomy.shape[part][1][near]
        world[:, 2] = world[:, 2].min()  # on the ground together
        name = names[part].replace(".", "_")
        made += _supports(name, data, part, world[near], radius, length, len(leg.dofs))
    return made


def _supports(
    name: str, data: mujoco.MjData, part: int, world: np.ndarray, radius: np.ndarray, length: float, dofs: int
) -> list[Support]:
    R, x, body = data.xmat[part].reshape(3, 3), data.xpos[part], data.body(part).name
    frame = tuple(quat.from_matrix(R.T))  # axes parallel to the world as the foot stands
    kept = polygon.hull(world[:, :2]) if len(world) > 2 else world[:, :2]
    chosen = [int(np.argmin(((world[:, :2] - corner) ** 2).sum(axis=1))) for corner in kept]
    up = np.array([0.0, 0.0, 1.0])
    if len(kept) >= 3 and is_flat(_extent(world, up), length, dofs):
        chosen = _fewer(world[:, :2], chosen)
        return [Support(name, body, (world[chosen] - x) @ R, frame, tuple(radius[chosen]))]
    long, _ = _extent(world, up) if len(world) > 1 else (0.0, 0.0)
    if long >= (SHORT if dofs >= ANKLED else STIFF_SHORT) * length:
        along = np.linalg.svd(world[:, :2] - world[:, :2].mean(axis=0), full_matrices=False)[2][0]
        ends = [int((world[:, :2] @ along).argmin()), int((world[:, :2] @ along).argmax())]
        labels = ("back", "front") if abs(along[0]) > abs(along[1]) else ("right", "left")
        if world[ends[0]] @ [1.0, 1.0, 0.0] > world[ends[1]] @ [1.0, 1.0, 0.0]:
            ends.reverse()
        return [
            Support(f"{name}_{label}", body, ((world[i] - x) @ R)[None], frame, (radius[i],))
            for label, i in zip(labels, ends)
        ]
    middle = world.mean(axis=0)
    middle[2] = world[:, 2].min()
    return [Support(name, body, ((middle - x) @ R)[None], frame, (float(radius.mean()),))]


def _fewer(points: np.ndarray, ring: list[int]) -> list[int]:
    """At most ``SIDES`` corners: those go first whose absence takes the least area away."""
    ring = list(ring)
    while len(ring) > SIDES:
        p = points[ring]
        a, b = np.roll(p, 1, axis=0) - p, np.roll(p, -1, axis=0) - p
        ring.pop(int(np.abs(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).argmin()))
    return ring


def _span(anatomy: ModelAnatomy, part: int) -> float:
    points, radius = anatomy.shape[part]
    return float((np.ptp(points, axis=0) + 2 * radius.max(initial=0.0)).max()) if len(points) else 0.0


def _extent(points: np.ndarray, normal: np.ndarray) -> tuple[float, float]:
    """Length and width of points across a direction [m]."""
    flat = points - points.mean(axis=0)
    flat = flat - np.outer(flat @ normal, normal)
    axes = np.linalg.svd(flat, full_matrices=False)[2]
    reach = [float(np.ptp(flat @ axis)) for axis in axes[:2]]
    return (reach[0], reach[1]) if len(reach) == 2 else (reach[0], 0.0)


def _face(
    points: np.ndarray, radius: np.ndarray, R: np.ndarray, facing: float
) -> tuple[np.ndarray, np.ndarray] | None:
    """Largest nearly plane face of a hull that looks down now: its normal into the part, and its points."""
    from scipy.spatial import ConvexHull, QhullError

    if len(points) < 3:
        return None
    grown = np.concatenate([points + radius[:, None] * d for d in _directions()]) if radius.any() else points
    try:
        hull = ConvexHull(grown)
    except (QhullError, ValueError):
        return None
    normals, corners = hull.equations[:, :3], grown[hull.simplices]
    a, b, c = np.moveaxis(corners, 1, 0)
    area = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1)
    down = -(R @ normals.T)[2]
    best, score = None, 0.0
    for i in np.flatnonzero(down > facing):
        alike = normals @ normals[i] > ALIKE
        total = float((area[alike] * np.clip(down[alike], 0, None) ** 2).sum())
        if total > score:
            best, score = alike, total
    if best is None:
        return None
    planes = [normals @ normals[i] > PLANE for i in np.flatnonzero(best)]
    plane = max(planes, key=lambda same: float(area[same].sum()))  # what it would rest on, among those alike
    if area[plane].sum() < MOSTLY * area[best].sum():
        plane = best  # round all over
    normal = (area[plane, None] * normals[plane]).sum(axis=0)
    normal /= np.linalg.norm(normal)
    reach = points @ normal + radius
    near = reach > reach.max() - THICK * float((np.ptp(points, axis=0) + 2 * radius.max()).max())
    return -normal, points[near] + np.outer(radius[near], normal)


def _directions() -> np.ndarray:
    grid = np.array(np.meshgrid([-1, 0, 1], [-1, 0, 1], [-1, 0, 1])).reshape(3, -1).T.astype(float)
    grid = grid[np.abs(grid).sum(axis=1) > 0]
    return grid / np.linalg.norm(grid, axis=1)[:, None]

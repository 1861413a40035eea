"""Shapes of a human rig's bodies: the adult's, stretched over the bones."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from poise.capture.anatomy.parts import Part
from poise.capture.autorig import masses, trunk
from poise.capture.autorig.plan import Plan
from poise.character.bodies import adult
from poise.character.build import Limb
from poise.character.shapes import Shape, Sole, capsule
from poise.geometry.linear import norm

LENGTHS = {
    "thigh": adult.THIGH_LENGTH, "shin": adult.SHIN_LENGTH, "upper_arm": adult.UPPER_ARM_LENGTH,
    "forearm": adult.FOREARM_LENGTH,
}  # fmt: skip
WIDTH = (0.7, 1.15)  # bounds of the trunk's width, over the adult's scaled to size
HEAD = (0.85, 1.15)  # the same of the head's size
SHOULDER = 0.025  # [m] of an adult, by which flesh lies below the line between the shoulders
OFF_FLOOR = 1.6  # radii that the end of a shin keeps above the floor


@cache
def patterns() -> dict[str, Limb]:
    """The adult's limbs by name."""
    return {limb.name: limb for limb in adult.limbs()}


def pattern(part: Part) -> Limb | None:
    """The limb of the adult that a part is most like."""
    side = part.name[-2:] if part.side else ""
    named = {"neck": "head", "tarsus": f"shin{side}", "pelvis": "pelvis", "spine": part.name}
    return patterns().get(named.get(part.kind, part.kind + side))


def human(plan: Plan, height: float, soles: dict[str, Sole]) -> dict[str, tuple[Shape, ...]]:
    """Shapes of every part of a human of some height [m]."""
    scale = height / masses.STATURE
    made = _trunk(plan, scale)
    for part in plan.parts:
        if part.kind in LENGTHS:
            made[part.name] = off_floor(plan, part, _bone(plan, part, scale), soles)
        elif part.kind == "hand":
            made[part.name] = _stretched(_like(part), (scale, scale, scale))
        elif part.kind == "foot":
            made[part.name] = _foot(part, soles[part.name], scale)
        elif part.kind == "head":
            made[part.name] = _head(plan, part, height)
        elif part.kind in ("neck", "clavicle"):
            end = plan.end(part) - plan.place(part)
            wide, rgba = (0.05, adult.SKIN) if part.kind == "neck" else (0.052, adult.SHIRT)
            made[part.name] = (rod(end, wide * scale, rgba, solid=False),)
        elif part.kind == "tail":
            end = plan.end(part) - plan.place(part)
            made[part.name] = (rod(end, masses.TAIL_RADIUS * height, adult.SHORTS),)
    return made


def _like(part: Part) -> tuple[Shape, ...]:
    limb = pattern(part)
    assert limb is not None
    return limb.shapes


def _stretched(
    shapes: tuple[Shape, ...], by: tuple[float, float, float], shift: np.ndarray | None = None
) -> tuple[Shape, ...]:
    """Shapes with x, y, z stretched, radii by the mean of x and y, then shifted [m]."""
    by_, move = np.array(by), np.zeros(3) if shift is None else shift
    made = []
    for shape in shapes:
        a = tuple(np.multiply(shape.a, by_) + move)
        b = None if shape.b is None else tuple(np.multiply(shape.b, by_) + move)
        size = np.multiply(shape.size, by_ if shape.b is None else (by[0] + by[1]) / 2)
        made.append(replace(shape, a=a, b=b, size=tuple(size)))
    return tuple(made)


def _bone(plan: Plan, part: Part, scale: float) -> tuple[Shape, ...]:
    """The adult's limb as long as the bone, leaning as it does."""
    along = plan.end(part) - plan.place(part)
    length = float(norm(along))
    made = []
    for shape in _stretched(_like(part), (scale, scale, length / LENGTHS[part.kind])):
        ends = [np.array(p) for p in (shape.a, shape.b) if p is not None]
        lean = [tuple(p + (along * (-p[2] / length) - [0.0, 0.0, p[2]])) for p in ends]
        made.append(replace(shape, a=lean[0], b=lean[1] if shape.b is not None else None))
    return tuple(made)


def off_floor(plan: Plan, part: Part, made: tuple[Shape, ...], soles: dict[str, Sole]) -> tuple[Shape, ...]:
    """A shin's shapes, its solid ones shortened where a low ankle would let them touch the floor."""
    feet = [soles[kid.name] for kid in plan.anatomy.kids(part.name) if kid.name in soles]
    if not feet:
        return made
    out = []
    for shape in made:
        above = shape.size[0] * OFF_FLOOR - feet[0].depth
        if shape.b is not None and above > 0:
            a, b = np.array(shape.a), np.array(shape.b)
            shape = replace(shape, b=tuple(b + (a - b) * min(0.5, above / float(norm(a - b)))))
        out.append(shape)
    return tuple(out)


def _foot(part: Part, sole: Sole, scale: float) -> tuple[Shape, ...]:
    usual = adult.SOLE_SHAPE
    long = (sole.toe - sole.heel) / (usual.toe - usual.heel)
    shift = np.array([sole.heel - usual.heel * long, 0.0, 0.0])
    return _stretched(_like(part), (long, scale, sole.depth / usual.depth), shift)


def _head(plan: Plan, part: Part, height: float) -> tuple[Shape, ...]:
    """The adult's head on this neck: from its base to the top of the skeleton, or where a top would be."""
    base, scale = trunk.axis(plan)[1], height / masses.STATURE
    tall = float(plan.points(part)[:, 2].max() - base[2]) / (scale * (adult.VERTEX - adult.NECK))
    grow = scale * float(np.clip(tall, *HEAD)) if tall > 0.9 * HEAD[0] else scale
    place = plan.place(part)
    return _stretched(_like(part), (grow, grow, grow), np.array([0.0, 0.0, base[2] - place[2]]))


def _trunk(plan: Plan, scale: float) -> dict[str, tuple[Shape, ...]]:
    """The adult's rolls of the trunk, each at its height over the hips, given to the body that has that height."""
    parts, bounds = trunk.cuts(plan)
    hips, neck = trunk.axis(plan)
    k = (neck - hips)[2] / adult.NECK
    apart = np.mean([abs(plan.place(plan.anatomy.part(arm))[1] - neck[1]) for arm in trunk.SHOULDERS])
    wide = scale * float(np.clip(apart / (adult.SHOULDER[1] * scale), *WIDTH))
    joints = {"pelvis": 0.0, "abdomen": adult.SPINE_LOW, "torso": adult.SPINE_MID, "chest": adult.SPINE_TOP}
    heights = [(shape, joint) for name, joint in joints.items() for shape in patterns()[name].shapes]
    rolls = [(shape, (joint + shape.a[2]) * k) for shape, joint in heights]
    made: dict[str, list[Shape]] = {part.name: [] for part in parts}
    for shape, z in rolls:
        if shape.b is not None and shape.drawn:
            continue  # the shoulders, which are drawn to where they are
        owner = parts[int(np.clip(np.searchsorted(bounds, z, side="right") - 1, 0, len(parts) - 1))]
        axis = hips + (neck - hips) * z / (neck - hips)[2] - plan.place(owner)
        ends = [p for p in (shape.a, shape.b) if p is not None]
        flat = [np.array([scale * p[0], wide * p[1], 0.0]) + axis for p in ends]
        size = np.multiply(shape.size, (scale, wide, k) if shape.b is None else scale)
        b = tuple(flat[1]) if shape.b is not None else None
        made[owner.name].append(replace(shape, a=tuple(flat[0]), b=b, size=tuple(size)))
    made[parts[-1].name] += _shoulders(plan, parts[-1], scale)
    return {name: tuple(shapes) for name, shapes in made.items()}


def _shoulders(plan: Plan, chest: Part, scale: float) -> list[Shape]:
    """From the middle of the chest to the arms."""
    hips, neck = trunk.axis(plan)
    made = []
    for arm in trunk.SHOULDERS:
        place = plan.place(plan.anatomy.part(arm))
        level = min(float(place[2]), float(neck[2]))
        middle = hips + (neck - hips) * (level - hips[2]) / (neck - hips)[2]
        middle[1] += 0.25 * (place - hips)[1]
        below = np.array([0.0, 0.0, SHOULDER * scale])
        a, b = (tuple(point - below - plan.place(chest)) for point in (middle, place))
        made.append(capsule(a, b, 0.052 * scale, adult.SHIRT, solid=False))
    return made


def rod(end: np.ndarray, radius: float, rgba: tuple, **how: bool) -> Shape:
    """Capsule from a body's joint to the end of its bone, never quite without length."""
    short = norm(end) < 0.1 * radius
    return capsule((0, 0, 0), (0, 0, 0.1 * radius) if short else tuple(end), radius, rgba, **how)

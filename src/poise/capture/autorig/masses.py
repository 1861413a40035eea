"""Masses, centres of mass and inertias of a human's parts: the adult's table, scaled to the bones."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from poise.capture.anatomy.parts import Part
from poise.capture.autorig import trunk
from poise.capture.autorig.plan import Plan
from poise.capture.autorig.stand import straight_legs
from poise.capture.autorig.trunk import Flesh
from poise.character.bodies import adult
from poise.character.bodies.adult import BodySegment
from poise.character.shapes import Sole
from poise.geometry.linear import norm

STATURE = 1.75  # [m] of the adult
DENSITY = 1000.0  # [kg/m³]
LEG_LENGTH = adult.THIGH_LENGTH + adult.SHIN_LENGTH + adult.ANKLE_HEIGHT  # [m] of the adult
HIP = LEG_LENGTH / STATURE  # height of the hips over stature
BELIEVED = 0.12  # a head's height is believed within this of what the legs say
CROWN = 0.04  # of the height: a head whose bone is shorter does not say where it ends
GROWN = 1.5  # [m]: above it weight goes with height squared, below with its cube
CLAVICLE_SHARE = 0.012  # of the mass, taken from the trunk
INSTEP = 0.55  # of an ankle's height: how far below it the centre of a foot is
TAIL_RADIUS = 0.03  # of the height
NECK_SHARE = 0.12  # of the head's mass, for each joint of the neck
ARM_KINDS = ("upper_arm", "forearm")
HUMAN_PARTS = "two arms and two legs of two bones each, a spine and a neck"
LIMBS = {
    "thigh": adult.THIGH, "shin": adult.SHANK, "foot": adult.FOOT,
    "upper_arm": adult.UPPER_ARM, "forearm": adult.FOREARM, "hand": adult.HAND,
}  # fmt: skip


@dataclass(frozen=True)
class Size:
    """Height [m], mass [kg] where it was given, and whether human tables apply."""

    height: float
    mass: float | None
    human: bool


def has_human_parts(plan: Plan) -> bool:
    """Whether a body has all that the human tables are about."""
    count = Counter(part.kind for part in plan.parts)
    core = {f"{kind}_{side}" for kind in ("thigh", "shin", "foot", *ARM_KINDS) for side in "lr"}
    two = all(count[kind] == 2 for kind in ("thigh", "shin", "foot"))
    whole = count["spine"] and count["neck"] + count["head"] and not count["tarsus"]
    return bool(core <= {part.name for part in plan.parts} and two and whole)


def is_human(plan: Plan) -> tuple[bool, str]:
    """Whether human tables fit a body, and why; a tail or more arms are added to what the tables say."""
    if not has_human_parts(plan):
        return False, f"it has not {HUMAN_PARTS}"
    if not straight_legs(plan.anatomy):
        return False, "it stands with bent legs"
    legs, arms = (("thigh", "shin"), ARM_KINDS)
    leg, arm = (sum(plan.length(plan.anatomy.part(f"{kind}_l")) for kind in kinds) for kinds in (legs, arms))
    hips, neck = trunk.axis(plan)
    back = float(norm(neck - hips))
    told = f"arms {arm / leg:.2f} and trunk {back / leg:.2f} of the legs' length"
    return bool(0.35 < arm / leg < 1.1 and 0.3 < back / leg < 1.2), told


def stature(plan: Plan) -> tuple[float, str]:
    """Height of a human that stands straight [m], and why: from bones alone, so that it is the same in every clip."""
    feet = [part for part in plan.parts if part.kind == "foot"]
    low = np.mean([plan.place(part)[2] for part in feet])
    hips = np.mean([plan.place(part)[2] for part in plan.parts if part.kind == "thigh"])
    ankle = adult.ANKLE_HEIGHT / STATURE if feet[0].joint >= 0 else 0.0
    legs = float(hips - low) / (HIP - ankle)
    heads = [plan.points(part)[:, 2] for part in plan.parts if part.kind in ("neck", "head")]
    top = float(max(points.max() for points in heads) - low) / (1.0 - ankle)
    crowned = max(np.ptp(points) for points in heads) > CROWN * legs
    if crowned and abs(top - legs) < BELIEVED * legs:
        return top, f"top of the skeleton; its legs say {legs:.2f} m"
    return legs, f"length of the legs; the skeleton ends at {top:.2f} m"


def weight(height: float) -> float:
    """Mass of a human of average build [kg] by height [m]."""
    grown = adult.MASS * (max(height, GROWN) / STATURE) ** 2
    return grown * (min(height, GROWN) / GROWN) ** 3


def human(plan: Plan, mass: float | None, height: float, soles: dict[str, Sole]) -> dict[str, Flesh]:
    """Flesh of every part of a human; what humans have not is added to the average mass, within a given one."""
    scale = height / STATURE
    parts = {part.name: _limb(plan, part, scale, soles) for part in plan.parts if part.kind in LIMBS}
    girdle = CLAVICLE_SHARE * sum(part.kind == "clavicle" for part in plan.parts)
    parts |= trunk.pieces(plan, scale, girdle) | _neck(plan, height)
    for part in plan.parts:
        if part.kind in ("clavicle", "tail"):
            parts[part.name] = _rod(plan, part, height)
    added = [part for part in plan.parts if part.name.startswith("mid_") or part.kind == "tail"]
    extra = sum(parts[part.name].mass for part in added)
    total = sum(flesh.mass for flesh in parts.values())
    whole = weight(height) * total / (total - extra) if mass is None else mass
    return {name: Flesh(whole * f.mass / total, f.com, f.gyration) for name, f in parts.items()}


def by_volume(volumes: dict[str, float], mass: float | None) -> dict[str, Flesh]:
    """Flesh of even density in volumes [m³]; a given total mass [kg] makes it denser or lighter."""
    density = DENSITY if mass is None else mass / sum(volumes.values())
    return {name: Flesh(density * volume) for name, volume in volumes.items()}


def _rod(plan: Plan, part: Part, height: float) -> Flesh:
    """A clavicle, or a part of a tail by its volume. Mass over body mass."""
    along = plan.end(part) - plan.place(part)
    length = max(float(norm(along)), 0.05 * height)
    tail = DENSITY * np.pi * (TAIL_RADIUS * height) ** 2 * length / weight(height)
    mass = CLAVICLE_SHARE if part.kind == "clavicle" else float(tail)
    return Flesh(mass, along / 2, np.full(3, 0.3 * length))


def _limb(plan: Plan, part: Part, scale: float, soles: dict[str, Sole]) -> Flesh:
    """A segment of the table as long as the bone, and as much heavier as it is longer. Mass over body mass.

    Bones tell little of hands and feet: a hand is as long as the body's height says, a foot as its sole.
    """
    row = LIMBS[part.kind]
    usual = row.length * adult.SCALE * scale
    if part.kind == "hand":
        return Flesh(row.mass, np.array([0.0, 0.0, -row.com * usual]), _radii(row) * usual)
    if part.kind == "foot":
        sole = soles[part.name]
        middle = sole.heel + row.com * (sole.toe - sole.heel)
        return Flesh(row.mass, np.array([middle, 0.0, -INSTEP * sole.depth]), _radii(row) * usual)
    along = plan.end(part) - plan.place(part)
    length = float(norm(along))
    return Flesh(row.mass * float(np.clip(length / usual, 0.5, 1.6)), row.com * along, _radii(row) * length)


def _radii(row: BodySegment) -> np.ndarray:
    return np.array([row.about_x, row.about_y, row.about_z])


def _neck(plan: Plan, height: float) -> dict[str, Flesh]:
    """Neck and head: the table's head, a part of it given to each joint of the neck."""
    necks = [part for part in plan.parts if part.kind == "neck"]
    heads = [part for part in plan.parts if part.kind == "head"]
    row, out = adult.HEAD, {}
    length = row.length * adult.SCALE * height / STATURE
    for part in necks:
        along = plan.end(part) - plan.place(part)
        out[part.name] = Flesh(NECK_SHARE * row.mass, along / 2, np.full(3, 0.2 * length))
    for part in heads:
        base = trunk.axis(plan)[1]
        com = np.array([0.01, 0.0, (adult.VERTEX - adult.NECK) * height / STATURE - row.com * length])
        place = plan.place(part)
        com = com * (1.1 if necks else 1.0) + [0.0, 0.0, base[2] - place[2]]
        out[part.name] = Flesh((1.0 - NECK_SHARE * len(necks)) * row.mass, com, _radii(row) * length)
    return out

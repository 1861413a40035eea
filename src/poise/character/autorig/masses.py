"""Masses, centres of mass and inertias of a human's parts: the adult's table, scaled to the bones."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from poise.character import adult
from poise.character.adult import Segment
from poise.character.autorig.plan import Plan
from poise.character.autorig.roles import Part
from poise.character.autorig.stand import straight_legs

STATURE = 1.75  # [m] of the adult
HIP = (
    adult.THIGH_LENGTH + adult.SHIN_LENGTH + adult.ANKLE_HEIGHT
) / STATURE  # height of the hips over stature
BELIEVED = 0.12  # a head's height is believed within this of what the legs say
GROWN = 1.5  # [m]: above it weight goes with height squared, below with its cube
FLESH = 1000.0  # [kg/m³]
SLICES = 40  # samples of each part of the trunk's table
ABOVE = 0.02  # [m] of the adult: flesh is divided this far above a joint of the spine
CLAVICLE = 0.012  # of the mass, taken from the trunk
TAIL_RADIUS = 0.03  # of the height
NECK = 0.12  # of the head's mass, for each joint of the neck
ARM = ("upper_arm", "forearm")
LIMBS = {
    "thigh": adult.THIGH, "shin": adult.SHANK, "foot": adult.FOOT, "upper_arm": adult.UPPER_ARM, "forearm": adult.FOREARM,
    "hand": adult.HAND,
}  # fmt: skip


@dataclass(frozen=True)
class Flesh:
    """Mass [kg], centre of mass in the body's frame [m] and radii of gyration about its axes [m]; None: as its shapes."""

    mass: float
    com: np.ndarray | None
    gyration: np.ndarray | None


def is_human(plan: Plan) -> tuple[bool, str]:
    """Whether human tables fit a body, and why; a tail or more arms are added to what the tables say."""
    count = Counter(part.kind for part in plan.parts)
    names = {part.name for part in plan.parts}
    core = {f"{kind}_{side}" for kind in ("thigh", "shin", "foot", *ARM) for side in "lr"}
    if not core <= names or any(count[kind] != 2 for kind in ("thigh", "shin", "foot")) or count["tarsus"]:
        return False, "not two arms and two legs of two bones each"
    if not straight_legs(plan.anatomy) or not count["spine"] or not count["neck"] + count["head"]:
        return False, "legs that stand bent, or no spine or neck"
    leg, arm = (
        sum(plan.length(plan.anatomy.part(f"{kind}_l")) for kind in kinds)
        for kinds in (("thigh", "shin"), ARM)
    )
    hips, neck = trunk_line(plan)
    trunk = float(np.linalg.norm(neck - hips))
    told = f"arms {arm / leg:.2f} and trunk {trunk / leg:.2f} of the legs' length"
    return bool(0.35 < arm / leg < 1.1 and 0.3 < trunk / leg < 1.2), told


def extent(plan: Plan) -> tuple[float, str]:
    """Size of a body that is not human [m]: its largest extent where it stands."""
    return plan.anatomy.figure.size, "largest extent"


def stature(plan: Plan) -> tuple[float, str]:
    """Height of a human that stands straight [m], and why: from bones alone, so that it is the same in every clip."""
    feet = np.mean([plan.place(part)[2] for part in plan.parts if part.kind == "foot"])
    hips = np.mean([plan.place(part)[2] for part in plan.parts if part.kind == "thigh"])
    ankle = adult.ANKLE_HEIGHT / STATURE
    legs = float(hips - feet) / (HIP - ankle)
    heads = [plan.points(part)[:, 2].max() for part in plan.parts if part.kind in ("neck", "head")]
    top = float(max(heads) - feet) / (1.0 - ankle)
    if abs(top - legs) < BELIEVED * legs:
        return top, f"top of the skeleton; its legs say {legs:.2f} m"
    return legs, f"length of the legs; the skeleton ends at {top:.2f} m"


def weight(height: float) -> float:
    """Mass of a human of average build [kg] by height [m]."""
    grown = adult.MASS * (max(height, GROWN) / STATURE) ** 2
    return grown * (min(height, GROWN) / GROWN) ** 3


def by_volume(volumes: dict[str, float], mass: float | None) -> dict[str, Flesh]:
    """Flesh of even density in volumes [m³]; a given total mass [kg] makes it denser or lighter."""
    density = FLESH if mass is None else mass / sum(volumes.values())
    return {name: Flesh(density * volume, None, None) for name, volume in volumes.items()}


def human(plan: Plan, mass: float | None, height: float) -> dict[str, Flesh]:
    """Flesh of every part of a human; what humans have not is added to the average mass, within a given one."""
    scale = height / STATURE
    parts = {part.name: _limb(plan, part, scale) for part in plan.parts if part.kind in LIMBS}
    parts |= _trunk(plan, scale) | _neck(plan, height)
    for part in plan.parts:
        if part.kind in ("clavicle", "tail"):
            parts[part.name] = _rod(plan, part, height)
    extra = sum(
        parts[part.name].mass for part in plan.parts if part.name.startswith("mid_") or part.kind == "tail"
    )
    total = sum(flesh.mass for flesh in parts.values())
    whole = weight(height) * total / (total - extra) if mass is None else mass
    return {name: Flesh(whole * f.mass / total, f.com, f.gyration) for name, f in parts.items()}


def _rod(plan: Plan, part: Part, height: float) -> Flesh:
    """A clavicle, or a part of a tail by its volume. Mass over body mass."""
    along = plan.end(part) - plan.place(part)
    length = max(float(np.linalg.norm(along)), 0.05 * height)
    tail = FLESH * np.pi * (TAIL_RADIUS * height) ** 2 * length / weight(height)
    return Flesh(CLAVICLE if part.kind == "clavicle" else float(tail), along / 2, np.full(3, 0.3 * length))


def _limb(plan: Plan, part: Part, scale: float) -> Flesh:
    """A segment of the table as long as the bone, and as much heavier as it is longer. Mass over body mass."""
    row = LIMBS[part.kind]
    usual = row.length * adult.SCALE * scale
    if part.kind in ("hand", "foot"):
        return Flesh(row.mass, _ending(plan, part, row, usual), _radii(row) * usual)
    along = plan.end(part) - plan.place(part)
    length = float(np.linalg.norm(along))
    return Flesh(row.mass * float(np.clip(length / usual, 0.5, 1.6)), row.com * along, _radii(row) * length)


def _ending(plan: Plan, part: Part, row: Segment, length: float) -> np.ndarray:
    """Centre of mass of a hand or foot, whose bones tell little."""
    if part.kind == "foot":
        heel, scale = adult.SOLE_SHAPE.heel, length / (row.length * adult.SCALE)
        return np.array(
            [
                (heel + row.com * (adult.SOLE_SHAPE.toe - heel)) * scale,
                0.0,
                -0.55 * adult.ANKLE_HEIGHT * scale,
            ]
        )
    return np.array([0.0, 0.0, -row.com * length])


def _radii(row: Segment) -> np.ndarray:
    return np.array([row.about_x, row.about_y, row.about_z])


def trunk_line(plan: Plan) -> tuple[np.ndarray, np.ndarray]:
    """From the middle of the hips to the base of the neck (3,) [m]: the axis of the trunk.

    How high it reaches is a mean of what neck and shoulders say: some skeletons have their shoulders above their neck.
    """
    hips = np.mean([plan.place(part) for part in plan.parts if part.kind == "thigh"], axis=0)
    shoulders = np.mean([plan.place(part) for part in plan.parts if part.kind == "upper_arm"], axis=0)
    necks = [plan.place(part) for part in plan.parts if part.kind in ("neck", "head")]
    neck = min(necks, key=lambda p: float(p[2]), default=shoulders)
    usual = adult.NECK / (adult.SPINE_TOP + adult.SHOULDER[2])
    height = np.mean([neck[2] - hips[2], usual * (shoulders[2] - hips[2])])
    return hips, np.array([neck[0], neck[1], hips[2] + height])


def cuts(plan: Plan) -> tuple[list[Part], np.ndarray]:
    """Parts of the trunk from below, and the heights above the hips between which each lies (n + 1,) [m]."""
    parts = [part for part in plan.parts if part.kind in ("pelvis", "spine")]
    hips, neck = trunk_line(plan)
    k = (neck - hips)[2] / adult.NECK
    top = adult.CERVICALE * k
    heights = [float(plan.place(part)[2] - hips[2] + ABOVE * k) for part in parts[1:]]
    least = 0.5 * top / (2 * len(parts))
    bounds = [0.0]
    for i, height in enumerate(heights):
        bounds.append(float(np.clip(height, bounds[-1] + least, top - least * (len(heights) - i))))
    return parts, np.array([*bounds, top])


def _trunk(plan: Plan, scale: float) -> dict[str, Flesh]:
    """The trunk's table cut at the joints of the spine."""
    parts, bounds = cuts(plan)
    hips, neck = trunk_line(plan)
    k = (neck - hips)[2] / adult.NECK
    samples = np.concatenate([_samples(*row, k, scale) for row in _ROWS])  # height, mass, depth², width²
    girdle = CLAVICLE * sum(part.kind == "clavicle" for part in plan.parts)
    samples[:, 1] *= 1.0 - girdle / samples[:, 1].sum()
    out = {}
    for i, part in enumerate(parts):
        low, high = (bounds[i] if i else -np.inf), (bounds[i + 1] if i + 1 < len(parts) else np.inf)
        z, mass, depth, width = samples[(samples[:, 0] >= low) & (samples[:, 0] < high)].T
        share = mass / mass.sum()
        middle = share @ z
        spread = share @ (z - middle) ** 2
        com = hips + (neck - hips) * middle / (neck - hips)[2] - plan.place(part)
        lateral = np.array([share @ width + spread, share @ depth + spread, share @ (width + depth)])
        out[part.name] = Flesh(float(mass.sum()), com, np.sqrt(lateral))
    return out


_ROWS = (
    (adult.LOWER_TRUNK, 0.0, adult.OMPHALION),
    (adult.MIDDLE_TRUNK, adult.OMPHALION, adult.XIPHION),
    (adult.UPPER_TRUNK, adult.XIPHION, adult.CERVICALE),
)


def _samples(row: Segment, low: float, high: float, k: float, scale: float) -> np.ndarray:
    """A slice of the trunk as thin slabs (SLICES, 4): height [m], share of body mass, variances of depth and width [m²].

    The density changes evenly along the slice so that its centre of mass is the table's.
    """
    u = (np.arange(SLICES) + 0.5) / SLICES
    lean = np.clip(6.0 * (0.5 - row.com), -0.95, 0.95)
    mass = row.mass * (1.0 + lean * (2.0 * u - 1.0)) / SLICES
    length = row.length * adult.SCALE
    spread = (mass / row.mass) @ (u - 1.0 + row.com) ** 2 * (high - low) ** 2
    depth, width = ((radius * length) ** 2 - spread for radius in (row.about_y, row.about_x))
    lateral = [np.full(SLICES, max(v, 1e-4) * scale**2) for v in (depth, width)]
    return np.stack([(low + u * (high - low)) * k, mass, *lateral], axis=1)


def _neck(plan: Plan, height: float) -> dict[str, Flesh]:
    """Neck and head: the table's head, a part of it given to each joint of the neck."""
    necks = [part for part in plan.parts if part.kind == "neck"]
    heads = [part for part in plan.parts if part.kind == "head"]
    row, out = adult.HEAD, {}
    length = row.length * adult.SCALE * height / STATURE
    for part in necks:
        along = plan.end(part) - plan.place(part)
        out[part.name] = Flesh(NECK * row.mass, along / 2, np.full(3, 0.2 * length))
    for part in heads:
        base = trunk_line(plan)[1]
        com = np.array([0.01, 0.0, (adult.VERTEX - adult.NECK) * height / STATURE - row.com * length])
        com = (
            com * (1.1 if necks else 1.0)
            + np.array([plan.place(part)[0], plan.place(part)[1], base[2]])
            - plan.place(part)
        )
        out[part.name] = Flesh((1.0 - NECK * len(necks)) * row.mass, com, _radii(row) * length)
    return out

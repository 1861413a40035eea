"""Whether a body would stand in a pose, and how well."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np

from poise.character.foreign.anatomy import FoundLeg, ModelAnatomy
from poise.character.foreign.soles import FoundSole
from poise.geometry import polygon

LEVEL = 0.06  # [rad] that soles may tilt
UNEVEN = 0.02  # of the centre of mass's height: how much feet may differ in height
LINE = 0.02  # of the same: how far the centre of mass may be off a support that is a line
TOUCHING = 0.012  # of the same: parts this near to the ground are put down
CLEAR = 0.05  # of the same: parts that are no feet stay at least this far above the ground
PARTNER = 0.1  # relative difference of the masses of two legs of a pair


@dataclass(frozen=True)
class Pose:
    """A configuration with its legs and soles, and where it came from."""

    q: np.ndarray
    legs: list[FoundLeg]
    soles: list[FoundSole]
    source: str
    why: str


def trouble(anatomy: ModelAnatomy, q: np.ndarray, legs: list[FoundLeg], soles: list[FoundSole]) -> str | None:
    """Why a body would not stand in a pose; None where it would."""
    if len(legs) < 2:
        return "fewer than two legs"
    data, others = anatomy.posed(q), set(anatomy.parts)
    lowest = anatomy.lowest(data)
    bottoms = [min(lowest[f] for f in leg.feet) for leg in legs]
    ground = min(bottoms)
    height = float(data.subtree_com[1][2]) - ground
    if height <= 0.0 or np.ptp(bottoms) > UNEVEN * height:
        return "feet at different heights"
    if max(_tilt(data, s) for s in soles) > LEVEL:
        return "soles that are not level"
    others -= {p for leg in legs for p in anatomy.below(leg.base)}
    if any(lowest[p] < ground + CLEAR * height for p in others if p in lowest):
        return "the trunk on the ground"
    ring = polygon.hull(np.concatenate([_underside(anatomy, data, leg, height) for leg in legs])[:, :2])
    if polygon.signed_distance(ring, data.subtree_com[1][:2]) > LINE * height:
        return "the centre of mass off its feet"
    return None


def spare_legs(anatomy: ModelAnatomy, pose: Pose) -> bool:
    """Whether other limbs are just like the legs, as on a four-legged body that stands on two."""
    data, model = anatomy.posed(pose.q), anatomy.model
    used = {p for leg in pose.legs for p in anatomy.below(leg.base)}
    limbs = anatomy.limbs(data, [p for p in anatomy.ends() if p not in used], -np.inf)
    mass = {limb.base: float(model.body_subtreemass[limb.base]) for limb in [*limbs, *pose.legs]}
    return any(_alike(leg, limb, mass) for limb in limbs for leg in pose.legs)


def _alike(a: FoundLeg, b: FoundLeg, mass: dict[int, float]) -> bool:
    """Whether two limbs have like masses and as many joints."""
    like = abs(mass[a.base] - mass[b.base]) < PARTNER * mass[a.base]
    return like and len(a.dofs) == len(b.dofs)


def worth(anatomy: ModelAnatomy, pose: Pose) -> float:
    """How much of a stand a pose is: mass of the legs that have a partner, times height of the centre of mass."""
    own = anatomy.model.body_mass
    mass = {leg.base: sum(float(own[p]) for p in anatomy.below(leg.base)) for leg in pose.legs}
    paired = [a for a in pose.legs if any(_alike(a, b, mass) for b in pose.legs if b is not a)]
    return height(anatomy, pose.q) * sum(mass[leg.base] for leg in paired)


def height(anatomy: ModelAnatomy, q: np.ndarray) -> float:
    """Of the centre of mass above the lowest point [m]."""
    data = anatomy.posed(q)
    return float(data.subtree_com[1][2]) - min(anatomy.lowest(data).values())


def off_centre(
    anatomy: ModelAnatomy, data: mujoco.MjData, legs: list[FoundLeg], soles: list[FoundSole]
) -> tuple[np.ndarray, float]:
    """Middle of what the feet span, and how far the centre of mass is from it as a part of the way to the border."""
    tall = float(data.subtree_com[1][2]) - min(anatomy.lowest(data).values())
    ring = polygon.hull(np.concatenate([_usable(anatomy, data, *foot, tall) for foot in zip(legs, soles)]))
    middle = polygon.centroid(ring)
    way = data.subtree_com[1][:2] - middle
    border = -polygon.signed_distance(ring, middle)
    return middle, float(np.linalg.norm(way) / max(border, 1e-9))


def bottom(anatomy: ModelAnatomy, data: mujoco.MjData, leg: FoundLeg) -> float:
    """Height of a leg's lowest point [m]."""
    lowest = anatomy.lowest(data)
    return min(lowest[p] for p in anatomy.below(leg.base) if p in lowest)


def _underside(anatomy: ModelAnatomy, data: mujoco.MjData, leg: FoundLeg, tall: float) -> np.ndarray:
    points = np.concatenate([anatomy.points(data, p) for p in anatomy.below(leg.base)])
    return points[points[:, 2] < points[:, 2].min() + TOUCHING * tall]


def _usable(
    anatomy: ModelAnatomy, data: mujoco.MjData, leg: FoundLeg, s: FoundSole, tall: float
) -> np.ndarray:
    """The part (n, 2) of a leg's underside from which its ankle is strong enough to carry the body."""
    points = _underside(anatomy, data, leg, tall)[:, :2]
    if s.normal is None:
        return points
    ankle = anatomy.anchor(data, s.part)[:2]
    away = points - ankle
    size = np.linalg.norm(away, axis=1, keepdims=True)
    return ankle + away * np.minimum(1.0, anatomy.lever.get(s.part, np.inf) / np.maximum(size, 1e-9))


def _tilt(data: mujoco.MjData, s: FoundSole) -> float:
    if s.normal is None:
        return 0.0
    return float(np.arccos(np.clip((data.xmat[s.part].reshape(3, 3) @ s.normal)[2], -1, 1)))

"""Flesh of a body, and the trunk of a human: its axis, where the spine's joints cut it, the flesh of each piece."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise.capture.anatomy.parts import Part
from poise.capture.autorig.plan import Plan
from poise.character.bodies import adult
from poise.character.bodies.adult import BodySegment
from poise.geometry.linear import times

SHOULDERS = ("upper_arm_l", "upper_arm_r")
SLICES = 40  # samples of each part of the trunk's table
ABOVE = 0.02  # [m] of the adult: flesh is divided this far above a joint of the spine
ROWS = (
    (adult.LOWER_TRUNK, 0.0, adult.OMPHALION),
    (adult.MIDDLE_TRUNK, adult.OMPHALION, adult.XIPHION),
    (adult.UPPER_TRUNK, adult.XIPHION, adult.CERVICALE),
)


@dataclass(frozen=True)
class Flesh:
    """Mass [kg], centre of mass in the body's frame [m] and radii of gyration about its axes [m].

    Without centre and radii they are those of the body's shapes.
    """

    mass: float
    com: np.ndarray | None = None
    gyration: np.ndarray | None = None


def axis(plan: Plan) -> tuple[np.ndarray, np.ndarray]:
    """From the middle of the hips to the base of the neck (3,) [m]: the axis of the trunk.

    How high it reaches is a mean of what neck and shoulders say: some skeletons have their shoulders above their neck.
    """
    hips = np.mean([plan.place(part) for part in plan.parts if part.kind == "thigh"], axis=0)
    shoulders = np.mean([plan.place(plan.anatomy.part(arm)) for arm in SHOULDERS], axis=0)
    necks = [plan.place(part) for part in plan.parts if part.kind in ("neck", "head")]
    neck = min(necks, key=lambda p: float(p[2]), default=shoulders)
    usual = adult.NECK / (adult.SPINE_TOP + adult.SHOULDER[2])
    height = np.mean([neck[2] - hips[2], usual * (shoulders[2] - hips[2])])
    return hips, np.array([neck[0], neck[1], hips[2] + height])


def cuts(plan: Plan) -> tuple[list[Part], np.ndarray]:
    """Parts of the trunk from below, and the heights above the hips between which each lies (n + 1,) [m]."""
    parts = [part for part in plan.parts if part.kind in ("pelvis", "spine")]
    hips, neck = axis(plan)
    k = (neck - hips)[2] / adult.NECK
    top = adult.CERVICALE * k
    heights = [float(plan.place(part)[2] - hips[2] + ABOVE * k) for part in parts[1:]]
    least = 0.5 * top / (2 * len(parts))
    bounds = [0.0]
    for i, height in enumerate(heights):
        bounds.append(float(np.clip(height, bounds[-1] + least, top - least * (len(heights) - i))))
    return parts, np.array([*bounds, top])


def pieces(plan: Plan, scale: float, girdle: float) -> dict[str, Flesh]:
    """The trunk's table cut at the joints of the spine, less the clavicles' ``girdle``; masses over body mass."""
    parts, bounds = cuts(plan)
    hips, neck = axis(plan)
    k = (neck - hips)[2] / adult.NECK
    samples = np.concatenate([_samples(*row, k, scale) for row in ROWS])  # height, mass, depth², width²
    samples[:, 1] *= 1.0 - girdle / samples[:, 1].sum()
    out = {}
    for i, part in enumerate(parts):
        low, high = (bounds[i] if i else -np.inf), (bounds[i + 1] if i + 1 < len(parts) else np.inf)
        z, mass, depth, width = samples[(samples[:, 0] >= low) & (samples[:, 0] < high)].T
        share = mass / mass.sum()
        middle = times(share, z)
        spread = times(share, (z - middle) ** 2)
        com = hips + (neck - hips) * middle / (neck - hips)[2] - plan.place(part)
        lateral = np.array(
            [times(share, width) + spread, times(share, depth) + spread, times(share, width + depth)]
        )
        out[part.name] = Flesh(float(mass.sum()), com, np.sqrt(lateral))
    return out


def _samples(row: BodySegment, low: float, high: float, k: float, scale: float) -> np.ndarray:
    """A slice of the trunk as thin slabs (SLICES, 4): height [m], share of body mass, variances of depth, width [m²].

    The density changes evenly along the slice so that its centre of mass is the table's.
    """
    u = (np.arange(SLICES) + 0.5) / SLICES
    lean = np.clip(6.0 * (0.5 - row.com), -0.95, 0.95)
    mass = row.mass * (1.0 + lean * (2.0 * u - 1.0)) / SLICES
    length = row.length * adult.SCALE
    spread = times(mass / row.mass, (u - 1.0 + row.com) ** 2) * (high - low) ** 2
    depth, width = ((radius * length) ** 2 - spread for radius in (row.about_y, row.about_x))
    lateral = [np.full(SLICES, max(v, 1e-4) * scale**2) for v in (depth, width)]
    return np.stack([(low + u * (high - low)) * k, mass, *lateral], axis=1)

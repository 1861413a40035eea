"""Shapes of a body of which nothing is known but its bones: capsules along them, as thick as such limbs are."""

from __future__ import annotations

import numpy as np

from poise.capture.anatomy.parts import Part
from poise.capture.autorig.plan import Plan
from poise.capture.autorig.shapes import off_floor, rod
from poise.character.shapes import RIGHT_SHADE, Shape, Sole, look
from poise.geometry.linear import norm

HIDE, HORN = (0.55, 0.50, 0.42, 1.0), (0.38, 0.34, 0.30, 1.0)
THICKNESS = {
    "neck": 0.22, "head": 0.35, "thigh": 0.17, "shin": 0.11, "tarsus": 0.10, "upper_arm": 0.15, "forearm": 0.12,
    "hand": 0.3, "clavicle": 0.25, "tail": 0.25,
}  # radius over length  # fmt: skip
LIMB_RADII, TRUNK_RADII = (0.008, 0.06), (0.05, 0.12)  # bounds of radii, over the body's size


def shapes(plan: Plan, size: float, soles: dict[str, Sole]) -> dict[str, tuple[Shape, ...]]:
    """Shapes of every part of a body of which nothing is known but its bones."""
    made = {}
    for part in plan.parts:
        rgba = _shade(part, HORN if part.kind in ("foot", "hand", "tail") else HIDE)
        if part.kind == "foot":
            made[part.name] = _pad(soles[part.name], rgba)
            continue
        end = plan.end(part) - plan.place(part)
        if part.kind in ("pelvis", "spine"):
            end, radius = _girth(plan, part, size)
        else:
            length = max(float(norm(end)), 0.03 * size)
            radius = float(np.clip(THICKNESS[part.kind] * length, LIMB_RADII[0] * size, LIMB_RADII[1] * size))
        made[part.name] = off_floor(plan, part, (rod(end, radius, rgba),), soles)
    return made


def _girth(plan: Plan, part: Part, size: float) -> tuple[np.ndarray, float]:
    """End of the axis and radius of a creature's trunk [m]: along its bone, as wide as its limbs are apart."""
    kids = [(kid, plan.place(kid) - plan.place(part)) for kid in plan.anatomy.kids(part.name)]
    onward = [place for kid, place in kids if kid.kind in ("spine", "neck", "head")]
    end = onward[0] if onward else np.array([0.0, 0.0, 0.05 * size])
    wide = max((abs(place[1]) for kid, place in kids if kid.side), default=0.0)
    return end, float(np.clip(0.85 * wide, TRUNK_RADII[0] * size, TRUNK_RADII[1] * size))


def _pad(sole: Sole, rgba: tuple) -> tuple[Shape, ...]:
    long, wide = sole.toe - sole.heel, max(sole.width)
    middle = ((sole.toe + sole.heel) / 2, 0.0, -sole.depth / 2)
    return (look("ellipsoid", middle, (long / 2, wide / 2, sole.depth / 2), rgba),)


def _shade(part: Part, rgba: tuple) -> tuple:
    return (*(RIGHT_SHADE * c for c in rgba[:3]), rgba[3]) if part.side < 0 else rgba

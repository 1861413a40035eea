"""The baby: eight months, 0.7 m, 8.5 kg. A large head, a round trunk, short limbs; on hinges.

Made from the adult's limbs, each part with a length, girth and mass of its own. Shares of mass after Jensen, R. K.
(1986), "Body segment mass, radius and radius of gyration proportions of children", J. Biomech. 19(5), carried on to
infancy.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from poise.character.bodies.adult import SHOE, SKIN, SOLE, limbs
from poise.character.build import Limb, build
from poise.character.character import Character
from poise.character.hinged import hinged
from poise.character.shapes import Shape

MASS = 8.5  # [kg]
STRENGTH = 0.035  # of the adult's torques: about three times the weight of its limbs
ARMATURE = 4e-4  # [kg m²]


@dataclass(frozen=True)
class BabyPart:
    """Of a limb, over the adult's: length, girth; and share of the body's mass."""

    length: float
    girth: float
    share: float


BARE = {  # colours of shoes, left and right -> of feet
    tuple(Shape("", (0, 0, 0), None, (), shoe).mirrored().rgba if right else shoe):
    Shape("", (0, 0, 0), None, (), SKIN).mirrored().rgba if right else SKIN
    for shoe in (SHOE, SOLE) for right in (False, True)
}  # fmt: skip
HEAD, ARM, LEG = 0.70, 0.38, 0.34
PARTS = {
    "pelvis": BabyPart(0.44, 0.46, 0.13), "abdomen": BabyPart(0.44, 0.47, 0.11), "torso": BabyPart(0.44, 0.46, 0.11),
    "chest": BabyPart(0.44, 0.46, 0.14), "head": BabyPart(HEAD, HEAD, 0.23),
    "upper_arm": BabyPart(ARM, 0.55, 0.026), "forearm": BabyPart(ARM, 0.55, 0.016), "hand": BabyPart(ARM, 0.6, 0.008),
    "thigh": BabyPart(LEG, 0.55, 0.055), "shin": BabyPart(LEG, 0.55, 0.025), "foot": BabyPart(LEG, 0.45, 0.010),
}  # fmt: skip


def baby() -> Character:
    """Infant that learns to roll over: a large head and short limbs."""
    body = build("baby", [_small(limb) for limb in limbs()])
    return hinged(body, "baby", STRENGTH, ARMATURE)


def _small(limb: Limb) -> Limb:
    part, parent = _part(limb.name), _part(limb.parent) if limb.parent else None
    sole = limb.sole
    if sole is not None:
        k, heel, toe = part.length, *sole.width
        sole = replace(sole, heel=k * sole.heel, toe=k * sole.toe, width=(part.girth * heel, part.girth * toe),
                       depth=k * sole.depth, radius=k * sole.radius)  # fmt: skip
    scale = np.array([part.girth, part.girth, part.length])
    com = (0.0, 0.0, 0.0) if limb.com is None else limb.com
    gyration = (0.1, 0.1, 0.1) if limb.gyration is None else limb.gyration
    return replace(
        limb, anchor=_times(limb.anchor, parent.length if parent else 1.0), mass=part.share * MASS,
        shapes=tuple(_shape(s, scale) for s in limb.shapes), com=tuple(scale * com),
        gyration=_times(gyration, 0.5 * (part.length + part.girth)), torque=_times(limb.torque, STRENGTH),
        sole=sole, tips={tip: tuple(scale * p) for tip, p in limb.tips.items()}, armature=ARMATURE,
    )  # fmt: skip


def _shape(shape: Shape, scale: np.ndarray) -> Shape:
    size = shape.size if shape.b is None else shape.size[:1]
    by = scale if shape.b is None else scale[:1]
    bare = BARE.get(tuple(shape.rgba), shape.rgba)
    return replace(
        shape, a=tuple(scale * shape.a), b=None if shape.b is None else tuple(scale * shape.b),
        size=tuple(np.multiply(size, by)), rgba=bare,
    )  # fmt: skip


def _part(name: str) -> BabyPart:
    return PARTS[name.removesuffix("_l").removesuffix("_r")]


def _times(values, factor: float) -> tuple[float, ...]:
    return tuple(float(factor * v) for v in values)

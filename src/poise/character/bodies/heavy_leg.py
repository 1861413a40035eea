"""The heavy-leg: the adult without arms, with legs half as heavy again, so that only they can answer for its spin.

Our reading of the left-hand walker of [Coordination] fig. 4; its parameters are not given there.
"""

from __future__ import annotations

from dataclasses import replace

from poise.character.bodies import adult
from poise.character.build import Limb, both_sides, build
from poise.character.character import Character

HEAVIER = 1.5  # mass of a leg over the adult's


def heavy_leg() -> Character:
    """Armless walker with heavy legs."""
    return build("heavy-leg", adult.trunk() + both_sides(*(_heavier(limb) for limb in adult.leg())))


def _heavier(limb: Limb) -> Limb:
    return replace(limb, mass=HEAVIER * limb.mass)

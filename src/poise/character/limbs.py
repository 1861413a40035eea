"""Limbs of a body as chains of bodies."""

from __future__ import annotations

from collections.abc import Sequence

from poise.character.character import Character
from poise.geometry.linear import norm


def chain(character: Character, body: str) -> list[int]:
    """Ids of the bodies of a limb, from the one that hangs on the root to its end, ``body``."""
    model = character.model
    found = [character.body(body)]
    root = character.body(character.body_names[0])
    while model.body_parentid[found[0]] not in (root, 0):
        found.insert(0, int(model.body_parentid[found[0]]))
    return found


def length(character: Character, limb: Sequence[int]) -> float:
    """Of a limb when straight, from its first joint to the frame of its last body [m]."""
    return float(sum(norm(character.model.body_pos[b]) for b in limb[1:]))

"""The named bodies."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from poise.character.adult import adult
from poise.character.character import Character
from poise.character.chicken import chicken
from poise.character.dinosaur import dinosaur
from poise.character.heavy_leg import heavy_leg
from poise.character.insectoid import insectoid
from poise.errors import unknown

CHARACTERS: dict[str, Callable[[], Character]] = {
    "adult": adult,
    "chicken": chicken,
    "dinosaur": dinosaur,
    "heavy-leg": heavy_leg,
    "insectoid": insectoid,
}


@cache
def load(name: str) -> Character:
    """A built-in body; the same object every time, since a Character never changes."""
    if name not in CHARACTERS:
        raise unknown("character", name, CHARACTERS)
    return CHARACTERS[name]()

"""The named bodies."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from poise.character.adult import adult
from poise.character.character import Character
from poise.character.chicken import chicken
from poise.character.insectoid import insectoid
from poise.errors import unknown

CHARACTERS: dict[str, Callable[[], Character]] = {
    "adult": adult,
    "chicken": chicken,
    "insectoid": insectoid,
}


@cache
def load(name: str) -> Character:
    """A built-in body, or the one of a file; the same object every time, since a Character never changes."""
    if name.endswith((".xml", ".mjcf", ".urdf")):
        return Character.from_urdf(name) if name.endswith(".urdf") else Character.from_mjcf(name)
    if name not in CHARACTERS:
        raise unknown("character", name, CHARACTERS)
    return CHARACTERS[name]()

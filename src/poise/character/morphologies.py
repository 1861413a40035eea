"""The named bodies."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from ..errors import unknown
from .adult import adult
from .character import Character
from .chicken import chicken
from .insectoid import insectoid

CHARACTERS: dict[str, Callable[[], Character]] = {
    "adult": adult,
    "chicken": chicken,
    "insectoid": insectoid,
}


@cache
def load(name: str) -> Character:
    """A built-in body; the same object every time, since a Character never changes."""
    if name not in CHARACTERS:
        raise unknown("character", name, CHARACTERS)
    return CHARACTERS[name]()

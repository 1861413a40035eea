"""The named bodies, and those made from files."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

from poise.character.bodies.acrobat import acrobat
from poise.character.bodies.adult import adult
from poise.character.bodies.baby import baby
from poise.character.bodies.chicken import chicken
from poise.character.bodies.dinosaur import dinosaur
from poise.character.bodies.heavy_leg import heavy_leg
from poise.character.bodies.insectoid import insectoid
from poise.character.bodies.tumbler import tumbler
from poise.character.character import Character
from poise.errors import BadInput, unknown

CHARACTERS: dict[str, Callable[[], Character]] = {
    "acrobat": acrobat,
    "adult": adult,
    "baby": baby,
    "chicken": chicken,
    "dinosaur": dinosaur,
    "heavy-leg": heavy_leg,
    "insectoid": insectoid,
    "tumbler": tumbler,
}
LOADERS: dict[str, Callable[[str], Character]] = {  # by the ending of a file
    ".bvh": lambda path: Character.from_bvh(path),
    ".amc": lambda path: Character.from_bvh(path),
    ".xml": lambda path: Character.from_mjcf(path),
    ".mjcf": lambda path: Character.from_mjcf(path),
    ".urdf": lambda path: Character.from_urdf(path),
}


def load(name: str) -> Character:
    """A built-in body, or the one of a file; the same object every time, since a Character never changes."""
    path = Path(name)
    if path.suffix.lower() in LOADERS:
        if not path.is_file():
            raise BadInput(f"character file {name!r} does not exist")
        return _read(name, path.stat().st_mtime_ns)
    if name not in CHARACTERS:
        raise unknown("character", name, CHARACTERS)
    return _built(name)


@cache
def _built(name: str) -> Character:
    return CHARACTERS[name]()


@cache
def _read(name: str, changed: int) -> Character:
    """A body from a file as it was when last changed."""
    return LOADERS[Path(name).suffix.lower()](name)

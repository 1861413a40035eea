"""The named bodies, and those made from files."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from poise.character import bodies
from poise.character.character import Character
from poise.errors import BadInput, unknown

# a file of bodies/ holds the function of its name
CHARACTERS: dict[str, Callable[[], Character]] = {
    found.name.replace("_", "-"): getattr(import_module(f"{bodies.__name__}.{found.name}"), found.name)
    for found in iter_modules(bodies.__path__)
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

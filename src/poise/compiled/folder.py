"""Where compiled functions are kept: beside the package, in the user's cache, or in a temporary folder."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from poise.console import say

PACKAGE = Path(__file__).parents[1]
NAME = "poise-compiled"


@cache
def folder() -> Path:
    """The first folder that can be written to; one line on stderr where it will not last."""
    for place in _places():
        if _writable(place):
            return place
    place = _temporary()
    say(f"compiled functions are kept in {place}: set NUMBA_CACHE_DIR to a folder that lasts")
    return place


def lasts() -> bool:
    """Whether what is compiled now is still there after a restart of the machine."""
    return Path(tempfile.gettempdir()) not in folder().parents or "NUMBA_CACHE_DIR" in os.environ


def _places() -> Iterator[Path]:
    asked = os.environ.get("NUMBA_CACHE_DIR")
    if asked:
        yield Path(asked) / NAME
    yield PACKAGE / "__pycache__" / NAME
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    if os.path.isabs(home):
        yield Path(home) / NAME


def _writable(place: Path) -> bool:
    try:
        place.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=place).close()
    except OSError:
        return False
    return True


def _temporary() -> Path:
    """The same folder for each process of this user, unless somebody else made it: what it holds is run."""
    user = os.getuid() if hasattr(os, "getuid") else 0
    place = Path(tempfile.gettempdir()) / f"{NAME}-{user}"
    try:
        place.mkdir(mode=0o700, exist_ok=True)
        about = place.lstat()
        private = not place.is_symlink() and about.st_uid == user and not about.st_mode & 0o022
    except OSError:
        private = False
    return place if private and _writable(place) else Path(tempfile.mkdtemp(prefix=NAME))

"""Files: the ending of a path chooses the module of that name in `writers/`; a writer leaves a whole file or none."""

from __future__ import annotations

from importlib import import_module
from os import PathLike
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

from poise.draw.shot import Shot
from poise.errors import BadInput, unknown
from poise.files import atomic, check_folder
from poise.formats.shown import PICTURES, shown

if TYPE_CHECKING:
    from poise.record.recording import Recording

ENDINGS = tuple(sorted(f".{found.name}" for found in iter_modules([str(Path(__file__).parent / "writers")])))


def save(recording: Recording, path: str | PathLike[str], **how: Any) -> None:
    """Write a take in the format that the ending of the path names; films and pictures as `Shot` says."""
    shot = Shot(**how)
    target = check_writable(path)
    if not len(recording):
        raise BadInput(f"nothing to write to '{target}': the take has no records")
    drawn = target.suffix.lower() in PICTURES
    recording = shown(recording) if drawn else recording
    with atomic(target) as part:
        writer(target).save(recording, part, *([shot] if drawn else []))


def check_writable(path: str | PathLike[str]) -> Path:
    """Raise BadInput unless a take could be written there: known ending, package at hand, folder writable."""
    target = Path(path)
    ending = target.suffix.lower()
    if ending not in ENDINGS:
        raise unknown("ending", ending or target.name, ENDINGS)
    check_folder(target)
    getattr(writer(target), "check", lambda: None)()
    return target


def writer(path: Path) -> Any:
    """The module that writes such a file, imported when it is first needed."""
    return import_module(f"poise.formats.writers.{path.suffix.lower()[1:]}")

"""Files: one module per format, chosen by the ending of the path; a writer leaves a whole file or none."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from poise import packages
from poise.errors import BadInput, unknown
from poise.files import atomic, check_folder
from poise.formats import csv, image, npz, video

if TYPE_CHECKING:
    from poise.record.recording import Recording

__all__ = ["CHECKS", "WRITERS", "atomic", "check_writable", "save"]


def _later(module: str) -> Callable[[Recording, Path], None]:
    """The function `save` of a module that is imported when it is first needed."""
    return lambda recording, path: import_module(f"poise.formats.{module}").save(recording, path)


# Ending -> function(recording, path) that writes the whole file; a new format is a new file and a line here.
WRITERS: dict[str, Callable[[Recording, Path], None]] = {
    ".npz": npz.save,
    ".csv": csv.save,
    ".mp4": video.save_mp4,
    ".gif": video.save_gif,
    ".png": image.save,
    ".bvh": _later("bvh_take"),
    ".glb": _later("gltf"),
    ".html": _later("html"),
    ".usda": _later("usd"),
    ".usdc": _later("usd"),
}

# Ending -> function that raises BadInput when a package which that writer needs is missing.
CHECKS: dict[str, Callable[[], object]] = {
    ".mp4": video.ffmpeg,
    ".usda": packages.usd,
    ".usdc": packages.usd,
}


def save(recording: Recording, path: str | PathLike[str]) -> None:
    """Write a take in the format that the ending of the path names."""
    target = check_writable(path)
    if not len(recording):
        raise BadInput(f"nothing to write to '{target}': the take has no records")
    with atomic(target) as part:
        WRITERS[target.suffix.lower()](recording, part)


def check_writable(path: str | PathLike[str]) -> Path:
    """Raise BadInput unless a take could be written there: known ending, package at hand, folder writable."""
    target = Path(path)
    ending = target.suffix.lower()
    if ending not in WRITERS:
        raise unknown("ending", ending or target.name, WRITERS)
    check_folder(target)
    CHECKS.get(ending, lambda: None)()
    return target

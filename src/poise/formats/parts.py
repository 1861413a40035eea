"""Takes of any length: a folder NAME.parts of takes that follow one another, each whole, readable while it grows."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from os import PathLike
from pathlib import Path

from poise.errors import BadInput
from poise.gate import openable
from poise.record.recording import Recording

ENDING = ".parts"
LOOK_S = 0.5  # between two looks for a part that is still to come


def is_parts(path: str | PathLike[str]) -> bool:
    """Whether a path names takes in parts."""
    return Path(path).suffix.lower() == ENDING


def alone(files: Sequence[Path]) -> Path | None:
    """The folder of parts among the files to write, None where there is none; it cannot have company."""
    found = next(filter(is_parts, files), None)
    if found is not None:
        if len(files) > 1:
            raise BadInput(f"'{found}' is written while the take runs: no other file can be written with it")
        check(found)
    return found


def check(folder: Path) -> None:
    """Raise BadInput unless a new folder can be made there."""
    with openable(folder, "write"):
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise BadInput(f"'{folder}' exists: remove it, or give another name")
        if not folder.parent.is_dir():
            raise BadInput(f"cannot write '{folder}': the folder '{folder.parent}' does not exist")


def save(takes: Iterable[Recording], folder: str | PathLike[str]) -> Iterator[Recording]:
    """Write each take as it comes, and hand it on."""
    folder = Path(folder)
    check(folder)
    for number, take in enumerate(takes):
        with openable(folder, "write"):
            folder.mkdir(exist_ok=True)
        take.save(_name(folder, number))
        yield take


def load(folder: str | PathLike[str], patience: float = 0.0) -> Iterator[Recording]:
    """The takes in their order, as far as they have been written; a folder without any is BadInput.

    Args:
        patience: How long a part of a take that still grows is waited for [s].
    """
    folder, number = Path(folder), 0
    if not _comes(_name(folder, 0), patience):
        raise BadInput(f"'{folder}' holds no takes in parts")
    while _comes(path := _name(folder, number), patience):
        take = Recording.load(path)
        if take.info.get("part") != number:
            raise BadInput(f"'{path}' is not part {number} of a take")
        yield take
        if take.info.get("ends"):
            return
        number += 1


def _comes(path: Path, patience: float) -> bool:
    """Whether a file is there, now or soon."""
    until = time.monotonic() + patience
    while not path.is_file():
        if time.monotonic() >= until:
            return False
        time.sleep(LOOK_S)
    return True


def _name(folder: Path, number: int) -> Path:
    return folder / f"{number:06d}.npz"

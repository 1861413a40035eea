"""Every scene, every body, every file of motion capture: it plays, or says why not; it never breaks.

A file is prepared once for each body, whatever scenes it is played in. ``POISE_EVERY=50`` plays one in 50, and
``POISE_FIRST=7`` begins with the eighth. Run by itself, this file plays all that is named and writes what broke::

    PYTHONPATH=tests python tests/scenes/test_everything.py 02_01 135_11
"""

from __future__ import annotations

import os
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import poise
from mocap import folder
from poise.capture import captured as module
from poise.capture.raw import READERS
from poise.character.morphologies import CHARACTERS
from poise.errors import BadInput
from poise.scenes import SCENES

SECONDS = 0.2
BODIES = [None, *sorted(CHARACTERS)]


def files() -> list[Path]:
    """Motion capture that can be read; none where the folder is missing."""
    return sorted(path for path in folder().rglob("*") if path.suffix.lower() in READERS)


def ends(scene: str, character: str | None, motion: Path | None) -> str:
    """Empty where a take ends with exit code 0 or 2; else what broke."""
    told: dict[str, Any] = {} if motion is None else {"motion": str(motion)}
    try:
        take = poise.simulate(poise.scene(scene, character, seconds=SECONDS, **told))
    except BadInput:
        return ""
    except Exception:
        return traceback.format_exc(limit=-3)
    return "" if take.blew_up is None else f"blew up at {take.blew_up}"


@cache
def takes_motion(scene: str) -> bool:
    """Whether a scene knows of motion files: others refuse the option by its name."""
    try:
        poise.scene(scene, motion="nothing.bvh")
    except BadInput as error:
        return "'motion' not found" not in str(error)
    return True


@contextmanager
def prepared_once() -> Iterator[None]:
    """Let scenes share the clips that are made of one file: they never change."""
    make, kept = module.captured, {}

    def captured(path: str, character: Any = None, **told: Any) -> Any:
        key = path, None if character is None else character.name, repr(sorted(told.items()))
        if key not in kept:
            try:
                kept[key] = make(path, character, **told)
            except BadInput as error:
                kept[key] = error
        if isinstance(kept[key], BadInput):
            raise kept[key]
        return kept[key]

    module.captured = captured
    try:
        yield
    finally:
        module.captured = make


def broken(motion: Path | None, say: Callable[[str], None] = lambda line: None) -> dict[str, str]:
    """What breaks with a file, or without one, by scene and body."""
    every, first = (int(os.environ.get(key, n)) for key, n in (("POISE_EVERY", 1), ("POISE_FIRST", 0)))
    scenes = [scene for scene in sorted(SCENES) if motion is None or takes_motion(scene)]
    found = {}
    with prepared_once():
        for who, scene in list(product(BODIES, scenes))[first::every]:
            begun = time.monotonic()
            if why := ends(scene, who, motion):
                found[f"{scene}, {who}, {motion}"] = why
            say(f"{time.monotonic() - begun:.2f} s {scene}, {who}, {motion}: {why or 'fine'}")
    return found


@pytest.mark.slow
@pytest.mark.parametrize("motion", [None, *files()], ids=lambda path: "alone" if path is None else path.name)
def test_it_plays_or_says_why_not(motion: Path | None):
    found = broken(motion)
    assert not found, "\n".join(f"{case}: {why}" for case, why in found.items())


if __name__ == "__main__":
    for file in [None, *files()]:
        if len(sys.argv) < 2 or (file is not None and file.stem in sys.argv[1:]):
            broken(file, lambda line: print(line, flush=True))

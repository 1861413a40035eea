"""Every scene, every body, every file of motion capture: it plays, or says why not; it never breaks.

All of it takes hours: ``POISE_EVERY=50`` plays one in 50, and ``POISE_FIRST=7`` begins with the eighth.
"""

from __future__ import annotations

import os
import traceback
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import poise
from mocap import folder
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
    told: dict[str, Any] = {} if motion is None else {"motion": motion}
    try:
        take = poise.simulate(poise.scene(scene, character, seconds=SECONDS, **told))
    except BadInput:
        return ""
    except Exception:
        return traceback.format_exc(limit=-3)
    return "" if take.blew_up is None else f"blew up at {take.blew_up}"


def takes_motion(scene: str) -> bool:
    """Whether a scene knows of motion files: others refuse the option by its name."""
    try:
        poise.scene(scene, motion="nothing.bvh")
    except BadInput as error:
        return "'motion' not found" not in str(error)
    return True


@pytest.mark.slow
@pytest.mark.parametrize("scene", sorted(SCENES))
def test_it_plays_or_says_why_not(scene: str):
    given = [None, *files()] if takes_motion(scene) else [None]
    every, first = (int(os.environ.get(key, n)) for key, n in (("POISE_EVERY", 1), ("POISE_FIRST", 0)))
    cases = list(product(BODIES, given))[first::every]
    broken = {f"{scene}, {who}, {clip}": why for who, clip in cases if (why := ends(scene, who, clip))}
    assert not broken, "\n".join(f"{case}: {why}" for case, why in broken.items())

"""Auto-rig: a body made from the skeleton of a motion capture file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

from poise.capture.autorig.mapping import body_of, capture_of, poses
from poise.capture.autorig.rig import from_capture
from poise.character.character import Character
from poise.gate import gate

__all__ = ["body_of", "capture_of", "from_capture", "from_file", "poses"]


def from_file(
    path: str | PathLike[str],
    mass: float | None = None,
    rig: str | PathLike[str] | Mapping[str, Any] | None = None,
    **importing: Any,
) -> Character:
    """A body with the skeleton of a file; see `Character.from_bvh`."""
    from poise import capture as intake

    with gate(f"'{path}' cannot be made into a body"):
        made = from_capture(intake.load(path, **importing), mass, rig, Path(path).stem)
    return replace(made, source=str(path))

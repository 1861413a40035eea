"""What was read from somebody's file: a compiled model, where the body lies in it, and what had to be decided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from poise.character.report import Guess


@dataclass
class Notes:
    """Guesses as they are made, in order."""

    guesses: list[Guess] = field(default_factory=list)

    def __call__(self, what: str, value: Any, evidence: str) -> None:
        self.guesses.append(Guess(what, value, evidence))


@dataclass(frozen=True)
class Source:
    """A file after reading."""

    path: Path  # the file
    model: mujoco.MjModel  # everything in it, compiled; meshes are simplified where they are only drawn
    root: int  # id of the body's root
    notes: Notes  # what was decided on the way
    title: str = ""  # what the file calls the model; empty where it does not
    efforts: Mapping[str, float] = field(default_factory=dict)  # of joints [N m] (URDF)
    floor_geoms: frozenset[int] = frozenset()  # that the file pairs with a floor, whatever their bits

    @property
    def bodies(self) -> np.ndarray:
        """Ids of the body's parts, root first."""
        return np.flatnonzero(self.model.body_rootid == self.root)

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
    """A file after reading.

    Attributes:
        path: The file.
        model: Everything in it, compiled; meshes are simplified where they are only drawn.
        root: Id of the body's root.
        title: What the file calls the model; empty where it does not.
        efforts: Joint name to its torque limit [N m], where the file gives one outside its actuators (URDF).
        floor_geoms: Geoms that the file itself pairs with a floor, whatever their collision bits say.
        notes: What was decided on the way.
    """

    path: Path
    model: mujoco.MjModel
    root: int
    notes: Notes
    title: str = ""
    efforts: Mapping[str, float] = field(default_factory=dict)
    floor_geoms: frozenset[int] = frozenset()

    @property
    def bodies(self) -> np.ndarray:
        """Ids of the body's parts, root first."""
        return np.flatnonzero(self.model.body_rootid == self.root)

"""What was read from somebody's file: a compiled model, where the body lies in it, and what had to be decided."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from poise.character.constants import BALL, FREE, HINGE, SLIDE
from poise.character.report import Guess
from poise.errors import BadInput


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


@contextmanager
def engine_errors(path: Path, what: str = "") -> Iterator[None]:
    """What the engine refuses about a file as BadInput that names it; its warnings are not shown."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    except ValueError as error:
        raise BadInput(f"{path}: {what}{' '.join(str(error).split())}") from None


def root_joints(source: Source) -> list[int]:
    """Joints of the root that one free joint stands for; an error where they leave it less than free."""
    model, root, name = source.model, source.root, source.model.body(source.root).name
    joints = list(range(model.body_jntadr[root], model.body_jntadr[root] + model.body_jntnum[root]))
    if model.body_jntnum[root] == 0:
        if not any(g.what == "root" for g in source.notes.guesses):
            source.notes("root", name, "fixed to the world in the file; a free joint was added")
        return []
    kinds = [int(model.jnt_type[j]) for j in joints]
    named = ", ".join(model.joint(j).name or "?" for j in joints)
    if FREE in kinds:
        return joints
    if kinds.count(SLIDE) == 3 and (kinds.count(HINGE) == 3 or kinds.count(BALL) == 1):
        source.notes("root", name, f"one free joint in the place of {named}")
        return joints
    if SLIDE in kinds:
        raise BadInput(
            f"{source.path}: the root {name!r} moves along {named} only, as in a plane; "
            "Poise balances bodies that float freely: give the root a <freejoint/>"
        )
    source.notes("root", name, "held to the world by joints that turn; a free joint was added")
    return []

"""A searchable set of single steps, in one file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path

import numpy as np

from poise.behaviours.example_steps.profile import Timing
from poise.behaviours.example_steps.step import Step, wrapped
from poise.character.character import Character
from poise.errors import BadInput
from poise.files import load_arrays, save_arrays

VERSION = 1
FEWEST = 2  # steps: from one example nothing can be chosen
TURN = 0.25  # [m/rad] how much a heading counts against a place
START = 0.3  # of the goal's part in a comparison that the place where a foot comes from has
DEFAULT = Path(__file__).parent / "steps.npz"


@dataclass(frozen=True, eq=False)
class Database:
    """Steps of one body, each with its mirror image."""

    character: Character
    steps: tuple[Step, ...]

    def __post_init__(self) -> None:
        if len(self.steps) < FEWEST:
            raise BadInput(
                f"a step database needs at least {FEWEST} steps to choose from; {len(self.steps)} found"
            )

    @cached_property
    def all(self) -> tuple[Step, ...]:
        """The steps and their mirror images."""
        return self.steps + tuple(s.mirrored(self.character) for s in self.steps)

    def nearest(self, swing: int, start: np.ndarray, goal: np.ndarray) -> Step:
        """The step of a foot whose landing, from the support foot, is nearest to ``goal``; start breaks ties."""
        same = [s for s in self.all if s.swing == swing]
        return min(same, key=lambda s: _apart(s.goal, goal) + START * _apart(s.start, start))

    def without(self, source: str) -> Database:
        """The set without the steps of one clip."""
        return Database(self.character, tuple(s for s in self.steps if not s.source.startswith(source)))

    def save(self, path: str | PathLike[str]) -> None:
        """Write everything as plain arrays."""
        times = [[s.timing.begin, s.timing.lift, s.timing.land, s.timing.end] for s in self.steps]
        save_arrays(
            path, version=VERSION, character=self.character.name, joints=np.array(self.character.joint_names),
            q=np.concatenate([s.q for s in self.steps]).astype(np.float32),
            frames=[len(s.q) for s in self.steps], swing=[s.swing for s in self.steps], times=times,
            start=[s.start for s in self.steps], goal=[s.goal for s in self.steps],
            source=np.array([s.source for s in self.steps]),
        )  # fmt: skip


def load(path: str | PathLike[str], character: Character) -> Database:
    """Read a database for a body; BadInput where it is none, or for another skeleton."""
    needed = ("version", "joints", "q", "frames", "swing", "times", "start", "goal", "source")
    held = load_arrays(path, "is no step database", *needed)
    if int(held["version"]) != VERSION:
        raise BadInput(f"{path} is a step database of version {int(held['version'])}; this reads {VERSION}")
    joints = tuple(str(j) for j in held["joints"])
    if joints != character.joint_names:
        raise BadInput(
            f"the steps of {path} are of a body {str(held['character'])!r} with {len(joints)} joints; "
            f"{character.name!r} has {len(character.joint_names)}: build them again with --character"
        )
    q = np.split(held["q"].astype(float), np.cumsum(held["frames"])[:-1])
    rows = zip(held["swing"], q, held["times"], held["start"], held["goal"], held["source"], strict=True)
    steps = tuple(
        Step(int(swing), poses, Timing(*map(float, times)), start, goal, str(source))
        for swing, poses, times, start, goal, source in rows
    )
    return Database(character, steps)


def default(character: Character) -> Database:
    """The set that ships: steps that our own adult took in physics, see ``simulated``."""
    return load(DEFAULT, character)


def build(clips: Sequence, character: Character) -> Database:
    """Steps of several (name, clip) pairs of one body, in one set."""
    from poise.behaviours.example_steps.legs import TwoLegs
    from poise.behaviours.example_steps.segment import moved, steps_in

    legs = TwoLegs(character)
    steps = tuple(s for name, clip in clips for s in steps_in(clip, name, legs) if moved(s))
    if not steps:
        raise BadInput(
            f"no steps found in {len(clips)} clips: one foot must leave the ground and come down elsewhere "
            "while the other stands"
        )
    return Database(character, steps)


def _apart(a: np.ndarray, b: np.ndarray) -> float:
    """How different two footprints are [m]."""
    return float(np.hypot(*(a[:2] - b[:2])) + TURN * abs(wrapped(a[2] - b[2])))

"""A claim of a paper, and how it is measured here."""

from __future__ import annotations

import hashlib
import inspect
import math
import os
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

import poise
from poise.errors import BadInput

QUICK, MOCAP = "POISE_QUICK", "POISE_MOCAP"  # set: fewer samples; folder of motion capture
T = TypeVar("T")
PAPERS = {
    "stand": {"idle": False},
    "platform": {"foresee": False},
    "handstand": {"idle": False},
    "handstand-steps": {"idle": False},
    "reactive-step": {"style": "plain"},
    "multi-step": {"style": "plain"},
    "walk": {"style": "plain"},
}  # as the papers had it


class Finding(NamedTuple):
    """What came out: numbers in words, a verdict (None: not measured) and its reason, if not that of the claim."""

    measured: str
    held: bool | None
    why: str = ""


class Claim(NamedTuple):
    """One claim: what the paper says, and a function that finds out."""

    id: str
    paper: str
    claim: str
    find: Callable[[], Finding]
    cost: float  # rough seconds of one core: the long ones start first
    why: str = ""  # limits of the verdict, or what it rests on

    def digest(self) -> str:
        """Hash of what is claimed, how it is measured and what is asked of it."""
        find, given = self.find, ""
        while isinstance(find, partial):
            find, given = find.func, given + repr((find.args, sorted(find.keywords.items())))
        text = "|".join([self.id, self.claim, self.why, given, "".join(inspect.getsource(find).split())])
        return hashlib.sha256(text.encode()).hexdigest()


CLAIMS: dict[str, Claim] = {}
Find = Callable[[], Finding]


def add(paper: str, name: str, text: str, find: Find, cost: float, why: str) -> None:
    """Register a claim."""
    made = Claim(f"{paper}.{name}", paper, text, find, cost, why)
    if made.id in CLAIMS:
        raise ValueError(f"claim {made.id} is registered twice")
    CLAIMS[made.id] = made


def claims_of(paper: str) -> Callable[..., Callable[[Find], Find]]:
    """The decorator of a paper's claims: the docstring is the claim, the name is its id, with dashes."""

    def claim(cost: float = 2.0, why: str = "") -> Callable[[Find], Find]:
        def register(find: Find) -> Find:
            text = " ".join((find.__doc__ or "").split())
            add(paper, find.__name__.replace("_", "-"), text, find, cost, why)
            return find

        return register

    return claim


def table(paper: str, find: Callable[..., Finding], rows: Iterable[tuple[Any, ...]], why: str = "") -> None:
    """Register claims that are measured in one way: a row is an id, a claim, its cost and the arguments of ``find``."""
    for name, text, cost, *given in rows:
        add(paper, name, text, partial(find, *given), cost, why)


@lru_cache(maxsize=32)
def take(
    scene: str,
    character: str | None = None,
    push: str | poise.Push | tuple[poise.Push, ...] | None = None,
    seconds: float | None = None,
    **options: Any,
) -> poise.Recording:
    """Simulate a scene once; claims that look at the same take share it. `a__b=1` is the option a.b."""
    told = {**PAPERS.get(scene, {}), **dotted(options)}
    return poise.simulate(poise.scene(scene, character, push, seconds, **told))


def behaviour(scene: str, **options: Any) -> Any:
    """What a scene's character wants, to be varied."""
    return poise.scene(scene, **dotted(options)).behaviour


def variant(scene: str, fields: dict[str, Any], **options: Any) -> poise.Recording:
    """Simulate a scene whose behaviour differs in fields that are not among the scene's options."""
    built = poise.scene(scene, **dotted(options))
    return poise.simulate(replace(built, behaviour=replace(cast(Any, built.behaviour), **fields)))


def dotted(options: dict[str, Any]) -> dict[str, Any]:
    """`a__b` as the option a.b."""
    return {name.replace("__", "."): value for name, value in options.items()}


def end(recording: poise.Recording) -> str:
    """How a take ended, in words."""
    return f"fell at {recording.fall_time:.1f} s" if recording.fell else "stood"


def all_stood(takes: dict[str, poise.Recording], before: str = "") -> Finding:
    """How each of some takes ended; held where none fell."""
    words = ", ".join(f"{name} {end(seen)}" for name, seen in takes.items())
    return Finding(before + words, not any(seen.fell for seen in takes.values()))


def number(recording: poise.Recording, key: str) -> float:
    """A metric as a number; nan when the scene does not report it."""
    value = recording.metrics.get(key)
    return float(value) if isinstance(value, (bool, int, float)) else math.nan


def few(many: T, some: T) -> T:
    """What is sampled: ``some`` where it must be quick."""
    return some if os.environ.get(QUICK) else many


def captured(name: str) -> str:
    """A file of motion capture, such as ``bvh/02_01.bvh``; BadInput where the folder is not there."""
    path = Path(os.environ.get(MOCAP, "")) / name
    if not os.environ.get(MOCAP) or not path.exists():
        raise BadInput(f"needs motion capture: set {MOCAP} to a folder with {name}")
    return str(path)

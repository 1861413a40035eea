"""A claim of a paper, and how it is measured here."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, cast

import poise


@dataclass(frozen=True)
class Finding:
    """What came out: numbers in words, a verdict (None: could not be measured) and the reason for it."""

    measured: str
    held: bool | None
    why: str


@dataclass(frozen=True)
class Claim:
    """One claim: what the paper says, and a function that finds out."""

    id: str
    paper: str
    claim: str
    find: Callable[[], Finding]
    cost: float  # rough seconds of one core: the long ones start first


CLAIMS: dict[str, Claim] = {}


def claim(id: str, text: str, cost: float = 2.0) -> Callable[[Callable[[], Finding]], Callable[[], Finding]]:
    """Register a function as the measurement of a claim; the paper is the part of the id before the dot."""

    def register(find: Callable[[], Finding]) -> Callable[[], Finding]:
        if id in CLAIMS:
            raise ValueError(f"claim {id} is registered twice")
        CLAIMS[id] = Claim(id, id.partition(".")[0], text, find, cost)
        return find

    return register


def take(
    scene: str,
    character: str | None = None,
    push: str | None = None,
    seconds: float | None = None,
    **options: Any,
):
    """Simulate a scene once; claims that look at the same take share it. `a__b=1` is the option a.b."""
    return _take(scene, character, push, seconds, tuple(sorted(_dotted(options).items())))


@lru_cache(maxsize=32)
def _take(
    scene: str, character: str | None, push: str | None, seconds: float | None, options: tuple
) -> poise.Recording:
    return poise.simulate(
        poise.scene(scene, character=character, push=push, seconds=seconds, **dict(options))
    )


def behaviour(scene: str, **options: Any) -> Any:
    """What a scene's character wants, to be varied."""
    return poise.scene(scene, **_dotted(options)).behaviour


def variant(scene: str, fields: dict[str, Any], **options: Any) -> poise.Recording:
    """Simulate a scene whose behaviour differs in fields that are not among the scene's options."""
    built = poise.scene(scene, **_dotted(options))
    return poise.simulate(replace(built, behaviour=replace(cast(Any, built.behaviour), **fields)))


def _dotted(options: dict[str, Any]) -> dict[str, Any]:
    return {name.replace("__", "."): value for name, value in options.items()}


def end(recording: poise.Recording) -> str:
    """How a take ended, in words."""
    return f"fell at {recording.fall_time:.1f} s" if recording.fell else "stood"


def number(recording: poise.Recording, key: str) -> float:
    """A metric as a number; nan when the scene does not report it."""
    value = recording.metrics.get(key)
    return float(value) if isinstance(value, (bool, int, float)) else math.nan

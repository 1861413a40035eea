"""Recipe of a cycle: the searches that made it, one after the other.

It is kept in the cycle's file, so that `poise design` can make the cycle again: the same engine and the same libraries
on the same kind of machine give the same numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from poise.behaviours.rolling.cycle import STYLES, Cycle, named, shipped
from poise.behaviours.rolling.design import BOTH, NEAR, STEP, Design, Judge
from poise.character import Character
from poise.errors import BadInput, unknown

GUESS = "guess"  # the hand-set poses of a style, as what a recipe begins with
STEEP = 45.0  # [deg]
Progress = Callable[[float, str], None]


@dataclass(frozen=True)
class Search:
    """One search.

    Args:
        slopes: Grounds [deg], uphill positive: the last is what the cycle is for, those before it are a ladder.
        evaluations: Candidates to try.
        seed: Of the search.
        speed, spin: To roll at [m/s], [rev/s]; any where None.
        step: First step of the search, of a channel's range.
        rollouts: Of each candidate that rolls on, with the start errors of seeds 0, 1, ...
    """

    slopes: tuple[float, ...] = (0.0,)
    evaluations: int = 1000
    seed: int = 0
    speed: float | None = None
    step: float = STEP
    rollouts: int = 1
    spin: float | None = None

    def __post_init__(self) -> None:
        if not self.slopes or not all(abs(s) < STEEP for s in self.slopes):
            raise BadInput(
                f"slope {list(self.slopes)}; give one or more of less than {STEEP:.0f}° up or down"
            )
        if self.evaluations < 1 or self.rollouts < 1:
            raise BadInput("a search needs at least one candidate and one rollout of it")

    def run(self, begin: Cycle, body: Character, progress=None, keep=None) -> Cycle:
        """The cycle that it finds from this one."""
        *ladder, slope = (math.radians(s) for s in self.slopes)
        plan = Design(
            begin, body, self.speed, slope, ladder, seeds=range(self.rollouts), step=self.step, spin=self.spin,
            judge=Judge() if self.spin is None else BOTH,
        )  # fmt: skip
        return plan.search(self.evaluations, self.seed, progress, keep)

    def written(self) -> dict[str, Any]:
        """As a plain record; what is not set is left out."""
        return {k: list(v) if isinstance(v, tuple) else v for k, v in asdict(self).items() if v is not None}

    @classmethod
    def read(cls, record: Mapping[str, Any]) -> Search:
        for key in record:
            if key not in cls.__dataclass_fields__:
                raise unknown("key of a search", key, cls.__dataclass_fields__)
        return cls(**{**record, "slopes": tuple(record.get("slopes", (0.0,)))})


@dataclass(frozen=True)
class Recipe:
    """How a cycle is made.

    Args:
        begin: Cycle to begin with, by name or file, or ``guess``.
        character: Who rolls.
        searches: One after the other.
        phase: At which takes with what is found begin [deg]; where the rollouts did if None.
    """

    style: str
    begin: str = GUESS
    character: str = "adult"
    searches: tuple[Search, ...] = ()
    phase: float | None = None

    def __post_init__(self) -> None:
        if self.style not in STYLES:
            raise unknown("style of a roll", self.style, STYLES)

    @classmethod
    def of(cls, cycle: Cycle, name: str) -> Recipe:
        """How a cycle was made; one that says nothing of it is where the recipe begins."""
        if "searches" not in cycle.made:
            return cls(cycle.style, name)
        searches = tuple(Search.read(s) for s in cycle.made["searches"])
        made = cycle.made
        return cls(cycle.style, made["from"], made["character"], searches, made.get("phase"))

    def first(self) -> Cycle:
        """The cycle that it begins with."""
        found = shipped("guesses")[self.style] if self.begin == GUESS else named(self.begin)
        if found.style != self.style:
            raise BadInput(f"cycle {self.begin!r} is a {found.style} roll, not {self.style}")
        return found

    def follow(
        self, progress: Progress | None = None, keep: Callable[[Cycle], None] | None = None, done: Cycle | None = None
    ) -> Cycle:  # fmt: skip
        """The cycle that the searches make; where ``done`` came of all but the last, only that one is run."""
        body, count = Character.named(self.character), len(self.searches)
        copies = None if keep is None else (lambda c: keep(replace(c, made={"unfinished": True})))
        cycle, begin = (self.first(), 0) if done is None else (done, count - 1)
        for i in range(begin, count):
            share = _part(progress, i - begin, count - begin)
            cycle = replace(self.searches[i].run(cycle, body, share, copies), made=self._made(i + 1))
        return cycle if self.phase is None else replace(cycle, start=self.phase)

    def _made(self, count: int) -> dict[str, Any]:
        searches = [s.written() for s in self.searches[:count]]
        made = {"character": self.character, "from": self.begin, "searches": searches}
        return made if self.phase is None else {**made, "phase": self.phase}


def _part(progress: Progress | None, i: int, count: int) -> Progress | None:
    if progress is None:
        return None
    return lambda share, text: progress((i + share) / count, f"search {i + 1} of {count}: {text}")


def slopes_of(text: str) -> tuple[float, ...]:
    """Slopes from a list as it is typed: ``-12,-6,0``."""
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError:
        raise BadInput(
            f"slope {text!r}; give degrees, or several with commas between them: -12,-6,0"
        ) from None


def again(name: str, progress: Progress | None = None, keep: Callable[[Cycle], None] | None = None) -> Cycle:
    """Make a cycle again by the recipe in its file."""
    recipe = Recipe.of(named(name), name)
    if not recipe.searches:
        raise BadInput(f"cycle {name!r} has no recipe; `made` in its file should list the searches")
    return recipe.follow(progress, keep)


def design_roll(
    style: str, character: str, start: str | None, search: Search, phase: float | None = None,
    progress: Progress | None = None, keep: Callable[[Cycle], None] | None = None,
) -> Cycle:  # fmt: skip
    """What `poise design roll` does: one search, from a guess or from a cycle, whose recipe it then adds to."""
    if start is None:
        return Recipe(style, GUESS, character, (search,), phase).follow(progress, keep)
    begin = named(start)
    if begin.style != style:
        raise BadInput(f"cycle {start!r} is a {begin.style} roll, not {style}")
    recipe = Recipe.of(begin, start)
    if recipe.character != character or recipe.phase is not None:
        recipe = Recipe(style, start, character)  # its searches alone do not lead here
    searches = (*recipe.searches, replace(search, step=NEAR))
    return replace(recipe, searches=searches, phase=phase).follow(progress, keep, begin)

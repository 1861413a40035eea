"""Ways to choose an example: learned, at random, by name, or not at all."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from poise.behaviours.anticipation import svm
from poise.behaviours.anticipation.moves import KINDS, STEP, Move, for_sight, step_away
from poise.behaviours.anticipation.threat import Sight
from poise.behaviours.anticipation.trial import still
from poise.errors import unknown

NAMED = {"-".join(kind): kind for kind in KINDS} | {"step": STEP}  # e.g. head-strong
IN_TIME = 0.9  # [s] that a ball must leave for a step out of its way: with less, hands and trunk do better
CHOICES = ("learned", "random", "none", *NAMED)


def choice(name: str, file: str = "", seed: int = 0) -> Callable[[Sight], Move | None]:
    """A way to choose, by name."""
    if name not in CHOICES:
        raise unknown("choice", name, CHOICES)
    if name == "none":
        return still
    if name == "random":
        return at_random(np.random.default_rng(seed))
    if name in NAMED:
        zone, strength = NAMED[name]
        return lambda sight: for_sight(zone, strength, sight)
    return svm.load(file) if file else svm.default()


def at_random(rng: np.random.Generator) -> Callable[[Sight], Move]:
    """Any kind of example, for the direction that the ball comes from."""
    kinds = list(KINDS)

    def choose(sight: Sight) -> Move:
        return for_sight(*kinds[int(rng.integers(len(kinds)))], sight)

    return choose


def first_away(choose: Callable[[Sight], Move | None]) -> Callable[[Sight], Move | None]:
    """Step out of the way of what leaves the time for it; what does not is met as ``choose`` says."""
    return lambda sight: step_away(sight) if sight.time >= IN_TIME else choose(sight)

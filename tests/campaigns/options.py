"""Every option of every scene, by what it declares: values at, beyond and far beyond its range, and of other kinds."""

from __future__ import annotations

import math
import random
import time
from typing import Any

import poise
from campaigns.watch import Watch
from poise.gate import shown
from poise.scenes.options import Declared, Options

ODD: tuple[Any, ...] = (
    math.nan, math.inf, -math.inf, 0, -1, 1, 1e308, -1e308, 1e-308, 10**400, -(10**5000), True, False, "", "nan",
    "a\0b", "x" * 300, "..", "/", None, [], {}, (1, 2), b"1", 1j, 0.5, 1e9, -1e9,
)  # fmt: skip
COSTLY = 0.02  # [s] of CPU time: scenes that take longer to make are tried less often,
FEWEST = 0.1  # but not more than so much less


def declared(name: str) -> dict[str, Declared]:
    """What a scene says about its options."""
    found = Options({}, None, None)
    poise.SCENES[name](found)
    found.terrain(None)
    found.plant()
    return found.declared


def values(about: Declared, rng: random.Random) -> Any:
    """A value that may or may not be allowed."""
    if rng.random() < 0.5:
        return rng.choice(ODD)
    if about.known and rng.random() < 0.8:
        return rng.choice(about.known)
    if math.isfinite(about.low):
        inside = about.low + (about.high - about.low) * rng.random()
        near = (
            about.low,
            about.high,
            math.nextafter(about.low, -math.inf),
            math.nextafter(about.high, math.inf),
        )
        return rng.choice((inside, *near, int(inside), about.default))
    return about.default


def weighed(known: dict[str, Any]) -> list[float]:
    """How often each scene is tried, by what it takes to make it."""
    cost = {}
    for name in known:
        begun = time.process_time()
        poise.scene(name)
        cost[name] = time.process_time() - begun
    return [max(COSTLY / max(cost[name], COSTLY), FEWEST) for name in known]


def campaign(watch: Watch, rng: random.Random) -> dict[str, Any]:
    """Make scenes with such values while there are some left to try."""
    known = {name: declared(name) for name in poise.SCENES}
    weights = weighed(known)
    while watch.left():
        name = rng.choices(list(known), weights)[0]
        keys = rng.sample(sorted(known[name]), k=min(len(known[name]), rng.choice((1, 1, 2))))
        given = {key: values(known[name][key], rng) for key in keys}
        said = f"{name} { {key: shown(value) for key, value in given.items()} }"
        watch.attempt(said, lambda name=name, given=given: _made(name, given), len(given))
    return watch.row("options")


def _made(name: str, given: dict[str, Any]) -> None:
    poise.scene(name, **given)

"""Every option of every scene, by what it declares: values at, beyond and far beyond its range, and of other kinds."""

from __future__ import annotations

import math
import random
import sys
import time
from collections.abc import Callable
from typing import Any

import poise
from poise.errors import BadInput
from poise.gate import shown
from poise.scenes.options import Declared, Options

ODD: tuple[Any, ...] = (
    math.nan, math.inf, -math.inf, 0, -1, 1, 1e308, -1e308, 1e-308, 10**400, -(10**5000), True, False, "", "nan",
    "a\0b", "x" * 300, "..", "/", None, [], {}, (1, 2), b"1", 1j, 0.5, 1e9, -1e9,
)  # fmt: skip
TOO_SLOW_S = 5.0  # of CPU time, for one scene
COSTLY = 0.02  # [s]: scenes that take longer to make are tried less often


class Told(dict[str, str]):
    """Findings by their kind, each told at once."""

    def __setitem__(self, kind: str, by: str) -> None:
        if kind not in self:
            print(f"found {kind} by {by}", file=sys.stderr, flush=True)
        super().__setitem__(kind, by)


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


def campaign(left: Callable[[float, int], bool], rng: random.Random) -> dict[str, Any]:
    """Make scenes with such values while there are some left to try."""
    known = {name: declared(name) for name in poise.SCENES}
    cost: dict[str, float] = {}
    for name in known:
        begun = time.perf_counter()
        poise.scene(name)
        cost[name] = time.perf_counter() - begun
    weights = [1.0 / max(cost[name], COSTLY) for name in known]
    inputs, refused, findings, slowest = 0, 0, Told(), 0.0
    start = time.monotonic()
    while left(start, inputs):
        name = rng.choices(list(known), weights)[0]
        keys = rng.sample(sorted(known[name]), k=min(len(known[name]), rng.choice((1, 1, 2))))
        given = {key: values(known[name][key], rng) for key in keys}
        begun = time.process_time()
        try:
            poise.scene(name, **given)
        except BadInput:
            refused += 1
        except Exception as error:
            findings[f"{type(error).__name__}: {str(error)[:80]}"] = (
                f"{name} { {key: shown(value) for key, value in given.items()} }"
            )
        cpu = time.process_time() - begun
        if cpu > TOO_SLOW_S:
            findings[f"slow: {cpu:.0f} s"] = f"{name} { {key: shown(value) for key, value in given.items()} }"
        inputs, slowest = inputs + len(given), max(slowest, cpu)
    return {"part": "options", "inputs": inputs, "refused": refused, "slowest_s": round(slowest, 2),
            "findings": [f"{k} by {v}" for k, v in findings.items()]}  # fmt: skip

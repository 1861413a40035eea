"""Wild takes: a random scene, body, push, ground and options within their ranges; a fall or a blow-up is a result."""

from __future__ import annotations

import math
import random
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import poise
from campaigns.options import Told, declared
from poise.compiled.function import Function
from poise.errors import BadInput

SECONDS = 0.3  # of a take
TOO_SLOW_S = 5.0  # of CPU time, of one take; compiling on the way does not count
LARGEST = 1e6  # of a position, an angle or a speed in a file that was written
ALWAYS = (
    "q",
    "v",
    "tau",
    "com",
    "com_velocity",
    "linear_momentum",
    "angular_momentum",
    "contact_force",
    "penetration",
)
WRONG = re.compile(r"\b(nan|inf)\b", re.IGNORECASE)


def wild(rng: random.Random, known: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """A scene and what is asked of it."""
    name = rng.choice(list(known))
    asked: dict[str, Any] = {"seconds": SECONDS, "seed": rng.randrange(10**6)}
    if rng.random() < 0.5:
        asked["character"] = rng.choice(list(poise.CHARACTERS))
    if rng.random() < 0.7:
        size = 10 ** rng.uniform(1, 8)
        force = ",".join(f"{size * rng.uniform(-1, 1):.6g}" for _ in range(3))
        off = ",".join(f"{rng.uniform(-1, 1) * rng.choice((0, 0.1, 10)):.3g}" for _ in range(3))
        asked["push"] = (
            f"{rng.choice(('torso', 'head', 'pelvis', 'foot_l'))}:{force}@0.05+{rng.choice((0.02, 0.1, 9))}^{off}"
        )
    plant = [key for key in known[name] if key.startswith("plant.")]
    keys = rng.sample(sorted(known[name]), k=rng.choice((0, 0, 1, 2)))
    keys += rng.sample(plant, k=rng.choice((0, 0, 1, 2)))
    for key in keys:
        about = known[name][key]
        if about.known:
            asked[key] = rng.choice(about.known)
        elif math.isfinite(about.low):
            low, high = max(about.low, -100), min(about.high, 100)
            value = rng.uniform(low, high)
            asked[key] = int(value) if isinstance(about.default, int) else value
    return name, asked


def campaign(left: Callable[[float, int], bool], rng: random.Random, folder: Path) -> dict[str, Any]:
    """Simulate while there are some left to try."""
    known = {name: declared(name) for name in poise.SCENES}
    counts = {"inputs": 0, "refused": 0, "fell": 0, "blew_up": 0}
    findings, slowest = Told(), 0.0
    start = time.monotonic()
    while left(start, counts["inputs"]):
        name, asked = wild(rng, known)
        begun = time.process_time() - Function.seconds
        try:
            take = poise.simulate(poise.scene(name, **asked))
            counts["fell"] += take.fell
            counts["blew_up"] += take.blew_up is not None
            if wrong := insane(take, folder):
                findings[f"insane: {wrong}"] = f"{name} {asked}"
        except BadInput:
            counts["refused"] += 1
        except Exception as error:
            findings[f"{type(error).__name__}: {str(error)[:60]}"] = f"{name} {asked}"
        cpu = time.process_time() - Function.seconds - begun
        if cpu > TOO_SLOW_S:
            findings[f"slow: {cpu:.0f} s"] = f"{name} {asked}"
        counts["inputs"] += 1
        slowest = max(slowest, cpu)
    return {"part": "takes", **counts, "slowest_s": round(slowest, 2),
            "findings": [f"{k} by {v}" for k, v in findings.items()]}  # fmt: skip


def insane(take: poise.Recording, folder: Path) -> str | None:
    """What is not sane in the files that are written of a take, if something is."""
    for ending in (".npz", ".csv", ".bvh"):
        take.save(folder / f"take{ending}")
    read = poise.Recording.load(folder / "take.npz")
    for name, series in read.series.items():
        nothing = np.isnan(series.values)  # there is none now, e.g. no pressure of a body in the air
        if np.isinf(series.values).any() or (name in ALWAYS and nothing.any()):
            return f"{name} is not finite"
    for name in ("q", "v", "com", "linear_momentum", "angular_momentum"):
        if name in read and not (np.abs(read[name]) < LARGEST * (1e3 if "momentum" in name else 1.0)).all():
            return f"{name} {np.abs(read[name]).max():.3g}"
    for ending in (".csv", ".bvh"):
        if found := WRONG.search((folder / f"take{ending}").read_text()):
            return f"{found[0]} in {ending}"
    return None

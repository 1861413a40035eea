"""Wild takes: a random scene, body, push, ground and options within their ranges; a fall or a blow-up is a result."""

from __future__ import annotations

import json
import math
import random
import re
from pathlib import Path
from typing import Any

import numpy as np

import poise
from campaigns.options import declared
from campaigns.watch import Watch
from gltf_file import Document
from poise.console import dumps
from poise.packed import unpacked
from poise.record.series import unsound

SECONDS = 0.3  # of a take
LARGEST = 1e6  # of a position, an angle or a speed in a file that was written
WRONG = re.compile(r"\b(nan|inf|infinity)\b", re.IGNORECASE)
GLB = 8  # one take in so many is written as .glb too, which takes as long as all else


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


def campaign(watch: Watch, rng: random.Random, folder: Path) -> dict[str, Any]:
    """Simulate while there are some left to try."""
    known = {name: declared(name) for name in poise.SCENES}
    counts = {"fell": 0, "blew_up": 0}
    while watch.left():
        name, asked = wild(rng, known)
        ended: dict[str, bool] = {}
        solid = watch.tried % GLB == 0
        watch.attempt(f"{name} {asked}", lambda: played(name, asked, folder, solid, ended))  # noqa: B023
        for key, value in ended.items():
            counts[key] += value
    return watch.row("takes", **counts)


def played(name: str, asked: dict[str, Any], folder: Path, solid: bool, ended: dict[str, bool]) -> str | None:
    """Simulate, write and look; returns what is not sane, if something is."""
    take = poise.simulate(poise.scene(name, **asked))
    ended.update(fell=take.fell, blew_up=take.blew_up is not None)
    wrong = insane(take, folder, solid)
    return f"insane: {wrong}" if wrong else None


def insane(take: poise.Recording, folder: Path, solid: bool = False) -> str | None:
    """What is not sane in the files that are written of a take, if something is; ``solid`` looks into a .glb too."""
    for ending in (".npz", ".csv", ".bvh", *([".glb"] if solid else [])):
        take.save(folder / f"take{ending}")
    read = poise.Recording.load(folder / "take.npz")
    for text in (str(unpacked(folder / "take.npz")["take"]), dumps(take.summary())):
        json.loads(text, parse_constant=_refuse)
    if wrong := unsound(read):
        return f"{wrong[0]} is not finite"
    for name in ("q", "v", "com", "linear_momentum", "angular_momentum"):
        if name in read and not (np.abs(read[name]) < LARGEST * (1e3 if "momentum" in name else 1.0)).all():
            return f"{name} {np.abs(read[name]).max():.3g}"
    for ending in (".csv", ".bvh"):
        if found := WRONG.search((folder / f"take{ending}").read_text()):
            return f"{found[0]} in {ending}"
    return "a number in .glb" if solid and not finite(Document(folder / "take.glb")) else None


def finite(file: Document) -> bool:
    """Whether all arrays of a glTF file are."""
    return all(np.isfinite(file.array(k)).all() for k in range(len(file.tree["accessors"])))


def _refuse(word: str) -> None:
    raise ValueError(f"{word} in JSON")

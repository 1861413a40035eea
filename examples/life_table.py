"""Push, trip and lay down many bodies, see who stands again, and write it into docs/life-table.md.

    python examples/life_table.py [SHARE] [ROW ...]            # JOBS=1 runs one process

SHARE of the full sizes is run (1 if not given), and only the rows named, if any; the others are kept as they are.
"""

from __future__ import annotations

import math
import os
import re
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import poise

WITHIN = 15.0  # [s] of being down
FIRST = 1.0  # [s]: the push
SPEEDS = (1.5, 4.0)  # [m/s] of impulse over mass
DOCS = Path(__file__).resolve().parents[1] / "docs" / "life-table.md"
BESIDE = Path(__file__).resolve().parents[2] / "shared" / "mocap"
MOCAP = Path(os.environ.get("POISE_MOCAP", BESIDE)) / "bvh"
HEAD = """# Falls, and who stands again

`make life-table` writes this page. Pushes of 1.5-4 m/s (impulse over mass, 0.1 s, on the torso) from all sides, drawn
from the seed. *up*: stands again within 15 s. *down*: from giving up to 0.3 s of calm standing [s]. *head*: its
downward speed when it first touches the ground [m/s]. Both as median / 90 % / largest. The second push, of 1.2 m/s,
comes 1-7 s after the first, and *down* counts from it. *people* are made from the files of a folder of captures,
*following* are such people who are pushed while they follow their clip; a clip that feet cannot follow is refused.

| what | seeds | fell | up | down | head |
|---|---|---|---|---|---|
"""


@dataclass(frozen=True)
class Row:
    """A batch: how many, from which seed on, what, and with which options."""

    name: str
    count: int
    seed: int
    kind: str = "reactive-step"
    options: dict[str, Any] = field(default_factory=dict)


ROWS = (
    Row("standing", 100, 20000),
    Row("walking", 60, 20100, "walk"),
    Row("following", 40, 20200, "react"),
    Row("lying", 60, 20300, "get-up"),
    Row("friction-0.5", 10, 20400, options={"friction": 0.5}),
    Row("friction-1", 10, 20410, options={"friction": 1.0}),
    Row("slope", 10, 20420, options={"terrain": "slope"}),
    Row("uneven", 10, 20430, options={"terrain": "uneven"}),
    Row("strength-0.7", 30, 20500, options={"strength": 0.7}),
    Row("second-push", 30, 20600, "twice"),
    Row("people", 66, 20700, "people"),
    Row("limp", 30, 20000, options={"reflex": "limp"}),
)


def push(rng: np.random.Generator, mass: float, at: float, speeds: tuple[float, float] = SPEEDS) -> str:
    angle, force = rng.uniform(0, 2 * math.pi), rng.uniform(*speeds) * mass / 0.1
    return f"torso:{force * math.cos(angle):.1f},{force * math.sin(angle):.1f},0@{at:.2f}+0.1"


def scene(row: Row, seed: int) -> poise.Scene:
    """One trial of a batch."""
    rng, kind, more = np.random.default_rng(seed), row.kind, row.options
    files = sorted(MOCAP.glob("*.bvh"))
    if kind == "get-up":
        return poise.scene("get-up", seed=seed, seconds=WITHIN + 1.0)
    if kind == "react":
        file = files[(seed - row.seed) * 7 % len(files)]
        probe = poise.scene("react", motion=file, push="torso:1,0,0@1+0.1", life=True)
        at = rng.uniform(0.2, 0.7) * (probe.seconds - 21.0) / 1.5
        return poise.scene(
            "react", motion=file, push=push(rng, probe.character.mass, at), life=True, seed=seed
        )
    who = str(files[(seed - row.seed) % len(files)]) if kind == "people" else None
    body = poise.scene("reactive-step", who).character
    pushes, end = [push(rng, body.mass, 3.0 if kind == "walk" else FIRST)], 3.0 + WITHIN
    if kind == "twice":
        pushes.append(push(rng, body.mass, FIRST + rng.uniform(1.0, 7.0), (1.2, 1.2)))
        end += 8.0
    if kind == "walk":
        more = more | {"speed": rng.uniform(0.5, 1.2)}
    name = "walk" if kind == "walk" else "reactive-step"
    return poise.scene(name, who, push=pushes, seconds=end + 2.0, seed=seed, life=True, **more)


def trial(task: tuple[Row, int]) -> dict[str, Any] | str:
    """Times and speeds of one trial, or why there is none."""
    row, seed = task
    try:
        session = poise.Session(scene(row, seed), keep=1.0)
    except poise.BadInput as error:
        return str(error)
    life: Any = session.controller.behaviour
    last = max((p.start for p in session.scene.world.pushes), default=0.0) + 0.5
    while session.time < session.scene.seconds and not session.over:
        session.step(0.1)
        if life.falls and session.time > last and (life.up_again == life.falls or row.name == "limp"):
            break
    session.step(2.0 if row.name == "limp" else 0.0)
    down = list(life.time_down)
    if life.falls > len(down):  # not up again, or not in time
        down.append(math.inf if session.time - last > WITHIN - 1.0 or row.name == "limp" else math.nan)
    if row.kind == "twice" and life.up_again == life.falls:  # counted from the second push
        down = [session.time - last + 0.5]
    return {"fell": life.falls > 0, "down": down, "head": life.bruises.speeds}


def told(row: Row, found: list[dict[str, Any] | str]) -> str:
    """One line of the table."""
    takes = [take for take in found if isinstance(take, dict) and take["fell"]]
    downs, heads = [max(take["down"]) for take in takes], [v for take in takes for v in take["head"][:1]]
    up = sum(d <= WITHIN for d in downs)
    stood = "–" if row.name == "limp" else f"{up} ({100 * up / max(len(takes), 1):.0f} %)"
    refused = sum(isinstance(take, str) for take in found)
    note = f" ({refused} refused)" if refused else ""
    seeds = f"{row.seed}-{row.seed + len(found) - 1}"
    cells = three([d for d in downs if math.isfinite(d)], 1), three(heads, 2)
    return f"| {row.name}{note} | {seeds} | {len(takes)} | {stood} | {' | '.join(cells)} |"


def three(values: list[float], digits: int) -> str:
    if not values:
        return ""
    return " / ".join(f"{v:.{digits}f}" for v in (np.median(values), np.quantile(values, 0.9), max(values)))


def main() -> None:
    words = sys.argv[1:]
    share = float(words.pop(0)) if words and re.fullmatch(r"[\d.]+", words[0]) else 1.0
    kept = dict(re.findall(r"^\| ([\w.-]+)( .*)$", DOCS.read_text(), re.M)) if DOCS.exists() else {}
    with ProcessPoolExecutor(max_workers=int(os.environ.get("JOBS", min(os.cpu_count() or 1, 4)))) as pool:
        for row in ROWS:
            if words and row.name not in words:
                continue
            tasks = [(row, row.seed + i) for i in range(max(round(share * row.count), 1))]
            line = told(row, list(pool.map(trial, tasks)))
            print(line, flush=True)
            kept[row.name] = line.removeprefix(f"| {row.name}")
            lines = [f"| {r.name}{kept[r.name]}" for r in ROWS if r.name in kept]
            DOCS.write_text(HEAD + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()

"""Push, trip and lay down many bodies, see who stands again, and write it into docs/life-table.md.

    python examples/life_table.py [SHARE] [ROW ...]            # JOBS=1 runs one process

SHARE of the full sizes is run (1 if not given), and only the rows named, if any. With KEEP=FILE every trial is noted
there as it ends, and one that is noted already is not run again: interrupted, the same command goes on.
"""

from __future__ import annotations

import json
import math
import os
import re
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

import poise
from poise.worlds.disturb import Push

WITHIN = 15.0  # [s] of being down
FIRST = 1.0  # [s]: the push
SPEEDS = (1.5, 4.0)  # [m/s] of impulse over mass
DOCS = Path(__file__).resolve().parents[1] / "docs" / "life-table.md"
BESIDE = Path(__file__).resolve().parents[2] / "shared" / "mocap"
MOCAP = Path(os.environ.get("POISE_MOCAP", BESIDE))
PUSHED = "standing", "walking", "following"  # the rows that are told together, too
HEAD = """# Falls, and who stands again

`make life-table` writes this page. Pushes of 1.5-4 m/s (impulse over mass, 0.1 s, on the torso) from all sides, drawn
from the seed. *up*: stands again within 15 s. *down*: from giving up to 0.3 s of calm standing [s]. *head*: its
downward speed when it first touches the ground, where it does [m/s]. Both as median / 90 % / largest.
The second push, of 1.2 m/s, comes 1-7 s after the first, and *down* counts from it. *people* are made from all motion
files with a skeleton, two pushes each; *following* are such people who are pushed while they follow their clip (the
next file where feet cannot follow one; not counted where a body has fallen before its push); *limp* are the pushes of
*standing* without a reflex.

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
    Row("standing", 100, 93000),
    Row("walking", 60, 93100, "walk"),
    Row("following", 50, 93200, "react"),
    Row("lying", 60, 93300, "get-up"),
    Row("friction-0.5", 10, 93400, options={"friction": 0.5}),
    Row("friction-1", 10, 93410, options={"friction": 1.0}),
    Row("slope", 10, 93420, options={"terrain": "slope"}),
    Row("uneven", 10, 93430, options={"terrain": "uneven"}),
    Row("strength-0.7", 30, 93500, options={"strength": 0.7}),
    Row("second-push", 60, 93600, "twice"),
    Row("people", 88, 93700, "people"),
    Row("limp", 100, 93000, options={"reflex": "limp"}),
)


def push(rng: np.random.Generator, mass: float, at: float, speeds: tuple[float, float] = SPEEDS) -> str:
    angle, force = rng.uniform(0, 2 * math.pi), rng.uniform(*speeds) * mass / 0.1
    return f"torso:{force * math.cos(angle):.1f},{force * math.sin(angle):.1f},0@{at:.2f}+0.1"


def scene(row: Row, seed: int) -> poise.Scene:
    """One trial of a batch."""
    rng, kind, more = np.random.default_rng(seed), row.kind, row.options
    if kind == "get-up":
        return poise.scene("get-up", seed=seed, seconds=WITHIN + 1.0)
    if kind == "react":
        return following(seed - row.seed, seed, rng)
    files = sorted(f for f in MOCAP.rglob("*") if f.suffix in (".bvh", ".amc"))
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


def following(i: int, seed: int, rng: np.random.Generator) -> poise.Scene:
    """A clip that is followed, the i-th by sevens or the next one that feet can follow, and a push in it."""
    files = sorted((MOCAP / "bvh").glob("*.bvh"))
    for k in range(len(files)):
        try:
            probe = poise.scene("react", motion=files[(7 * i + k) % len(files)], life=True, seed=seed)
        except poise.BadInput:
            continue
        at = rng.uniform(0.2, 0.7) * (probe.seconds - 21.0) / 1.5
        pushes = (Push.parse(push(rng, probe.character.mass, at)),)
        return replace(probe, world=replace(probe.world, pushes=pushes))
    raise poise.BadInput(f"none of {len(files)} files can be followed")


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
        if row.kind == "react" and life.falls and session.time <= last - 0.5:
            return "it fell before the push"
        if life.falls and session.time > last and (life.up_again == life.falls or row.name == "limp"):
            break
    session.step(2.0 if row.name == "limp" else 0.0)
    down = list(life.time_down)
    if life.falls > len(down):  # not up again, or not in time
        down.append(math.inf if session.time - last > WITHIN - 1.0 or row.name == "limp" else math.nan)
    if row.kind == "twice" and life.up_again == life.falls:  # counted from the second push
        down = [session.time - last + 0.5]
    return {"fell": life.falls > 0, "down": down, "head": life.bruises.speeds}


def told(name: str, seeds: str, found: list[dict[str, Any] | str]) -> str:
    """One line of the table."""
    takes = [take for take in found if isinstance(take, dict) and take["fell"]]
    downs, heads = [max(take["down"]) for take in takes], [v for take in takes for v in take["head"][:1]]
    up = sum(d <= WITHIN for d in downs)
    stood = "–" if name == "limp" else f"{up} ({100 * up / max(len(takes), 1):.1f} %)"
    refused = sum(isinstance(take, str) for take in found)
    note = f" ({refused} not counted)" if refused else ""
    cells = three([d for d in downs if math.isfinite(d)], 1), three(heads, 2)
    return f"| {name}{note} | {seeds} | {len(takes)} | {stood} | {' | '.join(cells)} |"


def three(values: list[float], digits: int) -> str:
    if not values:
        return ""
    return " / ".join(f"{v:.{digits}f}" for v in (np.median(values), np.quantile(values, 0.9), max(values)))


def noted(file: Path | None) -> dict[tuple[str, int], Any]:
    """What has been found before, by row and seed."""
    if file is None or not file.exists():
        return {}
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    return {(row, seed): found for row, seed, found in lines}


def run(row: Row, count: int, file: Path | None, pool: ProcessPoolExecutor) -> list[dict[str, Any] | str]:
    """The trials of a row, those that are noted from the note."""
    known, seeds = noted(file), range(row.seed, row.seed + count)
    left = [seed for seed in seeds if (row.name, seed) not in known]
    for seed, found in zip(left, pool.map(trial, [(row, seed) for seed in left])):
        known[row.name, seed] = found
        if file is not None:
            with file.open("a") as out:
                out.write(json.dumps([row.name, seed, found]) + "\n")
    return [known[row.name, seed] for seed in seeds]


def main() -> None:
    words = sys.argv[1:]
    share = float(words.pop(0)) if words and re.fullmatch(r"[\d.]+", words[0]) else 1.0
    kept = dict(re.findall(r"^\| ([\w.-]+)( .*)$", DOCS.read_text(), re.M)) if DOCS.exists() else {}
    file, together = Path(keep) if (keep := os.environ.get("KEEP")) else None, []
    with ProcessPoolExecutor(max_workers=int(os.environ.get("JOBS", min(os.cpu_count() or 1, 4)))) as pool:
        for row in (r for r in ROWS if not words or r.name in words):
            found = run(row, max(round(share * row.count), 1), file, pool)
            lines = [told(row.name, f"{row.seed}-{row.seed + len(found) - 1}", found)]
            together += found if row.name in PUSHED else []
            if row.name == PUSHED[-1]:
                lines.append(told("together", "", together))
            for line in lines:
                print(line, flush=True)
                name = re.split("[ (]+", line.removeprefix("| "))[0]
                kept[name] = line.removeprefix(f"| {name}")
            write(kept)


def write(kept: dict[str, str]) -> None:
    """The page, rows in their order."""
    order = [r.name for r in ROWS]
    order.insert(order.index(PUSHED[-1]) + 1, "together")
    DOCS.write_text(HEAD + "\n".join(f"| {name}{kept[name]}" for name in order if name in kept) + "\n")


if __name__ == "__main__":
    main()

"""How far pushed people go in every take of their push map, into docs/looks-table.md.

    python examples/looks_table.py [SEED] [STEP]               # JOBS=1 runs one process

Every replica of every push up to the limit of its direction, and of the first one beyond, is simulated and measured;
with STEP, every STEPth push of the grid.
Takes are noted in out/looks as they end: interrupted, the same command goes on.
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import poise
from poise.console import Progress
from poise.sweeps import trial
from poise.sweeps.climb import GRID_MS, survives
from poise.sweeps.ledger import Ledger
from poise.sweeps.trial import Case, PushTrial
from poise.sweeps.work import Work

SCENE, REACTIONS = "reactive-step", (0.0, 0.1)
DIRECTIONS, REPLICAS = range(0, 360, 45), 5
BAND = 0.2  # [m/s] of pushes that share a row
BOUNDS = {  # of every survived take, and how many digits are told
    "lean_peak_deg": (70.0, 0), "joint_speed_peak_rads": (25.0, 1), "hand_speed_peak_ms": (8.0, 1),
    "head_peak_g": (4.0, 1), "foot_peak_bw": (5.0, 1),
}  # fmt: skip
APART, APART_M = "feet_apart_m", 0.05  # farther from its place beside the other, a foot is apart
DOCS = Path(__file__).resolve().parents[1] / "docs" / "looks-table.md"
HEAD = """# How far pushed people go

`make looks-table` writes this page: the takes of `poise pushmap {scene} --set reaction=…`, seed {seed}: {replicas}
replicas of every push up to the limit of its direction and of the first one beyond it, on a grid of {grid:g} m/s, and
of those the ones that were survived. Largest values over a row's takes; *over*: takes beyond one of the bounds;
*apart*: takes that end, 4 s after the push, with a foot more than {apart:.0f} cm from where it stood beside the other,
and the farthest of all.
"""
COLUMNS = """
## `reaction={reaction:g}`

Held up to, 0° 45° … 315°: {limits} m/s.

| push, m/s | survived | lean, ° | joints, rad/s | hands, m/s | head, g | foot, weights | over | apart | farthest, cm |
|---|---|---|---|---|---|---|---|---|---|
| wanted | | < 70 | < 25 | < 8 | < 4 | < 5 | 0 | 0 | |
"""

Row = dict[str, Any]


def measure(task: PushTrial) -> Row:
    """One take of the map, and how it looked."""
    case = task.case
    scene = poise.scene(
        case.scene, case.character, [task.push], task.seconds, task.seed, after_fall=0.0, **task.options
    )
    take = poise.simulate(scene)
    looks = {name: take.metrics[name] for name in (*BOUNDS, APART)}
    return {**asdict(task), **trial.verdict(take, task.seconds), **looks}


def rows_of(
    reaction: float, seed: int, grid: float, work: Work, report: Callable[[str], None]
) -> dict[int, list[list[Row]]]:
    """Results by direction and level, up to the first level that was not held."""
    options: dict[str, Any] = {"reaction": reaction}
    mass = poise.scene(SCENE, **options).mass
    case = Case(SCENE, None, options, mass, seed)
    found: dict[int, list[list[Row]]] = {angle: [] for angle in DIRECTIONS}
    climbing = list(DIRECTIONS)
    while climbing:
        speeds = {angle: round(grid * (len(found[angle]) + 1), 6) for angle in climbing}
        tasks = [trial.draw(case, float(a), v, k) for a, v in speeds.items() for k in range(REPLICAS)]
        results = dict(work.each(tasks))
        for i, angle in enumerate(list(climbing)):
            found[angle].append([results[i * REPLICAS + k] for k in range(REPLICAS)])
            if not survives(found[angle][-1], REPLICAS):
                climbing.remove(angle)
        report(f"{max(speeds.values(), default=0.0):.2f} m/s, {len(climbing)} directions climb on")
    return found


def over(row: Row) -> list[str]:
    """Which of a take's bounds are passed, with their values."""
    passed = [name for name, (most, _) in BOUNDS.items() if not row[name] < most]
    return [f"{name} {row[name]:.1f}" for name in passed]


def line(name: str, rows: list[Row]) -> str:
    """One row of the table."""
    kept = [row for row in rows if row["survived"]]
    if not kept:
        return f"| {name} | 0 of {len(rows)} |{' |' * 8}"
    most = [f"{max(row[key] for row in kept):.{digits}f}" for key, (_, digits) in BOUNDS.items()]
    beyond, apart = sum(bool(over(row)) for row in kept), sum(row[APART] > APART_M for row in kept)
    far = f"{100 * max(row[APART] for row in kept):.0f}"
    return (
        f"| {name} | {len(kept)} of {len(rows)} | " + " | ".join([*most, str(beyond), str(apart), far]) + " |"
    )


def section(reaction: float, grid: float, found: dict[int, list[list[Row]]]) -> str:
    """The table of one reaction, and the takes beyond a bound one by one."""
    rows = [row for levels in found.values() for level in levels for row in level]
    limits = " ".join(f"{grid * (len(levels) - 1):.2f}" for levels in found.values())
    bands: dict[int, list[Row]] = {}
    for row in rows:
        bands.setdefault(math.ceil(row["value_ms"] / BAND - 1e-9), []).append(row)
    text = COLUMNS.format(reaction=reaction, limits=limits)
    text += "\n".join(line(f"{BAND * (b - 1):.2f}–{BAND * b:.2f}", bands[b]) for b in sorted(bands))
    text += "\n" + line("all", rows) + "\n"
    beyond = [row for row in rows if row["survived"] and over(row)]
    told = [f"- {r['direction_deg']:.0f}°, {r['value_ms']:.2f} m/s, replica {r['replica']}: {', '.join(over(r))}"
            for r in beyond]  # fmt: skip
    return text + ("\nBeyond a bound:\n\n" + "\n".join(told) + "\n" if told else "")


def main(seed: int, grid: float, folder: Path) -> None:
    text = HEAD.format(scene=SCENE, seed=seed, replicas=REPLICAS, grid=grid, apart=100 * APART_M)
    with Work(measure, Ledger(folder / "takes.jsonl"), int(os.environ.get("JOBS", "0")) or None) as work:
        for reaction in REACTIONS:
            progress = Progress(f"reaction {reaction:g}")
            found = rows_of(reaction, seed, grid, work, lambda note, p=progress: p(None, note))
            text += section(reaction, grid, found)
            progress.close()
    DOCS.write_text(text, encoding="utf-8")
    print(f"wrote {DOCS.name}")


if __name__ == "__main__":
    seed, step = (int(text) for text in [*sys.argv[1:], *("0", "1")[len(sys.argv) - 1 :]])
    main(seed, step * GRID_MS, Path("out/looks"))

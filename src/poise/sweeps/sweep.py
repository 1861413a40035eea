"""Any scene over a grid of any options: one row for each take, whatever order and wherever they were made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from poise.console import dumps
from poise.errors import BadInput, unknown
from poise.files import put
from poise.sweeps import grid as grids
from poise.sweeps import point as points
from poise.sweeps.ledger import Ledger, sign
from poise.sweeps.point import Point
from poise.sweeps.table import draw, mean, write
from poise.sweeps.work import Work

Report = Callable[[int, int], None]  # takes done, of how many


@dataclass(frozen=True)
class Sweep:
    """What was swept, and a row for each take in the order of the grid, replicas last."""

    scene: str
    grid: dict[str, list[Any]]
    replicas: int
    rows: list[dict[str, Any]]

    def mean(self, metric: str) -> list[tuple[dict[str, Any], float]]:
        """Values of the grid, and the mean of a metric over the replicas there; nan where it is not known."""
        return mean(self.rows, list(self.grid), metric)

    def summary(self, metrics: Sequence[str] = ("survived",)) -> dict[str, Any]:
        """The JSON object of `poise sweep --json`."""
        found = {name: [value for _, value in self.mean(name)] for name in metrics}
        head = {"scene": self.scene, "replicas": self.replicas, "takes": len(self.rows), "grid": self.grid}
        return {**head, "points": [at for at, _ in self.mean(metrics[0])], "means": found}


def sweep(
    scene: str,
    grid: Mapping[str, Sequence[Any]] | Sequence[str],
    replicas: int = 1,
    folder: Path | None = None,
    common: Mapping[str, Any] | None = None,
    pushes: Sequence[str] = (),
    metrics: Sequence[str] = ("survived",),
    report: Report = lambda done, all_: None,
    seed: int = 0,
    jobs: int | None = None,
    cluster: str | None = None,
) -> Sweep:
    """Simulate every point of a grid; with a folder, results are kept there and a second run goes on from them.

    Replica k has the seed ``seed + k``, and 1 mrad of noise in its first pose where there are several; with the axes
    ``push.direction`` and ``push.speed`` replicas differ as those of a push map do.

    Args:
        grid: Values by key, or texts such as ``speed=0.2:1.0:5``; keys are options of the scene, ``character``,
            ``motion``, ``seconds``, ``push.direction`` [degrees] and ``push.speed`` [m/s].
        common: What all takes share, by the same keys.
        metrics: What is drawn and averaged: names of columns.
    """
    axes = {k: list(v) for k, v in grid.items()} if isinstance(grid, Mapping) else grids.read(grid)
    if replicas < 1:
        raise BadInput(f"replicas must be at least 1; given {replicas}")
    total = grids.count(axes, replicas)
    tasks = [
        Point(scene, at, dict(common or {}), tuple(pushes), k, replicas, seed)
        for at in grids.points(axes) for k in range(replicas)
    ]  # fmt: skip
    for task in (tasks[0], tasks[-1]):
        points.check(task)
    results: list[dict[str, Any]] = [{}] * total
    ledger = Ledger(folder / "trials.jsonl" if folder else None)
    with Work(points.run, ledger, jobs, cluster) as work:
        for done, (index, result) in enumerate(work.each(tasks), 1):
            results[index] = result
            report(done, total)
    rows = [{**t.values, **{k: v for k, v in r.items() if k != "key"}} for t, r in zip(tasks, results)]
    made = Sweep(scene, axes, replicas, rows)
    known = {name for row in rows for name in row}
    for name in metrics:
        if name not in known:
            raise unknown("metric", name, sorted(known))
    if folder:
        _write(made, metrics, folder)
    return made


def _write(made: Sweep, metrics: Sequence[str], folder: Path) -> None:
    sign(folder)
    write(made.rows, list(made.grid), folder)
    put(folder / "sweep.json", dumps(made.summary(metrics), indent=2) + "\n")
    for name in metrics:
        draw(made.rows, made.grid, name, f"{made.scene}: {name}", folder / f"{name}.png")

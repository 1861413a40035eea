"""The rows of a sweep as files: a table, and a picture of one metric over the axes."""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from poise.console import dumps, plain
from poise.files import atomic
from poise.sweeps.point import DIRECTION

FIRST = ("replica", "seed", "survived", "fell", "fall_time", "blew_up", "steps", "strategy")  # after the grid

Row = dict[str, Any]


def write(rows: Sequence[Row], axes: Sequence[str], folder: Path) -> None:
    """``sweep.csv``, and ``sweep.parquet`` where pyarrow is installed; columns in one order, whoever made the rows."""
    known = {name for row in rows for name in row}
    head = [name for name in (*axes, *FIRST) if name in known]
    names = head + sorted(known - set(head))
    cells = [[_cell(row.get(name)) for name in names] for row in rows]
    with atomic(folder / "sweep.csv") as part, part.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([names, *cells])
    try:
        import pyarrow  # pyright: ignore[reportMissingImports]
        from pyarrow import parquet  # pyright: ignore[reportMissingImports]
    except ImportError:
        return
    table = pyarrow.table({n: _column([row[i] for row in cells]) for i, n in enumerate(names)})
    with atomic(folder / "sweep.parquet") as part:
        parquet.write_table(table, part)


def _cell(value: Any) -> Any:
    """A finite number, a word or nothing; a list is JSON."""
    return dumps(value) if isinstance(value, (list, dict)) else plain(value, finite=True)


def _column(values: list[Any]) -> list[Any]:
    """Values of one type: words where they are mixed."""
    kinds = {bool if isinstance(v, bool) else float if isinstance(v, (int, float)) else str
             for v in values if v is not None}  # fmt: skip
    if len(kinds) > 1:
        return [None if v is None else str(v) for v in values]
    whole = all(isinstance(v, int) for v in values if v is not None)
    return values if kinds != {float} or whole else [None if v is None else float(v) for v in values]


def mean(rows: Sequence[Row], axes: Sequence[str], metric: str) -> list[tuple[Row, float]]:
    """Places on the axes in the order of the rows, and the mean of a metric there; nan where no take has it."""
    found: dict[tuple, list[float]] = {}
    for row in rows:
        values = found.setdefault(tuple(row[a] for a in axes), [])
        if isinstance(row.get(metric), (bool, int, float)):
            values.append(float(row[metric]))
    return [
        (dict(zip(axes, at)), math.fsum(values) / len(values) if values else math.nan)
        for at, values in found.items()
    ]


def draw(rows: Sequence[Row], grid: Mapping[str, Sequence[Any]], metric: str, title: str, path: Path) -> None:
    """A wheel where one axis is a direction, a line for one axis, a heat map for two; the mean over further axes."""
    from poise.draw import heat, polar

    axes = sorted(grid, key=lambda a: (a != DIRECTION, -len(grid[a])))[:2]  # the direction, then the longest
    axes = [a for a in grid if a in axes] if DIRECTION not in axes else axes
    if len(grid) > 2:
        title += f", mean over {', '.join(a for a in grid if a not in axes)}"
    means = mean(rows, axes, metric)
    if axes[:1] == [DIRECTION]:
        curves: dict[str, dict[float, float]] = {}
        for at, value in means:
            name = f"{axes[1]} {at[axes[1]]}" if len(axes) > 1 else ""
            if math.isfinite(value):
                curves.setdefault(name, {})[float(at[DIRECTION])] = value
        polar.polar(curves, path, title=title, unit="")
    elif len(axes) == 1:
        heat.line([at[axes[0]] for at, _ in means], [v for _, v in means], path, axes[0], metric, title)
    elif axes:
        values = [[v for at, v in means if at[axes[1]] == y] for y in grid[axes[1]]]
        heat.heat(values, grid[axes[0]], grid[axes[1]], path, (axes[0], axes[1], metric), title)

"""Comma-separated text: one row a record, one column for each column of each series."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from poise.record.recording import Recording, Series


def save(recording: Recording, path: Path) -> None:
    """Write all series: digits enough to read numbers back exactly, an empty cell where there is none."""
    header = ["time[s]"]
    for name, series in recording.series.items():
        header += columns(name, series)
    table = np.hstack([recording.time[:, None], *(series.values for series in recording.series.values())])
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(["" if x != x else x for x in row] for row in table.tolist())


def columns(name: str, series: Series) -> list[str]:
    """Headings `series.column[unit]`, or `series[unit]` where there is one column only."""
    if len(series.names) == 1:
        return [f"{name}[{series.unit}]"]
    return [f"{name}.{column}[{series.unit}]" for column in series.names]

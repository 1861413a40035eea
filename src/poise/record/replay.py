"""Bit-for-bit comparison of a take with the same scene simulated again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise.record.recording import Recording

COMPARED = ("q", "v", "tau")


@dataclass(frozen=True)
class Verdict:
    """Result of `verify`: where the first difference is, if there is one."""

    equal: bool
    records: int  # number of records compared
    series: str | None = None
    column: str | None = None
    time: float | None = None  # [s]
    difference: float | None = None  # size of the first difference, in the unit of the series

    def __str__(self) -> str:
        if self.equal:
            return f"bit for bit equal: {', '.join(COMPARED)} over {self.records} records"
        if self.time is None:
            return f"different: {self.series}"
        where = f"{self.series}.{self.column} at {self.time:.3f} s"
        return f"different: first in {where}, by {self.difference:.3g}"


def verify(recording: Recording, again: Recording) -> Verdict:
    """Compare q, v and tau of two takes bit for bit and name the first difference in time."""
    n = min(len(recording), len(again))
    shapes = [name for name in COMPARED if recording[name].shape[1] != again[name].shape[1]]
    if shapes:
        return Verdict(False, n, f"{shapes[0]} has another number of columns")
    found = [_first(recording, again, name, n) for name in ("time", *COMPARED)]
    row, name, column = min(found, key=lambda place: place[0])
    if row == n:
        short = f"length, {len(recording)} and {len(again)} records"
        return Verdict(True, n) if len(recording) == len(again) else Verdict(False, n, short)
    if name == "time":
        gap = abs(float(recording.time[row] - again.time[row]))
        return Verdict(False, n, "time", "time", float(recording.time[row]), gap)
    gap = abs(float(recording[name][row, column] - again[name][row, column]))
    return Verdict(False, n, name, recording.series[name].names[column], float(recording.time[row]), gap)


def _first(a: Recording, b: Recording, name: str, n: int) -> tuple[int, str, int]:
    """Row and column of the first difference in one series; row n if there is none."""
    x, y = (r.time[:n, None] if name == "time" else r[name][:n] for r in (a, b))
    # as integers: nan equals the same nan, and -0 differs from 0
    differs = np.ascontiguousarray(x).view(np.uint64) != np.ascontiguousarray(y).view(np.uint64)
    rows = np.flatnonzero(differs.any(axis=1))
    return (int(rows[0]), name, int(np.argmax(differs[rows[0]]))) if len(rows) else (n, name, 0)

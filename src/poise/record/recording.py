"""Recording: named series with unit and frame, and Recorder, which fills one while the world steps."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike
from typing import Any, NamedTuple

import numpy as np

from poise.console import plain
from poise.errors import unknown

Metric = float | bool | str | None
SUMMARY = ("scene", "character", "seconds", "seed")  # copied from `info` into the summary


class Series(NamedTuple):
    """One quantity over time, with what is needed to read it."""

    values: np.ndarray  # (T, k) float64
    unit: str
    frame: str
    names: tuple[str, ...]  # one per column


@dataclass
class Recording:
    """Everything a simulation left behind; exporters, plots and metrics read nothing else.

    `info` is enough to build the scene again, `model_xml` enough to draw it. Arrays are read-only.
    """

    info: dict[str, Any]
    model_xml: str
    time: np.ndarray  # (T,) [s], uniform
    series: dict[str, Series]
    metrics: dict[str, Metric] = field(default_factory=dict)
    fell: bool = False
    fall_time: float | None = None
    steps: int = 0
    real_time_factor: float = math.nan
    notes: list[str] = field(default_factory=list)
    blew_up: float | None = (
        None  # when the state left all sane bounds [s]; the take ends at the last sane record
    )

    def __getitem__(self, name: str) -> np.ndarray:
        """Values of a series, shape (T, k)."""
        if name not in self.series:
            raise unknown("series", name, self.series)
        return self.series[name].values

    def __contains__(self, name: object) -> bool:
        return name in self.series

    def __len__(self) -> int:
        return len(self.time)

    @property
    def dt(self) -> float:
        """Time between two records [s]."""
        return float(self.time[1] - self.time[0]) if len(self.time) > 1 else 0.0

    def summary(self) -> dict[str, Any]:
        """The object that `poise run --json` prints: valid JSON, so a number that is not finite is null."""
        head = {key: self.info.get(key) for key in SUMMARY}
        if len(self) > 1 and self.time[-1] < (head["seconds"] or 0.0) - 2 * self.dt:  # it was over sooner
            head["seconds"] = round(float(self.time[-1]), 6)
        tail = {"fell": self.fell, "fall_time": self.fall_time, "steps": self.steps}
        if self.blew_up is not None:
            tail["blew_up"] = self.blew_up
        rest = {"real_time_factor": self.real_time_factor, "metrics": self.metrics}
        return plain(head | tail | rest, finite=True)

    def save(self, path: str | PathLike[str], **how: Any) -> None:
        """Write to a file; its ending chooses the format. Films and pictures take ``size``, ``fps``, ``camera`` and
        ``ghost`` (`poise.draw.shot.Shot`)."""
        from poise import formats

        formats.save(self, path, **how)

    def plot(self, path: str | PathLike[str]) -> None:
        """Draw the figure of this take: momenta, or plan against outcome where there was a plan."""
        from poise.draw import plan_figure, plots

        (plan_figure if "clock" in self else plots).plot(self, path)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Recording:
        """Read a take written as .npz, bit for bit."""
        from poise.formats.writers import npz

        return npz.load(path)


class Recorder:
    """Collects records in one table; the loop writes into views of its current row.

    `view(name)` is handed out once and stays valid: fill it, then `advance(t)` keeps the row. A view that is not
    written keeps its last values (at the start: nan).

    Args:
        spec: Name of each series -> (unit, frame, names of its columns).
        n: Number of records expected; the table grows if there are more.
        keep: Where given, the table does not grow beyond twice this: the oldest records are let go.
    """

    def __init__(
        self, spec: Mapping[str, tuple[str, str, tuple[str, ...]]], n: int, keep: int | None = None
    ) -> None:
        self._spec, self._keep = dict(spec), keep
        edges = np.cumsum([0, *(len(names) for _, _, names in self._spec.values())]).tolist()
        self._columns = {name: slice(a, b) for name, a, b in zip(self._spec, edges, edges[1:], strict=False)}
        self._row = np.full(edges[-1], np.nan)
        self._views = {name: self._row[columns] for name, columns in self._columns.items()}
        self._table = np.empty((max(n, 1), edges[-1]))
        self._time = np.empty(max(n, 1))
        self._n = self._known = (
            0  # rows in use, and rows that are there, some of a future that was gone back from
        )
        self._gone = 0  # rows let go

    @property
    def records(self) -> int:
        """Records made so far, those that were let go included."""
        return self._gone + self._n

    def view(self, name: str) -> np.ndarray:
        """The part of the current row that belongs to a series, to be filled in place."""
        if name not in self._views:
            raise unknown("series", name, self._views)
        return self._views[name]

    def write(self, name: str, values: Any) -> None:
        """Fill a series of the current row."""
        self.view(name)[:] = values

    def advance(self, t: float) -> None:
        """Keep the current row as the record of time t [s]."""
        n = self._n
        if n == len(self._time) and self._keep is not None and n >= 2 * self._keep:
            self.forget(self._keep)
            n = self._n
        elif n == len(self._time):
            self._time = np.concatenate([self._time, np.empty_like(self._time)])
            self._table = np.concatenate([self._table, np.empty_like(self._table)])
        again = n < self._known and self._time[n] == t and self._table[n].tobytes() == self._row.tobytes()
        self._table[n] = self._row
        self._time[n] = t
        self._n = n + 1
        self._known = self._known if again else n + 1  # another life: the old future is gone

    def forget(self, keep: int) -> None:
        """Let all but the last records go."""
        keep = min(keep, self._n)
        self._gone += self._n - keep
        self._table[:keep] = self._table[self._n - keep : self._n].copy()
        self._time[:keep] = self._time[self._n - keep : self._n].copy()
        self._n = self._known = keep

    def seek(self, t: float) -> None:
        """Go back to a time [s], or forward again to records that no other ones have replaced."""
        self._n = int(np.searchsorted(self._time[: self._known], t, side="right"))

    def finish(
        self, info: dict[str, Any], model_xml: str, last: int | None = None,
        part: tuple[float, float] | None = None, **rest: Any,
    ) -> Recording:  # fmt: skip
        """Make the Recording of the rows kept so far, the last ones or those between two times [s].

        `rest` are its other fields (metrics, fell, ...). A part has one row at least.
        """
        rows = slice(0 if last is None else max(self._n - last, 0), self._n)
        if part is not None:
            first, end = np.searchsorted(self._time[: self._n], np.add(part, (-1e-9, 1e-9)))
            first = min(int(first), self._n - 1)
            rows = slice(first, max(int(end), first + 1))
        series = {
            name: Series(_frozen(self._table[rows, self._columns[name]]), unit, frame, tuple(names))
            for name, (unit, frame, names) in self._spec.items()
        }
        return Recording(plain(info), model_xml, _frozen(self._time[rows]), series, **rest)


def _frozen(values: np.ndarray) -> np.ndarray:
    copy = values.copy()
    copy.flags.writeable = False
    return copy

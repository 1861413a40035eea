"""One page that shows a take in space and as plots, with everything in it: opens from disk, needs no server."""

from __future__ import annotations

import html
import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import poise
from poise.formats import actor as actors
from poise.formats import html_charts, pack
from poise.formats.html_scene import scene
from poise.record.pushes import end, pushes

if TYPE_CHECKING:
    from poise.record.recording import Recording

HERE = "poise.formats"
FRAMES = 6000  # a longer take is shown at a lower rate
SCRIPTS = (
    "unpack.js", "camera.js", "body.js", "skin.js", "overlay.js", "chart.js", "player.js", "take.js", "marks.js",
    "page.js",
)  # fmt: skip
UNITS = {
    "rad": "rad", "deg": "°", "m": "m", "s": "s", "n": "N", "nm": "N m", "ms": "m/s", "kgm2s": "kg m²/s", "hz": "Hz",
    "j": "J", "kg": "kg",
}  # fmt: skip
Table = tuple[str, Sequence[Sequence[Any]]]  # title, rows of (label, value, unit)


def save(recording: Recording, path: Path, tables: Iterable[Table] = ()) -> None:
    """Write the page; `tables` are shown besides the metrics."""
    path.write_text(page(recording, tables), encoding="utf-8")


def page(recording: Recording, tables: Iterable[Table] = ()) -> str:
    """The text of the page."""
    return filled(contents(recording, tables))


def filled(
    data: dict[str, Any],
    package: str = "",
    styles: Sequence[str] = (),
    scripts: Sequence[str] = ("start.js",),
) -> str:
    """The page with its data; ``styles`` and ``scripts`` of the folder ``page`` of a package come last."""
    packed = json.dumps(data, separators=(",", ":"), ensure_ascii=False, allow_nan=False).replace(
        "<", "\\u003c"
    )
    more = package or HERE
    return (
        _part("page.html")
        .replace("{{title}}", html.escape(data["title"]))
        .replace("{{style}}", "\n".join([_part("page.css"), *(_part(name, more) for name in styles)]))
        .replace("{{script}}", "\n".join([*(_part(n) for n in SCRIPTS), *(_part(n, more) for n in scripts)]))
        .replace("{{data}}", packed)
    )


def contents(recording: Recording, tables: Iterable[Table] = ()) -> dict[str, Any]:
    """Everything that the page shows, as plain values."""
    actor = actors.of_recording(recording)
    step = -(-len(actor.capture) // FRAMES)
    rows = slice(0, len(actor.capture), step)
    short = replace(
        recording, time=recording.time[rows],
        series={name: s._replace(values=s.values[rows]) for name, s in recording.series.items()},
    )  # fmt: skip
    series, charts = html_charts.charts(short)
    actor = actors.thinned(actor, FRAMES)
    return {
        "title": _title(recording),
        "facts": _facts(recording, actor.rate),
        "hz": actor.rate,
        "start": float(short.time[0]),
        "frames": len(actor.capture),
        "scene": scene(actor, recording),
        "series": {name: pack.numbers(values) for name, values in series.items()},
        "charts": charts,
        "fall": recording.fall_time,
        "events": _events(recording),
        "tables": [{"title": title, "rows": [_row(r) for r in rows]} for title, rows in
                   (("Metrics", _metrics(recording)), *tables)],
        "notes": [*recording.notes, *([f"one record in {step} is shown"] if step > 1 else [])],
    }  # fmt: skip


def _title(recording: Recording) -> str:
    names = (recording.info.get(key) for key in ("scene", "character"))
    return " · ".join(str(name) for name in names if name) or "take"


def _facts(recording: Recording, rate: float) -> list[str]:
    seconds = float(recording.time[-1] - recording.time[0])
    fell = f"fell at {recording.fall_time:.2f} s" if recording.fall_time is not None else "fell"
    facts = [f"{seconds:.2f} s at {rate:g} Hz", *([fell] if recording.fell else [])]
    if math.isfinite(recording.real_time_factor):  # of what was simulated
        facts += [] if recording.fell else ["did not fall"]
        facts.append(f"{recording.real_time_factor:.1f} × real time")
    return [
        *facts,
        f"seed {recording.info.get('seed', 0)}",
        f"Poise {recording.info.get('version', poise.__version__)}",
    ]


def _events(recording: Recording) -> list[dict[str, Any]]:
    """What was done to the body, and what came of it, in the order of time."""
    found = [
        {"time": p.start, "end": end(p), "text": f"{p.body} pushed with {np.linalg.norm(p.force):.0f} N",
         "more": f"({', '.join(f'{f:g}' for f in p.force)}) N for {p.duration:g} s"}
        for p in pushes(recording)
    ]  # fmt: skip
    if recording.fall_time is not None:
        found.append({"time": recording.fall_time, "end": None, "text": "fell", "more": ""})
    return sorted(found, key=lambda event: event["time"])


def _metrics(recording: Recording) -> list[tuple[str, Any, str]]:
    """Name, value and unit of each metric; a name ends in its unit."""
    rows = []
    for key, value in recording.metrics.items():
        *words, last = key.split("_")
        known = bool(words) and last in UNITS
        rows.append((" ".join(words if known else [*words, last]), value, UNITS[last] if known else ""))
    return rows


def _row(row: Sequence[Any]) -> list[str]:
    label, value, *unit = row
    return [str(label), _shown(value), *(str(u) for u in unit)]


def _shown(value: Any) -> str:
    """A value as people read it."""
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "–"}[value]
    if isinstance(value, (float, np.floating)):
        return f"{value:.4g}" if math.isfinite(value) else "–"
    return str(value)


def _part(name: str, package: str = HERE) -> str:
    return (files(package) / "page" / name).read_text(encoding="utf-8")

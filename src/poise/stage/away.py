"""What can be taken away from the stage: the last seconds as a file, in any of a few formats."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

import numpy as np

from poise import formats
from poise.errors import BadInput, unknown
from poise.formats import pack
from poise.formats.html_scene import aligned
from poise.formats.writers import html
from poise.record.recording import Recording
from poise.stage.act import HZ

KINDS = {  # ending -> kind of content
    ".bvh": "text/plain; charset=utf-8",
    ".glb": "model/gltf-binary",
    ".html": "text/html; charset=utf-8",
    ".npz": "application/octet-stream",
    ".csv": "text/csv; charset=utf-8",
    ".mp4": "video/mp4",
}
EVERY = 2  # of the ticks of a ghost: a page mixes the rest
SHORTEST, LONGEST = 0.1, 60.0  # [s]


class Wanted(NamedTuple):
    """An ending, and how many of the last seconds, or which part [s]."""

    ending: str
    last: float | None
    part: tuple[float, float] | None = None


def wanted(path: str) -> Wanted:
    """What ``/take.bvh?last=5`` or ``?from=2&to=4`` asks for; nothing of it is ever the name of a file."""
    parts = urlsplit(path)
    stem, dot, ending = parts.path.partition(".")
    if stem != "/take" or dot + ending not in KINDS:
        raise unknown("page", parts.path[:60], ["/", *(f"/take{e}" for e in KINDS)])
    asked = parse_qs(parts.query)
    if "from" in asked or "to" in asked:
        first, end = _seconds(asked, "from"), _seconds(asked, "to")
        _bounded("part", end - first)
        return Wanted(dot + ending, None, (first, end))
    return Wanted(dot + ending, _bounded("last", _seconds(asked, "last", "10")))


def _seconds(asked: dict[str, list[str]], name: str, default: str = "") -> float:
    try:
        return float(asked.get(name, [default])[0])
    except ValueError:
        raise BadInput(f"{name} is not a number of seconds") from None


def _bounded(name: str, seconds: float) -> float:
    if not SHORTEST <= seconds <= LONGEST:
        raise BadInput(f"{name} of {seconds:g} s; give {SHORTEST:g} to {LONGEST:g}")
    return seconds


def written(take: Recording, ending: str, ghost: Mapping[int, bytes] | None = None, joints: int = 0) -> bytes:
    """The bytes of the file. A page shows the other life too: poses by tick of 1/``HZ`` s, the joints' first."""
    if ending == ".html" and ghost:
        data = html.contents(take)
        data["scene"]["ghost"] = _past(take, ghost, joints)
        return html.filled(data).encode()
    with tempfile.TemporaryDirectory(prefix="poise-stage-") as folder:
        path = Path(folder) / f"take{ending}"
        formats.save(take, path)
        return path.read_bytes()


def _past(take: Recording, ghost: Mapping[int, bytes], joints: int) -> dict[str, Any] | None:
    """The other life while the take lasts, as a page carries it; None where it was not there then."""
    first, last = (round(float(t) * HZ) for t in take.time[[0, -1]])
    ticks = range(first, last + 1, EVERY)
    rows = np.full((len(ticks), joints, 7), np.nan)
    for k, tick in enumerate(ticks):
        if tick in ghost:
            rows[k] = np.frombuffer(ghost[tick], "<f4").reshape(-1, 7)[:joints]
    if not np.isfinite(rows).any():
        return None
    return {"hz": HZ / EVERY, "poses": [pack.numbers(aligned(rows[:, j])) for j in range(joints)]}

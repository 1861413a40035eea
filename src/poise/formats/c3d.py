"""C3D: loose markers over time, read with ezc3d (extra `c3d`). Units and axes stay as in the file."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from poise.errors import BadInput

UNITS = {"mm": 0.001, "cm": 0.01, "dm": 0.1, "m": 1.0, "in": 0.0254, "ft": 0.3048}
MAGIC = 0x50
LARGEST = 2**31  # bytes of a file; the header's counts are checked against the file itself


@dataclass(frozen=True, eq=False)
class C3d:
    """Markers of a file.

    Attributes:
        names: One per marker, unique; markers that are never seen are left out.
        points: (T, N, 3) where they are [file units], gaps filled by straight lines.
        seen: (T, N) whether they were seen.
        hz: Frames a second.
        unit: Name of the unit as the file has it.
        up: File axis that is up on a screen as the file has it ("Z"), or None.
        notes: What was odd and tolerated.
    """

    names: tuple[str, ...]
    points: np.ndarray
    seen: np.ndarray
    hz: float
    unit: str
    up: str | None
    notes: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.points)

    @property
    def metres_per_unit(self) -> float | None:
        """Size of the unit that the file names [m], or None."""
        return UNITS.get(self.unit.lower())


def read(path: str | PathLike[str]) -> C3d:
    """Read the markers of a file."""
    path = Path(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadInput(f"cannot read '{path}': {error.strerror or error}") from error
    _check(path, data)
    try:
        return _markers(_ezc3d().c3d(str(path)))
    except BadInput as error:
        raise BadInput(f"'{path}' {error}") from error
    except (RuntimeError, ValueError, KeyError, IndexError, OSError, MemoryError) as error:
        raise BadInput(f"'{path}' is damaged: {str(error).splitlines()[0][:200]}") from error


def _ezc3d() -> Any:
    try:
        import ezc3d
    except ImportError as error:
        raise BadInput("reading C3D needs the package ezc3d: pip install 'poise[c3d]'") from error
    return ezc3d


def _check(path: Path, data: bytes) -> None:
    """Refuse what ezc3d would make memory for without the file holding it."""
    if len(data) < 1024 or len(data) > LARGEST or data[1] != MAGIC:
        raise BadInput(f"'{path}' line 1: not a C3D file (its second byte is not 0x50, or it is too short)")
    order = _byte_order(path, data)
    markers, analog, first, last = struct.unpack_from(f"{order}4H", data, 2)
    scale = struct.unpack_from(f"{order}f", data, 12)[0] if order else 0.0
    frames = last - first + 1
    size = 4 if scale < 0 or order != "<" else 2
    need = max(frames, 0) * (4 * markers + analog) * size
    if frames < 1 or need > len(data) + 512:
        raise BadInput(
            f"'{path}' line 1: header says {markers} markers in {frames} frames; the file is shorter"
        )


def _byte_order(path: Path, data: bytes) -> str:
    """struct's letter for the processor that wrote the file (DEC floats share Intel's integers)."""
    start = (data[0] - 1) * 512
    if not 0 < start < len(data) - 4:
        raise BadInput(
            f"'{path}' line 1: the parameters are said to begin at byte {start}; the file is shorter"
        )
    return ">" if data[start + 3] - 83 == 3 else "<"


def _markers(file: Any) -> C3d:
    point = file["parameters"]["POINT"]
    raw = np.moveaxis(np.asarray(file["data"]["points"], float)[:3], 0, -1)  # (N, T, 3)
    raw = np.moveaxis(raw, 0, 1)
    residuals = np.asarray(file["data"]["meta_points"]["residuals"], float)[0].T
    seen = np.isfinite(raw).all(axis=-1) & ~(residuals < 0) & (raw != 0).any(axis=-1)
    names = _unique([*point["LABELS"]["value"]], raw.shape[1])
    kept = np.flatnonzero(seen.any(axis=0))
    if len(kept) == 0 or len(raw) == 0:
        raise BadInput("line 1: no marker is ever seen")
    hz = float(np.ravel(point["RATE"]["value"])[0])
    if not np.isfinite(hz) or hz <= 0:
        raise BadInput(f"line 1: a frame rate of {hz}")
    notes = []
    if len(kept) < len(names):
        notes.append(f"{len(names) - len(kept)} markers are never seen and left out")
    seen = seen[:, kept]
    if not seen.all():
        notes.append(
            f"{int((~seen).sum())} gaps ({100 * float((~seen).mean()):.1f}%) filled by straight lines"
        )
    filled = _filled(raw[:, kept], seen)
    unit = str(next(iter(point.get("UNITS", {}).get("value", [])), "")).strip()
    return C3d(tuple(names[k] for k in kept), filled, seen, hz, unit, _up(point), tuple(notes))


def _filled(points: np.ndarray, seen: np.ndarray) -> np.ndarray:
    points, times = points.copy(), np.arange(len(points))
    for n in np.flatnonzero(~seen.all(axis=0)):
        at = times[seen[:, n]]
        for k in range(3):
            points[:, n, k] = np.interp(times, at, points[at, n, k])
    return points


def _unique(labels: list[str], count: int) -> list[str]:
    names: list[str] = []
    for n in range(count):
        label = str(labels[n]).strip() if n < len(labels) else ""
        name, again = label or f"marker{n + 1}", 2
        while name in names:
            name, again = f"{label or 'marker'}_{again}", again + 1
        names.append(name)
    return names


def _up(point: Any) -> str | None:
    value = next(iter(point.get("Y_SCREEN", {}).get("value", [])), "") if "Y_SCREEN" in point else ""
    axis = str(value).strip().upper().removeprefix("+")
    return axis if axis.removeprefix("-") in ("X", "Y", "Z") else None

"""C3D: loose markers over time. Units and axes stay as in the file; analog channels are passed over.

References: The C3D File Format User Guide, Motion Lab Systems, 2021.
"""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike

import numpy as np

from poise.capture.readers.bvh_text import unique
from poise.capture.readers.c3d_bytes import Blocks, Parameters, damaged
from poise.files import contents

UNIT_NAMES = {"mm": 0.001, "cm": 0.01, "dm": 0.1, "m": 1.0, "in": 0.0254, "ft": 0.3048}
LARGEST_PLACE = 1e9  # of a coordinate
FULL = 65535  # frames; a header cannot say more


@dataclass(frozen=True, eq=False)
class C3d:
    """Markers of a file."""

    names: tuple[str, ...]  # one per marker, unique; markers that are never seen are left out
    points: np.ndarray  # (T, N, 3) where they are [file units], gaps filled by straight lines
    seen: np.ndarray  # (T, N) whether they were seen
    hz: float  # frames a second
    unit: str  # name of the unit as the file has it
    up: str | None  # file axis that is up on a screen as the file has it ("Z"), or None
    notes: tuple[str, ...]  # what was odd and tolerated

    def __len__(self) -> int:
        return len(self.points)

    @property
    def metres_per_unit(self) -> float | None:
        """Size of the unit that the file names [m], or None."""
        return UNIT_NAMES.get(self.unit.lower())


def read(path: str | PathLike[str]) -> C3d:
    """Read the markers of a file."""
    with contents(path) as data:
        return parse(data)


def parse(data: bytes) -> C3d:
    """The same from the bytes of a file."""
    blocks = Blocks(data)
    parameters = Parameters(blocks)
    raw, seen, notes = _frames(blocks)
    labels = parameters.texts("POINT", "LABELS")[: raw.shape[1]]
    labels += [""] * (raw.shape[1] - len(labels))
    names = unique([label or f"marker{n}" for n, label in enumerate(labels, 1)])
    kept = np.flatnonzero(seen.any(axis=0))
    if len(kept) == 0:
        raise damaged(blocks.start, "no marker is ever seen")
    if len(kept) < len(names):
        notes.append(f"{len(names) - len(kept)} markers are never seen and left out")
    seen = seen[:, kept]
    if not seen.all():
        share = f"{100 * float((~seen).mean()):.1f}%"
        notes.append(f"{int((~seen).sum())} gaps ({share}) filled by straight lines")
    hz = blocks.rate if blocks.rate > 0 else parameters.number("POINT", "RATE")
    if hz is None or not 1e-3 <= hz <= 1e5:
        raise damaged(20, f"a frame rate of {hz}")
    unit = next(iter(parameters.texts("POINT", "UNITS")), "")
    up = next(iter(parameters.texts("POINT", "Y_SCREEN")), "").upper().removeprefix("+")
    return C3d(
        tuple(names[k] for k in kept),
        _filled(raw[:, kept], seen),
        seen,
        float(hz),
        unit,
        up if up.removeprefix("-") in ("X", "Y", "Z") else None,
        tuple(notes),
    )


def _frames(blocks: Blocks) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """Places (T, N, 3), whether they were seen (T, N), and what was odd."""
    width = 4 * blocks.markers + blocks.analog
    said = blocks.last - blocks.first + 1
    held = (len(blocks.data) - blocks.start) // (blocks.word * width) if width else 0
    count = held if blocks.last == FULL else min(said, held)
    if blocks.markers == 0 or count < 1:
        raise damaged(2, f"{blocks.markers} markers in {said} frames, of which the file holds {held}")
    table = blocks.numbers(count * width).reshape(count, width)[:, : 4 * blocks.markers]
    table = table.reshape(count, blocks.markers, 4)
    scale = 1.0 if blocks.word == 4 else blocks.scale
    with np.errstate(invalid="ignore"):  # of damaged numbers
        places = table[..., :3].astype(float) * scale
        real = (np.abs(places) < LARGEST_PLACE).all(axis=-1) & (places != 0).any(axis=-1)
        real &= table[..., 3] >= 0
    notes = [] if count == said or blocks.last == FULL else [f"{said} frames said, {count} found"]
    return np.where(real[..., None], places, 0.0), real, notes


def _filled(points: np.ndarray, seen: np.ndarray) -> np.ndarray:
    points, times = points.copy(), np.arange(len(points))
    for n in np.flatnonzero(~seen.all(axis=0)):
        at = times[seen[:, n]]
        for k in range(3):
            points[:, n, k] = np.interp(times, at, points[at, n, k])
    return points

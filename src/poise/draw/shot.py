"""How a take is filmed: pixels, frames a second, camera, and whether the pose that was followed is shown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from poise.errors import BadInput, unknown
from poise.gate import number

if TYPE_CHECKING:
    import numpy as np

    from poise.record.recording import Recording

SMALLEST, LARGEST = 16, 8192  # edge of a picture [pixels]
FASTEST = 1000.0  # frames a second
CAMERAS = ("three-quarter", "side", "front", "follow", "close")


@dataclass(frozen=True)
class Shot:
    """What of it is None is as the kind of file likes it."""

    size: Any = None  # (width, height) [pixels], or "1920x1080"
    fps: float | None = None  # frames a second
    camera: str = "three-quarter"
    ghost: bool = False

    def __post_init__(self) -> None:
        if self.camera not in CAMERAS:
            raise unknown("camera", self.camera, CAMERAS)
        if self.fps is not None:
            number("frames a second", self.fps, 0.1, FASTEST)
        object.__setattr__(self, "size", None if self.size is None else _size(self.size))

    def frames(
        self, recording: Recording, times: Iterable[float], size: tuple[int, int]
    ) -> Iterator[np.ndarray]:
        """Pictures at these times [s], of this size where no other was asked for."""
        from poise.draw import render

        width, height = self.size or size
        return render.frames(recording, times, width, height, self.camera, self.ghost)


def _size(given: Any) -> tuple[int, int]:
    """Width and height [pixels]."""
    found = re.fullmatch(r"\s*(\d+)\s*[xX×]\s*(\d+)\s*", given) if isinstance(given, str) else None
    width, height = (
        found.groups() if found else given if len(given) == 2 and not isinstance(given, str) else (0, 0)
    )
    if not all(SMALLEST <= int(edge) <= LARGEST for edge in (width, height)):
        raise BadInput(
            f"size {given!r}: give width and height from {SMALLEST} to {LARGEST} pixels, e.g. 1920x1080"
        )
    return int(width), int(height)

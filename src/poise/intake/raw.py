"""Raw: a motion file of any format as joints in file axes and file units."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from poise.errors import BadInput, unknown
from poise.formats import bvh
from poise.geometry import quat
from poise.geometry.skeleton import forward

Progress = Callable[[float], None]


@dataclass(frozen=True, eq=False)
class Raw:
    """Joints over time, as the file has them.

    Attributes:
        path: The file.
        source: What its reader returned.
        bvh: Skeleton and channels to write a motion back to.
        rotations: (T, J, 4) each joint in its parent's frame, quaternions wxyz.
        positions: (T, J, 3) each joint in its parent's frame [file units].
        hz: Frames a second as the file says; None when it does not.
        unit: Metres per unit as the file says; None when it does not.
        markers: True for loose points: a root at the origin, and the points as its children.
    """

    path: Path
    source: Any
    bvh: bvh.Bvh
    rotations: np.ndarray
    positions: np.ndarray
    hz: float | None
    unit: float | None = None
    markers: bool = False

    def __len__(self) -> int:
        return len(self.rotations)

    @cached_property
    def world(self) -> tuple[np.ndarray, np.ndarray]:
        """Joints in file axes: positions (T, J, 3) [file units], rotations (T, J, 4)."""
        return forward(self.bvh.parents, self.positions, self.rotations)

    @cached_property
    def points(self) -> np.ndarray:
        """Joints, then end sites, in file axes (T, J + E, 3) [file units]."""
        at, turned = self.world
        joints = self.bvh.end_parents
        ends = at[:, joints] + quat.rotate(turned[:, joints], self.bvh.ends[None])
        return np.concatenate([at, ends], axis=1)

    def moved(self, rotations: np.ndarray, positions: np.ndarray) -> Raw:
        """The same file with other frames."""
        return replace(self, rotations=rotations, positions=positions)


def read(path: Path, skeleton: Path | None, progress: Progress | None) -> Raw:
    """Read a file by its ending."""
    ending = path.suffix.lower()
    if ending not in READERS:
        raise unknown("ending", ending or path.name, READERS)
    raw = READERS[ending](path, skeleton, progress)
    if len(raw) == 0:
        raise BadInput(f"'{path}' has no frames")
    return raw


def _bvh(path: Path, skeleton: Path | None, progress: Progress | None) -> Raw:
    file = bvh.read(path, progress)
    return Raw(path, file, file, *bvh.local(file), hz=1.0 / file.frame_time)


READERS: dict[str, Callable[[Path, Path | None, Progress | None], Raw]] = {".bvh": _bvh}

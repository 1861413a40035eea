"""Raw: a motion file of any format as joints in file axes and file units."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from poise.capture.readers import asf_amc, bvh, c3d
from poise.errors import BadInput, unknown
from poise.gate import MOST_DEPTH, MOST_JOINTS, MOST_NUMBERS, within
from poise.geometry import quat
from poise.geometry.skeleton import forward

Progress = Callable[[float], None]


@dataclass(frozen=True, eq=False)
class Raw:
    """Joints over time, as the file has them."""

    path: Path  # the file
    source: Any  # what its reader returned
    bvh: bvh.Bvh  # skeleton and channels to write a motion back to
    rotations: np.ndarray  # (T, J, 4) each joint in its parent's frame, quaternions wxyz
    positions: np.ndarray  # (T, J, 3) each joint in its parent's frame [file units]
    hz: float | None  # frames a second as the file says; None when it does not
    unit: float | None = None  # metres per unit as the file says; None when it does not
    up: str | None = None  # the axis that is up as the file says; None when it does not
    markers: bool = False  # true for loose points: a root at the origin, and the points as its children

    def __len__(self) -> int:
        return len(self.rotations)

    @cached_property
    def _placed(self) -> tuple[np.ndarray, np.ndarray]:
        """Joints and end sites in file axes, and rotations of the joints; positions in one array, to keep it once."""
        at, turned = forward(self.bvh.parents, self.positions, self.rotations)
        joints, count = self.bvh.end_parents, len(self.bvh.names)
        points = np.empty((len(at), count + len(joints), 3))
        points[:, :count] = at
        for k, joint in enumerate(joints):
            points[:, count + k] = at[:, joint] + quat.rotate(turned[:, joint], self.bvh.ends[k])
        return points, turned

    @property
    def world(self) -> tuple[np.ndarray, np.ndarray]:
        """Joints in file axes: positions (T, J, 3) [file units], rotations (T, J, 4)."""
        points, turned = self._placed
        return points[:, : len(self.bvh.names)], turned

    @property
    def points(self) -> np.ndarray:
        """Joints, then end sites, in file axes (T, J + E, 3) [file units]."""
        return self._placed[0]

    def moved(self, rotations: np.ndarray, positions: np.ndarray) -> Raw:
        """The same file with other frames."""
        return replace(self, rotations=rotations, positions=positions)


def read(path: Path, skeleton: Path | None, progress: Progress | None) -> Raw:
    """Read a file by its ending."""
    ending = path.suffix.lower()
    if ending not in READERS:
        raise unknown("ending", ending or path.name, READERS)
    raw = READERS[ending](path, skeleton, progress)
    within(f"'{path}'", len(raw.bvh.names), MOST_JOINTS, "joints")
    within(f"'{path}'", _depth(raw.bvh.parents.tolist()), MOST_DEPTH, "joints in one chain")
    within(f"'{path}'", len(raw) * len(raw.bvh.names), MOST_NUMBERS // 6, "joints over all frames")
    if len(raw) == 0:
        last = path.read_bytes().count(b"\n") + 1
        raise BadInput(f"'{path}' line {last}: the file ends without a frame")
    return raw


def _depth(parents: list[int]) -> int:
    """Joints from the root to the farthest tip; parents come first."""
    deep: list[int] = []
    for parent in parents:
        deep.append(1 if parent < 0 else deep[parent] + 1)
    return max(deep, default=0)


def _bvh(path: Path, skeleton: Path | None, progress: Progress | None) -> Raw:
    file = bvh.read(path, progress)
    return Raw(path, file, file, *bvh.local(file), hz=1.0 / file.frame_time)


def _amc(path: Path, skeleton: Path | None, progress: Progress | None) -> Raw:
    file = asf_amc.read(path, skeleton, progress)
    return Raw(path, file, asf_amc.template(file.asf), *asf_amc.local(file), hz=None, unit=_inches(file.asf))


def _asf(path: Path, skeleton: Path | None, progress: Progress | None) -> Raw:
    """A skeleton alone: one frame, at rest."""
    asf = asf_amc.read_asf(path)
    empty = asf_amc.template(asf)
    rotations = np.tile(quat.IDENTITY, (1, len(empty.names), 1))
    return Raw(path, asf, empty, rotations, empty.offsets[None].copy(), hz=None, unit=_inches(asf))


def _inches(asf: asf_amc.Asf) -> float | None:
    """`length` says how many units make an inch."""
    return None if asf.length is None else 0.0254 / asf.length


def _c3d(path: Path, skeleton: Path | None, progress: Progress | None) -> Raw:
    """Markers as children of a root that stays at the origin."""
    file = c3d.read(path)
    count = len(file.names)
    parents = np.array([-1, *[0] * count], np.int64)
    channels = tuple(("Xposition", "Yposition", "Zposition") for _ in range(count + 1))
    names = ("origin", *file.names)
    zeros, none = np.zeros((count + 1, 3)), np.zeros(0, np.int64)
    empty = bvh.Bvh(
        names, names, parents, zeros, zeros[:0], none, channels, 1.0 / file.hz, np.zeros((0, 3 * count + 3))
    )
    positions = np.concatenate([np.zeros((len(file), 1, 3)), file.points], axis=1)
    rotations = np.tile(quat.IDENTITY, (*positions.shape[:2], 1))
    return Raw(path, file, empty, rotations, positions, file.hz, file.metres_per_unit, file.up, True)


READERS: dict[str, Callable[[Path, Path | None, Progress | None], Raw]] = {
    ".bvh": _bvh,
    ".amc": _amc,
    ".asf": _asf,
    ".c3d": _c3d,
}

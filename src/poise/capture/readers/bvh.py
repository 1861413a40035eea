"""BVH: a skeleton and its motion as text. Units and axes stay as in the file; :mod:`poise.capture` makes sense of them.

Position channels replace the OFFSET of their joint, as Blender has it; they are not added to it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from os import PathLike

import numpy as np

from poise.capture.readers.bvh_channels import local, values_of
from poise.capture.readers.bvh_header import header
from poise.capture.readers.bvh_text import clean, frames, unique
from poise.errors import BadInput
from poise.files import atomic, contents

__all__ = ["Bvh", "local", "read", "values_of", "write"]

NUMBER = "%.10g"


@dataclass(frozen=True, eq=False)
class Bvh:
    """What a BVH file says, enough to write it again."""

    names: tuple[str, ...]  # one per joint in file order (parents first), made unique
    labels: tuple[str, ...]  # the same names as the file spells them
    parents: np.ndarray  # (J,) index of each joint's parent, -1 for the root
    offsets: np.ndarray  # (J, 3) OFFSET of each joint [file units]
    ends: np.ndarray  # (E, 3) OFFSET of each end site [file units]
    end_parents: np.ndarray  # (E,) the joint each end site belongs to
    channels: tuple[tuple[str, ...], ...]  # channel names of each joint, in file order and spelling
    frame_time: float  # seconds between frames as the header says [s]
    values: np.ndarray  # (T, C) all channels of all joints, joint by joint [file units; degrees]
    notes: tuple[str, ...] = ()  # what was odd about the file and tolerated
    encoding: str = "utf-8"  # how its names are encoded

    def __post_init__(self) -> None:
        width = sum(map(len, self.channels))
        if self.values.ndim != 2 or self.values.shape[1] != width:
            raise BadInput(f"values of shape {self.values.shape}; expected (frames, {width})")

    def __len__(self) -> int:
        return len(self.values)

    def with_values(self, values: np.ndarray, frame_time: float | None = None) -> Bvh:
        """The same skeleton and channels with other frames (T, C)."""
        return replace(self, values=values, frame_time=self.frame_time if frame_time is None else frame_time)


def read(path: str | PathLike[str], progress: Callable[[float], None] | None = None) -> Bvh:
    """Read a file; BadInput names the line and the reason where it cannot be understood.

    Args:
        path: The file.
        progress: Called now and then with the part that is done, 0 to 1.
    """
    with contents(path) as data:
        return parse(data, progress)


def parse(data: bytes, progress: Callable[[float], None] | None = None) -> Bvh:
    """The same from the bytes of a file."""
    data, encoding = clean(data)
    head = header(data, encoding)
    width = sum(map(len, head.channels))
    values, notes = frames(data, head, width, progress)
    return Bvh(
        unique(head.labels),
        tuple(head.labels),
        np.array(head.parents, np.int64),
        np.array(head.offsets, float).reshape(-1, 3),
        np.array(head.ends, float).reshape(-1, 3),
        np.array(head.end_parents, np.int64),
        tuple(head.channels),
        head.frame_time,
        values,
        (*head.notes, *notes),
        encoding,
    )


def write(bvh: Bvh, path: str | PathLike[str]) -> None:
    """Write a file that reads back the same, numbers to ten digits."""
    with atomic(path) as part, open(part, "w", encoding=bvh.encoding, newline="\n") as file:
        file.write("HIERARCHY\n")
        file.writelines(_hierarchy(bvh))
        file.write(f"MOTION\nFrames: {len(bvh)}\nFrame Time: {NUMBER % bvh.frame_time}\n")
        row = " ".join([NUMBER] * bvh.values.shape[1]) + "\n"
        file.writelines(row % tuple(values) for values in bvh.values.tolist())


def _hierarchy(bvh: Bvh) -> list[str]:
    """Lines of the header; a loop, not a recursion: a chain may be long."""
    lines: list[str] = []
    open_joints: list[int] = []
    for j, parent in enumerate(bvh.parents):
        while open_joints and open_joints[-1] != parent:
            lines += _close(bvh, open_joints.pop(), len(open_joints))
        tab = "\t" * len(open_joints)
        lines.append(f"{tab}{'JOINT' if open_joints else 'ROOT'} {bvh.labels[j]}\n{tab}{{\n")
        lines.append(f"{tab}\tOFFSET {_vector(bvh.offsets[j])}\n")
        lines.append(f"{tab}\tCHANNELS {' '.join([str(len(bvh.channels[j])), *bvh.channels[j]])}\n")
        open_joints.append(j)
    while open_joints:
        lines += _close(bvh, open_joints.pop(), len(open_joints))
    return lines


def _close(bvh: Bvh, joint: int, depth: int) -> list[str]:
    tab = "\t" * depth
    ends = bvh.ends[bvh.end_parents == joint]
    sites = [f"{tab}\tEnd Site\n{tab}\t{{\n{tab}\t\tOFFSET {_vector(end)}\n{tab}\t}}\n" for end in ends]
    return [*sites, f"{tab}}}\n"]


def _vector(vector: np.ndarray) -> str:
    return " ".join(NUMBER % x for x in vector)

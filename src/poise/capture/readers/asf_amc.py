"""Acclaim: a skeleton (.asf) and its motion (.amc). Units and axes stay as in the files.

A bone turns about its start by C M C⁻¹, C from its `axis` and M from its `dof`; its children start at its end. Turns
are about fixed axes, first token first: `dof rx ry rz` is Rz Ry Rx.

References: M. Schafer, Acclaim Skeleton File Definition V1.10, 1994.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

import numpy as np

from poise.capture.readers.asf_text import Asf, Bone, parse_asf
from poise.capture.readers.bvh import Bvh
from poise.capture.readers.bvh_text import clean, lines, number, wrong
from poise.errors import BadInput, unknown
from poise.files import contents
from poise.geometry import quat

__all__ = ["Asf", "AsfAmc", "Bone", "local", "read", "read_asf", "skeleton_beside", "template"]

FRAME_TIME = 1.0 / 120.0  # s; the format has no rate, and this is what most of its files were captured at
Progress = Callable[[float], None]


@dataclass(frozen=True, eq=False)
class AsfAmc:
    """A skeleton and its frames."""

    asf: Asf  # the skeleton
    values: np.ndarray  # (T, D) numbers of each frame, in the order of `bones`
    bones: tuple[str, ...]  # names, in the order of the frames; the root is "root"
    degrees: bool  # whether the angles of the frames are in degrees
    notes: tuple[str, ...]  # what was odd and tolerated

    def __len__(self) -> int:
        return len(self.values)


def read(
    path: str | PathLike[str],
    skeleton: str | PathLike[str] | None = None,
    progress: Progress | None = None,
) -> AsfAmc:
    """Read a motion and its skeleton: the one given, else the one beside it (`02_01.amc` goes with `02.asf`)."""
    asf = read_asf(skeleton if skeleton is not None else skeleton_beside(Path(path)))
    with contents(path) as data:
        return _frames(clean(data)[0], asf, progress)


def read_asf(path: str | PathLike[str]) -> Asf:
    """Read a skeleton."""
    with contents(path) as data:
        data, encoding = clean(data)
        return parse_asf(data.decode(encoding, errors="replace"))


def skeleton_beside(path: Path) -> Path:
    """The .asf file that belongs to a motion, by its name, or the only one in the folder."""
    found = {p.stem.lower(): p for p in sorted(path.parent.glob("*")) if p.suffix.lower() == ".asf"}
    stem = path.stem.lower()
    for name in (stem, stem.rpartition("_")[0], stem.partition("_")[0]):
        if name in found:
            return found[name]
    if len(found) == 1:
        return next(iter(found.values()))
    there = ", ".join(p.name for p in found.values()) or "none"
    raise BadInput(
        f"no skeleton for '{path}'; .asf files beside it: {there}; give one with skeleton=FILE.asf"
    )


def _frames(data: bytes, asf: Asf, progress: Progress | None) -> AsfAmc:
    """Frames: a line with the number of the frame, then a line for each bone, the same bones in each."""
    sizes = {"root": len(asf.order)} | {bone.name: len(bone.dof) for bone in asf.bones}
    values, degrees = array("d"), True
    bones: list[str] = []
    line, at, frame, count, oddly = 1, 0, 0, 0, False
    for line, after, raw in lines(data):
        words = raw.split()
        if not words or words[0].startswith(b"#"):
            continue
        name = words[0].decode("latin-1")
        if name.startswith(":"):
            degrees = name.lower() != ":radians" if name.lower() in (":radians", ":degrees") else degrees
        elif len(words) == 1 and name.isdigit():
            _whole(line, at, bones, frame, count)
            oddly |= count > 0 and int(name) != frame + 1
            frame, count, at = int(name), count + 1, 0
            if progress is not None and count % 64 == 0:
                progress(after / len(data))
        else:
            _bone(line, name, words, sizes, bones, at, count)
            values.extend([number(word, line) for word in words[1:]])
            at += 1
    _whole(line, at, bones, frame, count)
    if progress is not None:
        progress(1.0)
    notes = ["the frames are not numbered one after another"] if oddly else []
    table = np.frombuffer(values, dtype=np.float64) if values else np.zeros(0)
    table = table.reshape(count, -1) if count else np.zeros((0, 0))
    still = [bone.name for bone in asf.bones if bone.dof and bone.name not in bones]
    notes += [f"no motion for: {', '.join(still)}"] if still and count else []
    return AsfAmc(asf, table, tuple(bones), degrees, (*asf.notes, *notes))


def _bone(line: int, name: str, words: list[bytes], sizes: dict[str, int], bones: list[str], at: int,
          count: int) -> None:  # fmt: skip
    """Check one line of a frame; the first frame says which bones there are."""
    if count == 0:
        raise wrong(line, f"expected the number of a frame, found {name[:64]!r}")
    if count == 1:
        if name not in sizes:
            raise wrong(line, str(unknown("bone", name[:64], sizes)))
        if name in bones:
            raise wrong(line, f"bone '{name}' twice in one frame")
        bones.append(name)
    if at >= len(bones) or bones[at] != name:
        wanted = f"'{bones[at]}'" if at < len(bones) else "the next frame"
        raise wrong(line, f"expected {wanted} as in the first frame, found {name[:64]!r}")
    if len(words) - 1 != sizes[name]:
        raise wrong(line, f"bone '{name}' with {len(words) - 1} numbers; the skeleton asks for {sizes[name]}")


def _whole(line: int, at: int, bones: list[str], frame: int, count: int) -> None:
    if count and (at != len(bones) or not bones):
        raise wrong(line, f"frame {frame} ends after {at} bones; the first frame has {len(bones)}")


def template(asf: Asf, frame_time: float = FRAME_TIME) -> Bvh:
    """The skeleton as an empty BVH: joints at the starts of bones, ZYX angles, the root's place."""
    names = ("root", *(bone.name for bone in asf.bones))
    parents = np.array([-1, *(names.index(bone.parent) for bone in asf.bones)], np.int64)
    vectors = np.array([np.zeros(3), *(bone.vector for bone in asf.bones)])
    offsets = np.where(parents[:, None] > 0, vectors[parents], 0.0)
    tips = np.array([j for j in range(1, len(names)) if j not in parents], np.int64)
    turns = ("Zrotation", "Yrotation", "Xrotation")
    channels = (("Xposition", "Yposition", "Zposition", *turns), *([turns] * len(asf.bones)))
    values = np.zeros((0, 3 + 3 * len(names)))
    return Bvh(names, names, parents, offsets, vectors[tips], tips, channels, frame_time, values)


def local(motion: AsfAmc) -> tuple[np.ndarray, np.ndarray]:
    """Each joint of :func:`template` in its parent's frame: rotations (T, J, 4), positions (T, J, 3) [file units]."""
    asf, shape = motion.asf, (len(motion), len(motion.asf.bones) + 1)
    rotations = np.tile(quat.IDENTITY, (*shape, 1))
    positions = np.tile(template(asf).offsets, (shape[0], 1, 1))
    column, by_name = 0, {bone.name: (j, bone) for j, bone in enumerate(asf.bones, 1)}
    for name in motion.bones:
        j, bone = by_name.get(name, (0, None))
        dof = asf.order if bone is None else bone.dof
        data = motion.values[:, column : column + len(dof)]
        column += len(dof)
        turned = _turn(dof, np.radians(data) if motion.degrees else data)
        axis = asf.orientation if bone is None else bone.axis
        rotations[:, j] = quat.multiply(quat.multiply(axis, turned), quat.conjugate(axis))
        for k, token in enumerate(dof):
            if token[0] == "t":
                positions[:, j, "xyz".index(token[1])] = data[:, k] + asf.position["xyz".index(token[1])]
    return rotations, positions


def _turn(dof: tuple[str, ...], angles: np.ndarray) -> np.ndarray:
    """Rotations of the `r` tokens, about fixed axes, first token first."""
    turns = [(k, token[1]) for k, token in enumerate(dof) if token[0] == "r"][::-1]
    if not turns:
        return np.tile(quat.IDENTITY, (len(angles), 1))
    return quat.from_euler(angles[:, [k for k, _ in turns]], "".join(axis for _, axis in turns))

"""A motion file made into a character and a clip that it could dance: rigged, filtered, feet locked, balanced."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from poise import capture as intakes
from poise.capture import Intake, autorig
from poise.capture.stances import stances, whole
from poise.character.character import Character
from poise.errors import BadInput, unknown
from poise.motion.clip import Clip
from poise.motion.collide import passing, touching
from poise.motion.feet import Skate, skate
from poise.motion.filters import CUTOFF, smoothed
from poise.motion.lock import PACES, carried, locked
from poise.motion.parts import PARTS
from poise.motion.retarget import retarget

FROZEN = 3  # frames like the first one that are no captured stillness
RATE = 60.0  # [Hz] frames of the clip, enough for what is left after the filter
JUMPY = 100.0  # [rad/s] of a joint: no movement, but two poses that have little to do with each other


@dataclass(frozen=True, eq=False)
class Captured:
    """A motion file and what was made of it. Parts in each other in the clip, as hands in pockets, do not collide."""

    intake: Intake  # the file, made sense of
    character: Character  # the body of the clip: of the file's own skeleton, or another one
    clip: Clip  # its times from zero
    path: Path
    start: float  # where in the file's captured time the clip starts [s]
    speed: float  # of the clip over the captured movement
    retargeted: bool  # whether the body is another than the file's
    before: Skate  # how true the feet were to the ground, as captured ...
    after: Skate  # ... and as locked
    asked: Mapping[str, Any]  # mass and overrides that the body was made with

    def source(self) -> dict[str, Any]:
        """What is needed to find the file's skeleton again, as plain data for a recording."""
        clip = {"start": self.start, "speed": self.speed, "retargeted": self.retargeted}
        return {"file": str(self.path), "sha256": _digest(self.path), **clip, **self.asked}


def captured(
    path: str | PathLike[str],
    character: Character | None = None,
    *,
    part: str = "whole",
    start: float | None = None,
    end: float | None = None,
    beyond: float = 0.0,
    cutoff: float = CUTOFF,
    speed: float = 1.0,
    lock: bool = True,
    mass: float | None = None,
    overrides: Mapping[str, Any] | None = None,
) -> Captured:
    """Read a motion file and make a clip of it.

    Args:
        path: BVH or AMC file.
        character: Body to retarget to; None rigs the file's own skeleton.
        part: Which part to use, one of ``PARTS``; ``start`` and ``end`` win.
        start, end: Times in the captured motion, artificial first frame not counted [s].
        beyond: How much after the end is taken too, as far as there is any [s].
        cutoff: Of the low-pass filter [Hz].
        speed: Of the movement over the captured one; zero is the fastest of ``PACES`` that the feet can carry: a jumpy
            kick can be carried out on one leg at half speed.
        lock: Whether feet are locked and the motion balanced by inverse kinematics.
        mass: Of the rigged body [kg].
        overrides: For the importer, e.g. ``{"metres_per_unit": 0.01}``.
    """
    file, asked = Path(path), {"mass": mass, "overrides": dict(overrides or {})}
    intake, rigged = _rigged(str(file), _stamp(file), mass, tuple(sorted(asked["overrides"].items())))
    lost = frozen(intake) if start is None else 0.0
    end = end - lost if lost and end is not None else end
    clean = cleaned(rigged, intake, lost, cutoff)
    first, last = _part(clean, part, start, end)
    last = min(last + beyond, clean.end)
    speed, timed, made = _paced(_cut(clean, first, last, lock), speed, lock)
    retargeted = character is not None and character is not rigged
    if character is not None and retargeted:
        made = retarget(made, character, lock=lock)
        made = steady(made, file) if lock else made
    made = replace(made, character=passing(made.character, touching(made)))
    before, after = skate(timed), skate(made)
    return Captured(intake, made.character, made, file, lost + first, speed, retargeted, before, after, asked)


def cleaned(rigged: Character, intake: Intake, start: float, cutoff: float = CUTOFF) -> Clip:
    """The capture from a time on [s], filtered and sampled as it is followed; its times begin at zero."""
    clip = as_clip(rigged, intake)
    clip = clip.trim(start, clip.end) if start else clip
    return smoothed(clip, cutoff).resample(min(RATE, max(intake.true_hz, 20.0)))


def frozen(intake: Intake) -> float:
    """Until when a file repeats its first frame [s]; the jump that follows is no movement."""
    capture = intake.capture
    same = (np.abs(np.diff(capture.rotations, axis=0)).max(axis=(1, 2)) < 1e-9) & (
        np.abs(np.diff(capture.positions, axis=0)).max(axis=(1, 2)) < 1e-9
    )
    k = int(np.argmin(same)) if not same.all() else 0
    return float(capture.times[k + 1] - capture.times[0]) if k >= FROZEN else 0.0


def _cut(clip: Clip, first: float, last: float, lock: bool) -> Clip:
    """A part; feet that are to be locked do not begin or end with the last moments of a stance."""
    if (first, last) == (clip.start, clip.end):
        return clip
    cut = clip.trim(first, last)
    return replace(cut, contacts=whole(cut.contacts)) if lock else cut


def _paced(cut: Clip, speed: float, lock: bool) -> tuple[float, Clip, Clip]:
    """Speed, the clip at that speed, and the same with its feet locked; a speed of zero is looked for."""
    pace, timed, own = speed, cut, cut
    for pace in (speed,) if speed else PACES:
        if len(cut.times) > 3:
            timed = (cut if pace == 1.0 else cut.slower(1.0 / pace)).resample(RATE)
        own = locked(timed) if lock else timed
        if speed or carried(own):
            break
    return pace, timed, own


def steady(clip: Clip, file: Path) -> Clip:
    """The clip, unless legs that are too short for it jump from one pose to the next."""
    model = clip.character.model
    speeds = np.array([np.abs(clip.velocity(t + 1e-6)[6:]) for t in clip.times[:-1]])
    if speeds.max(initial=0.0) <= JUMPY:
        return clip
    frame, dof = np.unravel_index(speeds.argmax(), speeds.shape)
    joint = model.joint(int(model.dof_jntid[dof + 6])).name
    raise BadInput(
        f"'{file}' does not go on '{clip.character.name}': its feet cannot get where the clip has them, so that joint "
        f"'{joint}' would turn at {speeds.max():.0f} rad/s at {clip.times[frame]:.2f} s; the file's own body can, or "
        "another part of it (motion.start, motion.end)"
    )


def source_of(source: Mapping[str, Any]) -> tuple[Intake, Character]:
    """The file and the body that a recording's ``info["motion"]`` names; BadInput where the file is gone or changed."""
    file = Path(source["file"])
    stamp = _stamp(file)
    if _digest(file) != source["sha256"]:
        raise BadInput(f"'{file}' is not the file that this take followed: its contents have changed")
    return _rigged(str(file), stamp, source["mass"], tuple(sorted(source["overrides"].items())))


def as_clip(character: Character, intake: Intake) -> Clip:
    """The capture on the body rigged from it, every frame, with its contacts."""
    capture = intake.capture
    clip = Clip(character, capture.times - capture.times[0], autorig.poses(character, capture))
    return replace(clip, contacts=stances(clip, intake))


@lru_cache(maxsize=8)
def _rigged(path: str, stamp: tuple, mass: float | None, overrides: tuple) -> tuple[Intake, Character]:
    intake = intakes.load(path, **dict(overrides))
    return intake, autorig.from_capture(intake, mass, None, Path(path).stem)


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _stamp(file: Path) -> tuple:
    try:
        stat = file.stat()
    except OSError as error:
        raise BadInput(f"cannot read '{file}': {error.strerror or error}") from error
    return stat.st_mtime_ns, stat.st_size


def _part(clip: Clip, part: str, start: float | None, end: float | None) -> tuple[float, float]:
    if part not in PARTS:
        raise unknown("part of a clip", part, PARTS)
    if clip.seconds == 0.0:
        return clip.start, clip.end  # a pose has no parts
    first, last = (clip.start, clip.end) if start is not None or end is not None else PARTS[part](clip)
    first, last = first if start is None else start, last if end is None else end
    if not clip.start <= first < last <= clip.end + 1e-9:
        raise BadInput(
            f"the motion has {clip.start:g} to {clip.end:.3f} s; asked for {first:g} to {last:g} s"
        )
    return first, min(last, clip.end)

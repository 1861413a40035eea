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
from scipy.signal import butter, sosfiltfilt

from poise import capture as intakes
from poise.capture import Intake, autorig
from poise.character.character import Character
from poise.character.constants import GRAVITY
from poise.errors import BadInput, unknown
from poise.geometry import quat
from poise.motion import parts
from poise.motion.clip import Clip, Intervals
from poise.motion.collide import passing, touching
from poise.motion.feet import Skate, corners, skate, tracks
from poise.motion.filters import CUTOFF, smoothed
from poise.motion.lock import locked
from poise.motion.pace import PACES, carried
from poise.motion.retarget import retarget

RATE = 60.0  # [Hz] frames of the clip, enough for what is left after the filter
SHORTEST = 0.15  # [s]: shorter stances and shorter gaps between stances are taken for noise
ROLLED = 0.12  # [m] that a sole's centre goes aside at the most when a foot only rolls
LIFTED = 0.05  # [m] that its lowest corner goes up then
HELD = -0.6  # of g: a centre of mass that falls more slowly is held by something
STEEP = np.radians(60.0)  # a foot tilted by more touches the ground but does not stand on it
PARTS: dict[str, parts.Part] = {
    "whole": parts.whole, "standing": parts.standing, "in-place": parts.in_place, "kick": parts.kick,
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Captured:
    """A motion file and what was made of it.

    Attributes:
        intake: The file, made sense of.
        character: The body of the clip: of the file's own skeleton, or another one. Parts that are in each other
            somewhere in the clip, as hands in pockets are, do not collide.
        clip: The clip, its times from zero.
        path: The file.
        start: Where in the file's captured time the clip starts [s].
        speed: Of the clip over the captured movement.
        retargeted: Whether the body is another than the file's.
        asked: Mass and overrides that the body was made with.
        before, after: How true the feet were to the ground, as captured and as locked.
    """

    intake: Intake
    character: Character
    clip: Clip
    path: Path
    start: float
    speed: float
    retargeted: bool
    before: Skate
    after: Skate
    asked: Mapping[str, Any]

    def source(self) -> dict[str, Any]:
        """What is needed to find the file's skeleton again, as plain data for a recording."""
        return {
            "file": str(self.path),
            "sha256": _digest(self.path),
            "start": self.start,
            "speed": self.speed,
            "retargeted": self.retargeted,
            **self.asked,
        }


def captured(
    path: str | PathLike[str],
    character: Character | None = None,
    *,
    part: str = "whole",
    start: float | None = None,
    end: float | None = None,
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
        cutoff: Of the low-pass filter [Hz].
        speed: Of the movement over the captured one; zero is the fastest of ``PACES`` that the feet can carry: a jumpy
            kick can be carried out on one leg at half speed.
        lock: Whether feet are locked and the motion balanced by inverse kinematics.
        mass: Of the rigged body [kg].
        overrides: For the importer, e.g. ``{"metres_per_unit": 0.01}``.
    """
    file = Path(path)
    intake, rigged = _rigged(str(file), _stamp(file), mass, tuple(sorted((overrides or {}).items())))
    raw = smoothed(as_clip(rigged, intake), cutoff).resample(min(RATE, max(intake.true_hz, 20.0)))
    chosen = _part(raw, part, start, end)
    cut = raw if chosen == (raw.start, raw.end) else _whole_stances(raw.trim(*chosen))
    speed, timed, own = _paced(cut, speed, lock)
    made, body = own, rigged
    if character is not None and character is not rigged:
        made, body = retarget(own, character, lock=lock).clip, character
    body = passing(body, touching(made))
    made = replace(made, character=body)
    asked = {"mass": mass, "overrides": dict(overrides or {})}
    retargeted = character is not None and character is not rigged
    return Captured(intake, body, made, file, chosen[0], speed, retargeted, skate(timed), skate(made), asked)


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
    times = capture.times - capture.times[0]
    clip = Clip(character, times, autorig.poses(character, capture))
    where = tracks(clip)
    soles = [corners(clip, where, k) for k in range(len(character.supports))]
    up = quat.rotate(where.turn, np.array([0.0, 0.0, 1.0]))[..., 2]
    down = np.array([_on(character, s.body, intake) for s in character.supports]).T & (up > np.cos(STEEP))
    down = _held(down, soles, where.com[:, 2], capture.rate)
    contacts = {s.name: _spans(times, _rolls(down[:, k], soles[k])) for k, s in enumerate(character.supports)}
    return replace(clip, contacts=contacts)


def _held(down: np.ndarray, soles: list[np.ndarray], height: np.ndarray, rate: float) -> np.ndarray:
    """Contacts (T, S) where something must hold the body: the lowest foot stands unless the whole body is in flight.

    A foot that pivots or slides moves too fast to be told from one in the air by itself.
    """
    if len(height) < 8 or not soles:
        return down
    sections = butter(2, min(CUTOFF, 0.4 * rate), fs=rate, output="sos")
    smooth = sosfiltfilt(sections, height, padlen=min(len(height) - 1, round(rate)))
    falling = np.gradient(np.gradient(smooth, 1.0 / rate), 1.0 / rate) < HELD * GRAVITY
    low = np.array([sole[..., 2].min(axis=1) for sole in soles]).T  # (T, S)
    alone = ~down.any(axis=1) & ~falling & (low.min(axis=1) < LIFTED)
    held = down.copy()
    held[alone, low[alone].argmin(axis=1)] = True
    return held


def _rolls(down: np.ndarray, sole: np.ndarray) -> np.ndarray:
    """Stances joined where the foot only rolled onto its toe or heel in between and stayed in its place.

    Args:
        down: (T,) whether the foot stands.
        sole: (T, k, 3) its corners [m].
    """
    joined, centre, low = down.copy(), sole.mean(axis=1)[:, :2], sole[..., 2].min(axis=1)
    for a, b in parts.runs(~down):
        if a > 0 and b < len(down):
            away = np.linalg.norm(centre[a:b] - centre[a - 1], axis=1).max()
            back = np.linalg.norm(centre[b] - centre[a - 1])
            high = (low[a:b] - max(low[a - 1], low[b])).max()
            joined[a:b] = away < ROLLED and back < ROLLED / 2 and high < LIFTED
    return joined


def _whole_stances(clip: Clip) -> Clip:
    """Without the last moments of stances that a cut has left at its ends."""
    kept = {k: tuple(w for w in spans if w[1] - w[0] >= SHORTEST) for k, spans in clip.contacts.items()}
    return replace(clip, contacts=kept)


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


def _on(character: Character, body: str, intake: Intake) -> np.ndarray:
    """Whether a support stands at each frame: any labelled joint of its body is on the floor."""
    down = np.zeros(len(intake.capture), bool)
    for joint, flags in intake.contacts.items():
        if autorig.body_of(character, joint) == body:
            down |= flags
    return down


def _spans(times: np.ndarray, on: np.ndarray) -> Intervals:
    """Stances as intervals [s], without gaps and stances too short to mean anything."""
    joined: list[list[float]] = []
    for run in ([float(times[a]), float(times[b - 1])] for a, b in parts.runs(on)):
        if joined and run[0] - joined[-1][1] < SHORTEST:
            joined[-1][1] = run[1]
        else:
            joined.append(run)
    last = float(times[-1])
    return tuple((a, b) for a, b in joined if b - a >= SHORTEST or a == 0.0 or b == last)

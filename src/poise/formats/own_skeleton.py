"""A take on the skeleton of the file that it followed: the same joints, rest pose, frames and rate, as directed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from poise.formats.direction import Direction
from poise.geometry import quat
from poise.geometry.skeleton import Capture, Skeleton

if TYPE_CHECKING:
    from poise.capture import Intake
    from poise.capture.readers.bvh import Bvh
    from poise.character import Character
    from poise.record.recording import Recording


def follows_file(recording: Recording) -> bool:
    """Whether a take followed a motion file on that file's own skeleton."""
    source = recording.info.get("motion")
    return isinstance(source, dict) and not source["retargeted"]


@dataclass(frozen=True, eq=False)
class Framed:
    """A take at the frames of the file that it followed."""

    intake: Intake
    character: Character  # the body that was made of the file
    motion: Capture  # in our axes, at the frames of the file [s since its first captured one]
    taken: np.ndarray  # (T,) when that is in the take [s]

    @property
    def whole(self) -> bool:
        """Whether the file has an artificial first frame that belongs before these."""
        return self.intake.tpose_first_frame and self.motion.times[0] < 0.5 / self.intake.true_hz

    def file(self) -> Bvh:
        """In the file's own channels, units and axes; its artificial first frame, where it had one, stays in front."""
        made = self.intake.back(self.motion.rotations, self.motion.positions)
        if self.whole:
            made = made.with_values(np.concatenate([self.intake.template.values[:1], made.values]))
        return made

    def capture(self) -> Capture:
        """The same frames in the file's own place and rest pose, in metres with z up, at the rate of its header."""
        from poise.capture.rate import header
        from poise.capture.readers import bvh

        intake, b = self.intake, self.intake.template
        rotations, positions = intake.placing.file(self.motion.rotations, self.motion.positions)
        if self.whole:
            first = bvh.local(b.with_values(b.values[:1]))
            rotations, positions = (
                np.concatenate([first[0], rotations]),
                np.concatenate([first[1], positions]),
            )
        place = replace(intake.placing, turn=quat.IDENTITY, shift=np.zeros(3), extra=0 * intake.placing.extra)
        skeleton = Skeleton(
            b.names, b.parents, place.vectors(b.offsets), place.vectors(b.ends), b.end_parents
        )
        hz = intake.true_hz if intake.header_hz is None else header(intake.header_hz)
        return Capture(skeleton, np.arange(len(rotations)) / hz, *place.clean(rotations, positions))


def framed(recording: Recording) -> Framed:
    """Frame by frame at the times of the file's own frames; physics and clip are mixed as the animator asked.

    Joints without a body of their own (fingers, faces) move as in the file.
    """
    from poise.capture import autorig
    from poise.capture.captured import source_of

    source, asked = recording.info["motion"], Direction.of(recording)
    intake, character = source_of(source)
    clip, path = _as_read(intake), _path(recording, character)
    times = _frames(recording, intake, asked)
    taken = times - source["start"] / source["speed"]
    played = _clip_time(recording, taken, source, asked)
    made = autorig.capture_of(character, np.array([path.at(t) for t in taken]), played, clip=clip)
    if asked.blend or asked.window or asked.loop:
        last = min(asked.window[1] - asked.window[0], _end(recording)) if asked.window else taken[-1]
        returns = bool(asked.window or asked.loop) and not recording.fell
        made = clip.at(times if asked.window else played).mixed(made, asked.share(taken, last, returns))
    turns = quat.align(made.rotations)
    return Framed(intake, character, Capture(made.skeleton, times, turns, made.positions), taken)


def _as_read(intake: Intake) -> Capture:
    """What the file holds, jumps and all; its times begin at zero."""
    from poise.capture.readers import bvh

    capture, first = intake.capture, int(intake.tpose_first_frame)
    times = capture.times - capture.times[0]
    if len(intake.template) != len(capture) + first:  # a format without channels of its own
        return replace(capture, times=times)
    rotations, positions = (x[first:] for x in bvh.local(intake.template))
    turned, places = intake.placing.clean(rotations, positions)
    return Capture(capture.skeleton, times, turned, places)


def _path(recording: Recording, character: Character) -> Any:
    """The take as a clip."""
    from poise.motion.clip import Clip
    from poise.record.metrics import character_start

    at = character_start(recording.model_xml)
    q = recording["q"][:, at : at + recording["q_ref"].shape[1]]
    return Clip(character, recording.time, q) if len(recording) > 1 else Clip.still(character, q[0])


def _frames(recording: Recording, intake: Intake, asked: Direction) -> np.ndarray:
    """Times (T,) of the frames that are written, as far apart as the file's [s]; all of them where a window is."""
    source, hz = recording.info["motion"], intake.true_hz
    if asked.window and not recording.fell:
        return np.arange(len(intake.capture)) / hz
    start = source["start"] / source["speed"]
    begun = start + float(recording.time[0])  # a part of a take may begin later
    first = 0 if asked.window else int(np.ceil((begun - 1e-6 / source["speed"]) * hz))
    return np.arange(first, int(np.floor((start + _end(recording) + 1e-6) * hz)) + 1) / hz


def _end(recording: Recording) -> float:
    """When a take was over [s]; its last record may be before that."""
    return float(min(recording.info["seconds"], recording.time[-1] + recording.dt))


def _clip_time(
    recording: Recording, taken: np.ndarray, source: dict[str, Any], asked: Direction
) -> np.ndarray:
    """Where in the file's captured time the clip was (T,) [s]: behaviours may wait and hurry."""
    told = taken
    if "clip" in recording:
        clock = recording["clip"][:, 0]  # of the next tick
        ends = [*recording.time, recording.time[-1] + recording.dt]
        told = np.interp(taken, ends, [*(clock - clock[0]), clock[-1]])
    if asked.loop and not recording.fell and told[-1] > 0:  # to the last frame, not to one near it
        told = told * (asked.end - source["start"]) / (source["speed"] * told[-1])
    return source["start"] + source["speed"] * told

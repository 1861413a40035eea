"""BVH of a take on the skeleton of the file it followed: the same hierarchy, names, channels, units, axes and rate."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from poise.capture.readers import bvh

if TYPE_CHECKING:
    from poise.record.recording import Recording


def follows_file(recording: Recording) -> bool:
    """Whether a take followed a motion file on that file's own skeleton."""
    source = recording.info.get("motion")
    return isinstance(source, dict) and not source["retargeted"]


def of_recording(recording: Recording) -> bvh.Bvh:
    """The take in the channels of the file that it followed, so that it drops onto the rig that the file drives.

    Frame by frame at the times of the file's own frames; its artificial first frame, where it had one, stays in
    front, so that frame numbers agree. Joints without a body of their own (fingers) move as in the file.
    """
    from poise.capture import autorig
    from poise.capture.captured import source_of
    from poise.motion.clip import Clip
    from poise.record.metrics import character_start

    source = recording.info["motion"]
    (intake, character), start = source_of(source), source["start"]
    at = character_start(recording.model_xml)
    q = recording["q"][:, at : at + recording["q_ref"].shape[1]]
    path = Clip(character, recording.time, q) if len(recording) > 1 else Clip.still(character, q[0])
    speed = source["speed"]
    first = int(np.ceil((start - 1e-6) * intake.true_hz / speed))  # of frames as far apart as the file's
    # the last record may be before the end
    end = min(recording.info["seconds"], recording.time[-1] + recording.dt)
    last = int(np.floor((start / speed + end + 1e-6) * intake.true_hz))
    times = np.arange(first, last + 1) / intake.true_hz
    poses = np.array([path.at(t - start / speed) for t in times])
    made = autorig.capture_of(character, poses, times * speed + intake.capture.times[0], clip=intake.capture)
    file = intake.back(made.rotations, made.positions)
    if intake.tpose_first_frame and first == 0:
        file = file.with_values(np.concatenate([intake.template.values[:1], file.values]))
    return file

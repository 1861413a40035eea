"""What films and pictures show of a take that was directed: the clip, the physics in its window, and the clip again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from poise.formats.direction import Direction
from poise.formats.own_skeleton import follows_file, framed

if TYPE_CHECKING:
    from poise.record.recording import Recording

PICTURES = (".mp4", ".gif", ".png")


def shown(recording: Recording) -> Recording:
    """The take as it is written to motion files, with its poses alone; itself where nothing was directed."""
    asked = Direction.of(recording)
    if not (asked.window or asked.loop) or not follows_file(recording):
        return recording
    from poise.capture import autorig
    from poise.record.metrics import character_start
    from poise.record.pushes import pushes

    own, series = framed(recording), recording.series["q"]
    q = np.stack([np.interp(own.taken, recording.time, x) for x in series.values.T], axis=1)
    at, width = character_start(recording.model_xml), recording["q_ref"].shape[1]
    q[:, at : at + width] = autorig.poses(own.character, own.motion)
    first = asked.window[0] if asked.window else 0.0
    told = [str(replace(push, start=push.start + first)) for push in pushes(recording)]
    info = {**recording.info, "pushes": told}
    return replace(recording, info=info, time=own.motion.times, series={"q": series._replace(values=q)})

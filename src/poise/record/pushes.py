"""The pushes of a take, read back from its `info`, for pictures and plots."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from poise.record.recording import Recording

_PUSH = re.compile(r"^(?P<body>[^:]+):(?P<force>[^@]+)@(?P<start>[^+]+)\+(?P<duration>.+)$")


class Shown(NamedTuple):
    """A push as it is drawn."""

    body: str
    force: np.ndarray  # (3,) [N], world
    start: float  # [s]
    end: float  # [s]


def pushes(recording: Recording) -> list[Shown]:
    """Pushes in the order given; text that is not a push `body:fx,fy,fz@start+duration` is left out."""
    found = []
    for text in recording.info.get("pushes") or []:
        match = _PUSH.match(str(text))
        if not match:
            continue
        force = np.array([float(x) for x in match["force"].split(",")])
        start = float(match["start"])
        found.append(Shown(match["body"], force, start, start + float(match["duration"])))
    return found

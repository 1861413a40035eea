"""What no pair of feet could follow: a clip that is upside down, or carried by something that is not in it."""

from __future__ import annotations

import numpy as np

from poise.character.constants import GRAVITY
from poise.geometry import quat
from poise.motion.clip import Clip
from poise.motion.parts import runs
from poise.motion.score.prints import Print
from poise.motion.score.samples import DT, Samples

LEANS = -0.2  # cosine between the root and upright, as at rest: beyond it is upside down
LONG = 0.25  # [s] that it takes to matter
LOADED = 0.6  # of the weight: with more, something carries the body


def why_not(clip: Clip, samples: Samples, prints: tuple[list[Print], ...]) -> str | None:
    """Why a clip cannot be followed on its feet, with the times; None where nothing speaks against it."""
    turn = quat.multiply(clip.q[:, 3:7], quat.conjugate(np.asarray(clip.character.q_rest[3:7])))
    up = np.interp(samples.times, clip.times, quat.rotate(turn, np.array([0.0, 0.0, 1.0]))[:, 2])
    down = np.zeros(len(samples.times), bool)
    for p in (p for own in prints for p in own):
        down[p.first : p.last + 1] = True
    carried = ~down & (samples.f[:, 2] > LOADED * clip.character.mass * GRAVITY)
    for bad, what in (
        (up < LEANS, "it is upside down"),
        (
            carried,
            "something carries it that is not its feet: its hands or knees, a seat, or somebody not in the file",
        ),
    ):
        spans = [(a, b) for a, b in runs(bad) if (b - a) * DT > LONG]
        if spans:
            return "; ".join(f"from {a * DT:.2f} to {b * DT:.2f} s" for a, b in spans[:3]) + f" {what}"
    return None

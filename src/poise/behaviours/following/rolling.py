"""Soles of a body that kicks: those that stand alone, and those that roll over their toes."""

from __future__ import annotations

import numpy as np

from poise.behaviours.following.feet import Foot
from poise.dynamics.state import State
from poise.motion.score import columns as cols
from poise.motion.score.samples import at

UP = 0.02  # [rad] of a heel in the clip, from which on a sole rolls over its toes,
TOES = 0.5  # in half lengths from its middle: if the pressure is that far ahead


def rolling(state: State, feet: tuple[Foot, Foot], s: float, p: np.ndarray) -> np.ndarray | None:
    """Which soles (S,) press with their toes alone, ``s`` samples into the clip; None where it does not kick.

    A solver that counts on all corners of a sole whose heel is to rise puts the pressure inside it, and the heel stays
    down until the leg has come to its end.

    Args:
        p: (2,) where the body should press.
    """
    kicks, out = bool(feet[0].score.kicks[round(s)]), np.zeros(len(state.x))
    for foot, other in zip(feet, feet[::-1]):
        sole, stands = foot.leg.support, foot.planted and kicks
        foot.alone = stands and not other.planted
        foot.rolls = stands and other.planted and _rises(state, foot, s, p)
        out[sole] = foot.rolls
    return out if kicks else None


def _rises(state: State, foot: Foot, s: float, p: np.ndarray) -> bool:
    """Whether a heel should rise now, and may."""
    sole, ahead = foot.leg.support, state.R[foot.leg.support][:2, 0]
    along = float(ahead @ (p - state.x[sole, :2]))
    return bool(at(foot.rows, s)[cols.TILT.start] > UP and along > TOES * foot.leg.half[0])

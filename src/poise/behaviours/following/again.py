"""Back in a clip after a fall: from the next moment at which it stands on both feet and is slow."""

from __future__ import annotations

import math

import numpy as np

from poise.behaviours.following.feet import Foot
from poise.behaviours.following.view import View
from poise.dynamics.state import State
from poise.motion.score import Score
from poise.motion.score import columns as cols


def quiet(score: Score, since: float, slow: float, long: int) -> int | None:
    """First sample from ``since`` on from which both soles stay on the floor for ``long`` samples, slower than a speed
    [m/s]; where the clip ends in such a stance, however soon. None where there is none."""
    stands = np.ones(score.count, bool)
    for own in score.prints:
        foot = np.zeros(score.count, bool)
        for p in own:
            foot[p.first : p.last + 1] = p.level == 0
        stands &= foot
    stands &= np.linalg.norm(score.tables.body[:, cols.V], axis=1) < slow
    ends = np.append(np.flatnonzero(~stands), score.count + long)  # the end of a clip goes on for ever
    for s in range(math.ceil(since), score.count):
        if ends[np.searchsorted(ends, s)] - s >= long:
            return s
    return None


def put(score: Score, feet: tuple[Foot, Foot], view: View, s: int, state: State) -> None:
    """Feet on the clip's prints of a sample, and the clip turned so that they point to where the soles do."""
    turns = []
    for foot in feet:
        foot.at = next(i for i, p in enumerate(foot.prints) if p.first <= s <= p.last)
        foot.planted, foot.s = True, float(s)
        off = foot.stands(state)[1] - foot.print.heading
        turns.append((math.cos(off), math.sin(off)))
    c, n = np.sum(turns, axis=0)
    view.face(math.atan2(n, c))

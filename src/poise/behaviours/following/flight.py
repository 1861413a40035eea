"""In the air: the clip goes where the body goes, lands when the body does, and its feet aim for where ξ will be."""

from __future__ import annotations

import math

import numpy as np

from poise.behaviours.following.feet import Foot
from poise.behaviours.following.view import View
from poise.behaviours.stepping.step import Facts
from poise.dynamics.state import State
from poise.motion.score import Score
from poise.motion.score import columns as cols
from poise.motion.score.samples import DT, at

QUICKEST, SLOWEST = 2.0, 0.5  # rate of the clip's time
SETTLED, FARTHEST = (
    0.05,
    0.2,
)  # [s] before the end of a flight, when prints no longer move; in heights, how far they do


def fly(
    state: State, score: Score, feet: tuple[Foot, Foot], view: View, s: float, rate: float, facts: Facts
) -> float:
    """One tick of a flight, ``s`` samples into a clip whose time runs at ``rate``; returns the rate from now on."""
    row = at(score.tables.body, s)
    view.carry(state.c[:2] - view.point(row[cols.C])[:2])
    lands = [foot.print.first for foot in feet if foot.goes_on]
    if not lands:
        return rate
    g, up = facts.g, float(state.G[2] / state.m)
    falls = float(state.c[2] - score.tables.body[min(lands), 2])
    left = (up + math.sqrt(max(up * up + 2 * g * falls, 0.0))) / g
    if left > SETTLED:
        _aim(state, feet, view.vector(row[cols.V])[:2], facts)
    return min(max((min(lands) - s) * DT / max(left, facts.dt), SLOWEST), QUICKEST)


def _aim(state: State, feet: tuple[Foot, Foot], v: np.ndarray, facts: Facts) -> None:
    """Feet in the air land as far from the clip's prints as ξ will be from the clip's."""
    off = (state.G[:2] / state.m - v) / facts.rate
    off *= min(1.0, FARTHEST * facts.h / max(float(np.hypot(*off)), 1e-9))
    for foot in feet:
        if foot.goes_on:
            foot.goal[:2] = off

"""Where and when a followed foot lands: the print of the clip, moved and retimed by ξ's deviation."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from poise.behaviours.following.feet import Foot
from poise.behaviours.following.flight import QUICKEST
from poise.behaviours.following.view import View
from poise.behaviours.stepping.dcm import Seen
from poise.behaviours.stepping.landing import PEAK, plan_landing, reach_of
from poise.behaviours.stepping.step import Facts
from poise.compiled import compiled
from poise.motion.score import Score
from poise.motion.score import columns as cols
from poise.motion.score.samples import DT

FREEZE = 0.08  # [s] before landing, when place and time no longer change
SOONER, LATER = 0.5, 1.3  # of the time that the clip has left
TRUST = 0.4  # part of the pressure's present deviation that lasts until landing
LITTLE = 0.02  # in heights: prints that move by less are moved as planned


@dataclass(frozen=True)
class Daring:
    """What a foot does to catch a body that is off its course."""

    sure: float = 0.0  # part of a print's move by which it moves more: ξ grows until the foot stands
    owed: float = 0.0  # part of what ξ will move when the spin is brought back, that it counts with
    rush: float = QUICKEST  # rate of the clip's time at which two feet are hurried off the ground at the most
    quick: float = 10.0  # [1/s]: how fast the clip's rate changes
    keeps: bool = False  # whether a hurried swing stays so to its end
    own: bool = False  # whether a swing as quick as the score's costs nothing
    beyond: float = (
        0.0  # in heights: how much farther than the score a foot may always step, wherever that is
    )


class Landings:
    """The planner of stepping, with the clip's own print, offset and time as wishes."""

    def __init__(self, facts: Facts, daring: Daring = Daring()):
        self.facts, self.daring, self.haste = facts, daring, 1.0
        stride, h, g = facts.stride, facts.h, facts.g
        self.price = np.array(
            [stride.place / h**2, stride.when, stride.offset / h**2, stride.haste / (g * h)]
        )
        self.fastest = stride.fastest * math.sqrt(g * h)
        self.boxes = [reach_of(facts, i) for i in range(2)]

    def plan(
        self, score: Score, foot: Foot, s: float, view: View, seen: Seen, w: float, xi_ref, xi, lasts
    ) -> float:
        """Move the goal of a foot; returns the rate of the clip's time that makes it land in time."""
        T0 = (foot.print.first - s) * DT
        if T0 <= FREEZE:
            return self.haste if self.daring.keeps else 1.0
        row = view.body_at(score.tables.body, float(min(foot.print.first, score.count - 1)))
        print_there = view.point(foot.print.place)
        xi_end = row[:2] + row[cols.V][:2] / w
        beyond = self.daring.beyond * self.facts.h
        time = _aim(seen, 1 - foot.k, w, xi_ref, xi, xi_end, lasts, print_there, T0, self.boxes[foot.k], beyond,
                    self.price, self.fastest, self.daring.own, foot.goal)  # fmt: skip
        self._make_sure(foot)
        rate = T0 / max(time, 0.02)
        self.haste = max(rate, 1.0)
        return rate

    def _make_sure(self, foot: Foot) -> None:
        """Move a print that was moved some more."""
        by = math.hypot(*foot.goal[:2])
        more = self.daring.sure * (by - LITTLE * self.facts.h)
        if more > 0:
            foot.goal[:2] *= 1.0 + more / by


@compiled
def _aim(
    seen, stance, w, xi_ref, xi, xi_end, lasts, print_there, T0, reach, beyond, price, fastest, own, goal
):
    """Where a foot lands off its print, into ``goal``; returns in how many seconds. All seen from the stance foot."""
    grown, out, origin = math.exp(w * T0), np.empty(3), seen.place[stance]
    c, n = math.cos(seen.heading[stance]), math.sin(seen.heading[stance])
    p = (xi_end - xi_ref * grown) / (1.0 - grown)  # the pressure that would have brought ξ there
    p = _turned(c, n, p + TRUST * lasts - origin)
    u0, box = _turned(c, n, print_there - origin), reach.copy()
    for i in range(2):
        box[0, i], box[1, i] = min(box[0, i], u0[i]), max(box[1, i], u0[i])
    ahead = 1 if u0[0] > 0.0 else 0
    farthest = max(abs(box[ahead, 0]), abs(u0[0]) + beyond)
    box[ahead, 0] = farthest if ahead else -farthest
    bounds = np.array([SOONER * T0, max(LATER * T0, FREEZE)])
    sole, b0 = _turned(c, n, seen.place[1 - stance] - origin), _turned(c, n, xi_end - print_there)
    if own:
        fastest = max(fastest, PEAK * math.hypot(u0[0] - sole[0], u0[1] - sole[1]) / T0)
    plan_landing(_turned(c, n, xi - origin), p, sole, 0.0, w, u0, b0, T0, bounds, box, price, fastest, out)
    for i, there in enumerate(_turned(c, -n, out[:2])):
        goal[i] = there + origin[i] - print_there[i]
    return out[2]


@compiled
def _turned(c, n, x):
    return np.array([c * x[0] + n * x[1], -n * x[0] + c * x[1]])

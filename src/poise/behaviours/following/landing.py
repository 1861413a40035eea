"""Where and when a followed foot lands: the print of the clip, moved and retimed by ξ's deviation."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from poise.behaviours.following.feet import Foot
from poise.behaviours.following.view import View
from poise.behaviours.stepping.dcm import Seen
from poise.behaviours.stepping.landing import plan_landing, reach_of
from poise.behaviours.stepping.step import Facts
from poise.geometry.linear import times
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
    keeps: bool = False  # whether a hurried swing stays so to its end


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
        self.out = np.zeros(3)

    def plan(
        self, score: Score, foot: Foot, s: float, view: View, seen: Seen, w: float, xi_ref, xi, lasts
    ) -> float:
        """Move the goal of a foot; returns the rate of the clip's time that makes it land in time."""
        T0 = (foot.print.first - s) * DT
        if T0 <= FREEZE:
            return self.haste if self.daring.keeps else 1.0
        row = score.tables.body[min(foot.print.first, score.count - 1)]
        print_there = view.point(foot.print.place)
        xi_end = view.point(row[cols.C])[:2] + view.vector(row[cols.V])[:2] / w
        grown = math.exp(w * T0)
        p = (xi_end - xi_ref * grown) / (1.0 - grown)  # the pressure that would have brought ξ there
        p = p + TRUST * lasts
        stance = 1 - foot.k
        angle = float(seen.heading[stance])
        c, n = math.cos(angle), math.sin(angle)
        R = np.array([[c, n], [-n, c]])
        origin = seen.place[stance]
        xi, b0 = times(R, xi - origin), times(R, xi_end - print_there)
        u0, sole, p = (
            times(R, print_there - origin),
            times(R, seen.place[foot.k] - origin),
            times(R, p - origin),
        )
        box = self.boxes[foot.k].copy()
        box[0], box[1] = np.minimum(box[0], u0), np.maximum(box[1], u0)
        bounds = np.array([SOONER * T0, max(LATER * T0, FREEZE)])
        plan_landing(xi, p, sole, 0.0, w, u0, b0, T0, bounds, box, self.price, self.fastest, self.out)
        foot.goal[:2] = times(R.T, self.out[:2]) + origin - print_there
        self._make_sure(foot)
        rate = T0 / max(float(self.out[2]), 0.02)
        self.haste = max(rate, 1.0)
        return rate

    def _make_sure(self, foot: Foot) -> None:
        """Move a print that was moved some more."""
        by = math.hypot(*foot.goal[:2])
        more = self.daring.sure * (by - LITTLE * self.facts.h)
        if more > 0:
            foot.goal[:2] *= 1.0 + more / by

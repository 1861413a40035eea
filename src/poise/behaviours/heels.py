"""Pitch of the feet: what the ankles allow, and heels that rise behind the body."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from poise.behaviours.step import DOUBLE, ahead_of
from poise.control.sole import RollingSole
from poise.dynamics.state import State

if TYPE_CHECKING:
    from poise.behaviours.stepper import Stepper

AHEAD = 0.06  # [s]: how far ahead an ankle's range is watched
LATE = 0.7  # of a swing, when the foot has the pitch it lands with
FLEX = 0.6  # part of the ankle's range, toes up, that stepping uses
LANDING = 0.95  # part of it that landing uses
ROLL = 0.5  # of a sole's half length: a body this far ahead of a sole's middle may lift its heel
FIRM = 3000.0  # weight of a toe edge that stays in place


class Heels:
    """Which heels may rise, and over which edge."""

    def __init__(self, body: Stepper, state: State):
        tree = state.tree
        self._shanks = [tree.body0 + tree.body(leg.bodies[-2]) for leg in body.legs.both]
        self._anchor = np.full((2, 4), np.nan)  # of the toe edges that a sole rolls over: place, heading
        self._k, self._d = 36.0 * body.rate**2, 12.0 * body.rate

    def pitch(self, body: Stepper, state: State, i: int) -> float:
        """Least pitch of a foot, heel up, that keeps its ankle well inside its range [rad]."""
        flex, b = body.leg(i).flex, self._shanks[i]
        R = state.data.xmat[b]
        c, s = math.cos(body.facing), math.sin(body.facing)
        lean = math.atan2(R[2] * c + R[5] * s, R[8])
        if body.planted[i]:
            return lean + FLEX * flex
        late = min(body.path.share / LATE, 1.0)  # near the end of a swing the sole should be flat
        w = state.cvel[b - state.tree.body0]
        lean += (1.0 - late) * max(0.0, AHEAD * (c * w[1] - s * w[0]))
        return lean + (FLEX + late * (LANDING - FLEX)) * flex

    def rolling(self, body: Stepper, state: State) -> list[RollingSole]:
        """Planted soles behind the body in a gait that goes on: their heels may rise."""
        step = body.now
        if body.phase != DOUBLE or step is None or not step.follows:
            self._anchor[:] = np.nan
            return []
        i = 1 - step.swing
        leg = body.leg(i)
        self._anchor[step.swing] = np.nan
        if (body.c - body.place[i]) @ ahead_of(body.facing) <= ROLL * leg.half[0]:
            self._anchor[i] = np.nan
            return []
        s, anchor, edge = leg.support, self._anchor[i], np.array([leg.half[0], 0.0, 0.0])
        if anchor[0] != anchor[0]:
            anchor[:3] = state.x[s] + state.R[s] @ edge
            anchor[2], anchor[3] = state.ground.point[2], body.heading[i]
        pitch = max(0.0, self.pitch(body, state, i))
        return [
            RollingSole(s, edge, anchor[:3], anchor[3], pitch, self._k, self._d, (FIRM, body.weights.roll))
        ]

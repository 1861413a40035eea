"""Pitch of the feet: what the ankles allow, heels that touch first before the body and rise behind it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from poise.behaviours.stepping.dcm import pitch_of
from poise.behaviours.stepping.step import DOUBLE, SWING, ahead_of
from poise.control.sole import RollingSole
from poise.dynamics.state import State

if TYPE_CHECKING:
    from poise.behaviours.stepping.stepper import Stepper

AHEAD = 0.06  # [s]: how far ahead an ankle's range is watched
LATE = 0.7  # of a swing, when the foot has the pitch it lands with
FLEX = 0.8  # part of the ankle's range, toes up, that stepping uses
LANDING = 0.95  # part of it that landing uses
ROLL = 0.5  # of a sole's half length: a body this far ahead of a sole's middle may lift its heel
PUSH_OFF = 0.7  # [rad]: pitch of a foot that leaves the ground, so that its knee bends before it swings,
FAR = 0.3  # when the body is this far ahead of it, in heights
FIRM = 3000.0  # weight of an edge that stays in place
SHORT, LONG = 0.2, 0.5  # in heights: a step that lands flat, and one with its toes as far up as they go
HEEL = 2.0  # how much faster than toes a heel is held that landed,
QUICK = 1.2  # and again, how much faster its sole lies down
FLAT = 0.01  # [rad]: a sole this level stands


class Heels:
    """Which heels may rise, and over which edge."""

    def __init__(self, body: Stepper, state: State):
        tree = state.tree
        self._shanks = [tree.body0 + tree.body(leg.bodies[-2]) for leg in body.legs.both]
        self._anchor = np.full(
            (2, 5), -1.0
        )  # of the toe edges that soles roll over: place, heading, whether in use
        self._heel = np.full((2, 5), -1.0)  # the same of heels that landed first
        self.toes_up = 0.0  # of the last step that landed or is about to [rad]
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

    def strike(self, body: Stepper) -> float:
        """How far the toes of the swing foot should be up when it lands [rad]."""
        step = body.now
        assert step is not None
        self.toes_up, steady = 0.0, body.steady
        if steady > 0.0:
            long = float((body.goal - body.place[1 - step.swing]) @ ahead_of(body.facing))
            self.toes_up = (
                body.stride.strike * steady * min(max((long / body.h - SHORT) / (LONG - SHORT), 0.0), 1.0)
            )
        return self.toes_up

    def land(self, body: Stepper, state: State, i: int) -> None:
        """A sole has touched the ground: one that lands on its heel rolls over it until it lies flat."""
        leg, heel = body.leg(i), self._heel[i]
        heel[4] = -1.0
        if pitch_of(state.R[leg.support]) < -FLAT:
            heel[:3] = state.x[leg.support] - leg.half[0] * state.R[leg.support][:, 0]
            heel[2], heel[3], heel[4] = state.ground.point[2], body.heading[i], 1.0

    def rolling(self, body: Stepper, state: State) -> list[RollingSole]:
        """Soles that turn about an edge now."""
        return self._falling(body, state) + self._rising(body, state)

    def _falling(self, body: Stepper, state: State) -> list[RollingSole]:
        """Soles that landed on their heels and are not flat yet."""
        soles = []
        for i in range(2):
            leg, heel = body.leg(i), self._heel[i]
            if heel[4] < 0.0 or not body.planted[i] or pitch_of(state.R[leg.support]) > -FLAT:
                heel[4] = -1.0
                continue
            edge = np.array([-leg.half[0], 0.0, 0.0])
            k, d = self._k * HEEL**2, self._d * HEEL
            soles.append(RollingSole(leg.support, edge, heel[:3], heel[3], 0.0, k, d, (FIRM, FIRM), QUICK))
        return soles

    def _rising(self, body: Stepper, state: State) -> list[RollingSole]:
        """The sole behind the body in a gait that goes on: its heel may rise, late in the other foot's swing too."""
        step = body.now
        self._anchor[:, 4] -= 1.0  # an edge that is not asked for at this tick is forgotten
        if step is None or not step.follows or body.phase not in (SWING, DOUBLE):
            return []
        i = 1 - step.swing
        leg = body.leg(i)
        past = float((body.c - body.place[i]) @ ahead_of(body.facing))
        if past <= ROLL * leg.half[0] or (body.phase == SWING and body.clock < 0.5 * body.T):
            return []
        pitch = max(0.0, self.pitch(body, state, i))
        if body.phase == DOUBLE:
            pitch = max(pitch, PUSH_OFF * body.changed_over * min(past / (FAR * body.h), 1.0))
        elif pitch == 0.0 and self._anchor[i, 4] < 0.0:
            return []
        s, anchor, edge = leg.support, self._anchor[i], np.array([leg.half[0], 0.0, 0.0])
        if anchor[4] < 0.0:
            anchor[:3] = state.x[s] + state.R[s] @ edge
            anchor[2], anchor[3] = state.ground.point[2], body.heading[i]
        anchor[4] = 1.0
        weight = (FIRM, body.weights.roll)
        return [RollingSole(s, edge, anchor[:3], anchor[3], pitch, self._k, self._d, weight)]

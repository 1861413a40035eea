"""Stroll: the score of a stride, round after round, for ever."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from poise.behaviours.following.follow import POSE, Follow
from poise.behaviours.stepping.stride import StepWeights
from poise.control.behaviour import Signal
from poise.dynamics.state import State
from poise.motion.score.loop import Loop
from poise.motion.score.samples import DT

STRIDING = replace(
    POSE, root=40.0, trunk=40.0, arms=20.0, other=1.0, legs=5.0
)  # legs keep to the captured bend of knees and ankles
TRIM, MOST = 0.5, 0.06  # part of a round's lack of speed that the next ones make up for, at the most
DOUBLE, SWING = 1, 2  # phases, as the stepper has them


@dataclass
class Stroll(Follow):
    """Follow a loop: after a round the body is taken to be where it was a round before, and the way moved on."""

    score: Loop
    weights: StepWeights = STRIDING

    def start(self, state: State, dt: float) -> None:
        self.rounds, self.trim, self._since = 0, 0.0, (0.0, state.c[:2].copy())
        self._gait, self._soles, self._stride = np.zeros(4), np.zeros(6), np.zeros(1)
        super().start(state, dt)
        self._tell()

    def _advance(self, state: State) -> None:
        super()._advance(state)
        if self.s >= 2 * self.score.period:
            self._again()
            self._hasten(state)

    def _plan(self, w: float, xi: np.ndarray, delta: np.ndarray) -> None:
        super()._plan(w, xi, delta)
        self.rate += min(10.0 * self.dt, 1.0) * self.trim

    def _hasten(self, state: State) -> None:
        """Let the score run quicker by part of what the last round fell short of its way."""
        since, place = self._since
        self._since = state.t, state.c[:2].copy()
        wanted = math.hypot(*self.score.on[0]) / (self.score.period * DT)
        if self.rounds > 1:
            lack = 1.0 - math.dist(place, state.c[:2]) / max(state.t - since, DT) / wanted
            self.trim = min(max(self.trim + TRIM * lack, -MOST), MOST)

    def _again(self) -> None:
        """The same instant, one round earlier in the score and seen from there."""
        n, (shift, angle) = self.score.period, self.score.on
        self.s -= n
        self.rounds += 1
        for foot in self.feet:
            foot.s -= n
            foot.lifted -= n
            foot.at -= 1
        self.view.onward(shift, angle)

    # -- what is recorded

    def _tell(self) -> None:
        super()._tell()
        self._told[0] += self.rounds * self.score.period * DT
        self._stride[0] = self.score.first + self.s / self.score.period + self.rounds
        air = [foot.k for foot in self.feet if not foot.planted]
        self._gait[:] = (
            SWING if air else DOUBLE,
            self.steps,
            air[0] if air else self._gait[2],
            self._stepped[3],
        )
        for foot in self.feet:
            place, heading = foot.stands(self.state)
            self._soles[3 * foot.k : 3 * foot.k + 3] = *place, heading

    def signals(self) -> dict[str, Signal]:
        more = {
            "stride": Signal(self._stride, "1", "none", ("phase",)),
            "gait": Signal(self._gait, "1, 1, 1, m", "none", ("phase", "steps", "swing", "landing_error")),
            "soles": Signal(self._soles, "m, m, rad", "world", ("lx", "ly", "lh", "rx", "ry", "rh")),
        }
        return super().signals() | more

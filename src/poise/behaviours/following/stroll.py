"""Stroll: the score of a stride, round after round, for ever."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise.behaviours.following.follow import Follow
from poise.control.behaviour import Signal
from poise.dynamics.state import State
from poise.motion.score.loop import Loop
from poise.motion.score.samples import DT

DOUBLE, SWING = 1, 2  # phases, as the stepper has them


@dataclass
class Stroll(Follow):
    """Follow a loop: at the end of a round the body is taken to be where it was a round before, and the way moved on."""

    score: Loop

    def start(self, state: State, dt: float) -> None:
        self.rounds = 0
        self._gait, self._soles = np.zeros(4), np.zeros(6)
        super().start(state, dt)
        self._tell()

    def _advance(self, state: State) -> None:
        super()._advance(state)
        if self.s >= 2 * self.score.period:
            self._again()

    def _again(self) -> None:
        """The same instant, one round earlier in the score and seen from there."""
        n, (shift, angle) = self.score.period, self.score.on
        self.s -= n
        self.rounds += 1
        for foot in self.feet:
            foot.s -= n
            foot.lifted -= n
            foot.at -= 1
        view = self.view
        c, s = np.cos(angle), np.sin(angle)
        view.anchor = np.array([[c, s], [-s, c]]) @ (view.anchor - shift)
        view.face(view.turn + angle)

    # -- what is recorded

    def _tell(self) -> None:
        super()._tell()
        self._told[0] += self.rounds * self.score.period * DT
        air = [foot.k for foot in self.feet if not foot.planted]
        self._gait[:] = SWING if air else DOUBLE, self.steps, air[0] if air else self._gait[2], self._stepped[3]
        for foot in self.feet:
            place, heading = foot.stands(self.state)
            self._soles[3 * foot.k : 3 * foot.k + 3] = *place, heading

    def signals(self) -> dict[str, Signal]:
        more = {
            "gait": Signal(self._gait, "1, 1, 1, m", "none", ("phase", "steps", "swing", "landing_error")),
            "soles": Signal(self._soles, "m, m, rad", "world", ("lx", "ly", "lh", "rx", "ry", "rh")),
        }
        return super().signals() | more

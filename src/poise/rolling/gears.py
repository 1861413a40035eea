"""Gears: cycles of one style at several speeds, mixed so that the roll meets the speed that is asked for.

A cycle has one speed of its own, and momentum control moves it little; the mean of two cycles lies between them. The
mix starts where the cycles' own speeds say, and a slow integral of the error of the speed moves it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from poise.character import Character
from poise.rolling.cycle import Cycle
from poise.rolling.springs import blend_rows

WINDOW = 2.0  # [s] over which the speed is measured
RATE = 0.25  # [1/s] at which an error of the speed moves the mix, in steps between two cycles of unlike speed


class Gears:
    """Mixes cycles; ``mix`` is the place between them, 0 at the slowest."""

    def __init__(self, cycles: Sequence[Cycle], body: Character, speed: float, dt: float):
        self.cycles = sorted(cycles, key=lambda c: c.speed)
        self.speeds = np.array([c.speed for c in self.cycles])
        self._tables = [np.ascontiguousarray(c.table(body)) for c in self.cycles]
        self._leads = np.deg2rad([c.lead for c in self.cycles])
        self._other = np.zeros(self._tables[0].shape[1])
        self.speed, self._dt = speed, dt
        self.mix = float(np.interp(speed, self.speeds, np.arange(len(self.speeds))))
        self._past: list[float] = []
        self._tick = 0

    def update(self, along: float) -> None:
        """Note how far the body has come [m], and move the mix by the error of its speed."""
        n = round(WINDOW / self._dt)
        if len(self._past) < n:
            self._past.append(along)
        else:
            i = self._tick % n
            speed = (along - self._past[i]) / WINDOW
            self._past[i] = along
            self._tick += 1
            span = max(float(np.ptp(self.speeds)) / max(len(self.speeds) - 1, 1), 0.1)
            self.mix += RATE * self._dt * (self.speed - speed) / span
            self.mix = min(max(self.mix, 0.0), len(self.speeds) - 1.0)

    @property
    def lead(self) -> float:
        """How far the tracked pose lies ahead of the phase [rad]."""
        return float(np.interp(self.mix, np.arange(len(self._leads)), self._leads))

    def pose(self, turns: float, out: np.ndarray) -> None:
        """Joint targets at a phase in turns."""
        i = min(int(self.mix), max(len(self._tables) - 2, 0))
        s = self.mix - i
        blend_rows(self._tables[i], turns, out)
        if s > 0.0:
            blend_rows(self._tables[i + 1], turns, self._other)
            out *= 1.0 - s
            out += s * self._other

"""Mix of the cycles of one style at several speeds, so that a roll meets the speed, or the spin, that is asked for.

A cycle has one speed of its own, and momentum control moves it little; the mean of two cycles lies between them. The
mix starts where the cycles' own speeds say, and a slow integral of the error of the speed moves it. Below the slowest
cycle the mix is negative, and asks the feature program to brake: a roll that is slow by itself would not get over its
feet, a brake that lets go in time does.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np

from poise.behaviours.rolling.cycle import Cycle
from poise.behaviours.rolling.springs import blend_rows
from poise.character import Character

WINDOW = 2.0  # [s] over which the speed or spin is measured; below, "speed" is either
RATE = 0.25  # [1/s] at which an error of the speed moves the mix, in steps between two cycles of unlike speed
BRAKE = 0.5  # share of the program's torques in plane at a mix of -1
TAKES = 0.4  # [m/s] that it takes off the speed,
TAKES_SPIN = 0.1  # [rev/s] and off the spin
SHORT = 1.0  # [s] over which the speed is measured that lets go of the brake
LET_GO = 0.88, 1.08  # of the speed asked for: below the first there is no brake, above the second all of it


class Gears:
    """Mixes cycles; ``mix`` is the place between them, 0 at the slowest.

    Args:
        speed: Asked for [m/s], or the spin [rev/s] where ``spins``.
    """

    def __init__(
        self, cycles: Sequence[Cycle], body: Character, speed: float, dt: float, spins: bool = False
    ):
        self.cycles = sorted(cycles, key=lambda c: c.spin if spins else c.speed)
        self.speeds = np.array([c.spin if spins else c.speed for c in self.cycles])
        self._tables = [np.ascontiguousarray(c.table(body)) for c in self.cycles]
        self._leads = np.deg2rad([c.lead for c in self.cycles])
        self._other = np.zeros(self._tables[0].shape[1])
        self.speed, self._dt = speed, dt
        at, places = (
            [self.speeds[0] - (TAKES_SPIN if spins else TAKES), *self.speeds],
            np.arange(-1, len(self.speeds)),
        )
        self.mix = float(np.interp(speed, at, places))
        self._past: deque[float] = deque(maxlen=round(WINDOW / dt))  # how far it had come, tick by tick [m]
        self._lately = 1.0

    def update(self, along: float) -> None:
        """Note how far the body has come [m], or turned [rev], and move the mix by the error of its speed."""
        past, short = self._past, round(SHORT / self._dt)
        if len(past) >= short:
            self._lately = (along - past[-short]) / (SHORT * max(self.speed, 0.1))
        if len(past) == past.maxlen:
            speed = (along - past[0]) / WINDOW
            span = max(float(np.ptp(self.speeds)) / max(len(self.speeds) - 1, 1), 0.1)
            self.mix += RATE * self._dt * (self.speed - speed) / span
            self.mix = min(max(self.mix, -1.0), len(self.speeds) - 1.0)
        past.append(along)

    @property
    def brake(self) -> float:
        """Share of the program's torques in plane that should act."""
        low, high = LET_GO
        return BRAKE * max(-self.mix, 0.0) * min(max((self._lately - low) / (high - low), 0.0), 1.0)

    @property
    def lead(self) -> float:
        """How far the tracked pose lies ahead of the phase [rad]."""
        return float(np.interp(self.mix, np.arange(len(self._leads)), self._leads))

    def pose(self, turns: float, out: np.ndarray) -> None:
        """Joint targets at a phase in turns."""
        mix = max(self.mix, 0.0)
        i = min(int(mix), max(len(self._tables) - 2, 0))
        s = mix - i
        blend_rows(self._tables[i], turns, out)
        if s > 0.0:
            blend_rows(self._tables[i + 1], turns, self._other)
            out *= 1.0 - s
            out += s * self._other

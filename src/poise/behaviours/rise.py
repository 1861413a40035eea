"""How high the centre of mass is carried: as high as the legs allow, smoothly."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from poise.behaviours.legs import highest
from poise.behaviours.step import SHIFT, STAND, SWING

if TYPE_CHECKING:
    from poise.behaviours.stepper import Stepper

HEEL = 0.3  # [rad]: how far a heel has risen when the other foot lands
UPRIGHT = 0.995  # of a leg's length that standing counts on
BEHIND = 0.2  # of a sole's half length: a body this far ahead of a sole's middle lifts its heel


class Rise:
    """Wanted height of the centre of mass over the ground, with rate and acceleration."""

    def __init__(self, body: Stepper):
        self.now, self.rate = body.h, 0.0
        self._legs = body.legs.geometry()
        self._places, self._headings = np.zeros((2, 2)), np.zeros(2)

    def advance(self, body: Stepper) -> tuple[float, float, float]:
        """One tick towards the height from which both soles are in reach where they are or will land."""
        places, headings = self._places, self._headings
        places[:], headings[:] = body.place, body.heading
        step, c = body.now, body.centre
        if step is not None and body.phase == SWING:
            places[step.swing], headings[step.swing] = body.goal, step.heading
            c = 0.5 * (places[0] + places[1])
        elif body.phase == SHIFT:
            c = body.start_point()
        stretch = UPRIGHT if body.phase == STAND else body.stride.stretch
        behind = np.inf if body.phase == SHIFT else BEHIND
        reach = highest(self._legs, places, headings, c, body.facing, HEEL, behind, stretch)
        rate = 3.0 * body.omega
        a = rate * rate * (min(body.h, reach) - self.now) - 2 * rate * self.rate
        self.rate += a * body.dt
        self.now += self.rate * body.dt
        return self.now, self.rate, a

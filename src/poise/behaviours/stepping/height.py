"""How high the centre of mass is carried: as high as the legs allow, in a gait lowest when both feet are down."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from poise.behaviours.stepping.legs import highest
from poise.behaviours.stepping.step import DOUBLE, SHIFT, STAND, SWING

if TYPE_CHECKING:
    from poise.behaviours.stepping.stepper import Stepper

UPRIGHT = 0.995  # of a leg's length that standing counts on
BEHIND = 0.2  # of a sole's half length: a body this far ahead of a sole's middle lifts its heel
QUICK = 3.0  # in √(g/h): how fast the height follows what the legs allow
SOFT = 0.5  # of gravity: most that the arc accelerates the body up or down
TOP = 0.995  # of the height at rest: the highest that the arc of a gait goes
VAULT = 2.0  # in √(g/h): how fast the arc of a gait grows


class Rise:
    """Wanted height of the centre of mass over the ground, with rate and acceleration."""

    def __init__(self, body: Stepper):
        self.now, self.rate, self.arc = body.h, 0.0, 0.0
        self.z, self.z_dot, self.z_ddot = body.h, 0.0, 0.0  # with the arc
        self._legs = body.legs.geometry()
        self._places, self._headings = np.zeros((2, 2)), np.zeros(2)

    def advance(self, body: Stepper) -> tuple[float, float, float]:
        """One tick towards the height from which both soles are in reach where they are or will land."""
        places, headings = self._places, self._headings
        places[:], headings[:] = body.place, body.heading
        step, c, shift = body.now, body.centre, np.zeros(2)
        if step is not None and body.phase == SWING:
            places[step.swing], headings[step.swing] = body.goal, step.heading
            c = 0.5 * (places[0] + places[1])
            shift = body.v * body.half_double * step.follows
        elif body.phase == DOUBLE and step is not None and step.follows:
            shift = body.v * body.half_double
        elif body.phase == SHIFT:
            c = body.start_point()
        stretch = UPRIGHT if body.phase == STAND else body.stride.stretch
        behind = np.inf if body.phase == SHIFT else BEHIND
        reach = highest(
            self._legs,
            places,
            headings,
            c,
            shift,
            body.facing,
            body.stride.heel,
            behind,
            stretch,
            body.heels.toes_up,
        )
        rate = QUICK * body.omega
        a = rate * rate * (min(body.h, reach) - self.now) - 2 * rate * self.rate
        self.rate += a * body.dt
        self.now += self.rate * body.dt
        return self._vault(body, a)

    def _vault(self, body: Stepper, a: float) -> tuple[float, float, float]:
        """The stance leg carries the body over in an arc: highest in mid-swing, lowest in mid double support."""
        step, gait = body.now, body.phase in (SWING, DOUBLE)
        T = max(body.T if body.phase == SWING else (step.time if step is not None else 1.0), 0.1)
        wanted, soft = 0.0, SOFT * body.g * T * T / (2 * math.pi**2)
        if gait:
            wanted = body.steady * min(max(TOP * body.h - self.now, 0.0), body.stride.vault * body.h)
        self.arc = min(self.arc + min(VAULT * body.rate * body.dt, 1.0) * (wanted - self.arc), soft)
        turn, w = 2 * math.pi * body.clock / T, 2 * math.pi / T
        if not gait:
            turn = 0.0
        half = 0.5 * self.arc
        self.z = self.now + half * (1.0 - math.cos(turn))
        self.z_dot = self.rate + half * w * math.sin(turn)
        self.z_ddot = a + half * w * w * math.cos(turn) * gait
        return self.z, self.z_dot, self.z_ddot

"""Pushed while both feet stand: steps that the clip does not have, then the feet back to where the clip has them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from poise.behaviours.following.feet import Foot
from poise.behaviours.stepping.recover import Recover
from poise.behaviours.stepping.step import STAND, Director, Facts, Gait, Step, Tick
from poise.geometry.linear import norm, times

NEAR, TURNED = (
    0.05,
    0.25,
)  # in heights, [rad]: feet this near to the clip's prints, seen from each other, will do
STILL = 0.06  # in heights: ξ this near to the middle of the feet, and a foot may go back
TIME = 2.0  # of a step that puts a foot back, in √(h/g)
TRIES = 3  # of putting feet back; then the clip goes on as it can


@dataclass
class Mend(Director):
    """Catch a push, come to rest, and put a foot back to its print as seen from the other one."""

    feet: tuple[Foot, Foot]
    turn: float  # of the clip in the world [rad]: soles that pivot do not turn it
    catch: Recover = field(default_factory=Recover)

    def start(self, facts: Facts, tick: Tick, gait: Gait) -> None:
        self.catch.start(facts, tick, gait)
        self.mended, self.tries, self.caught = False, 0, 0

    def step(self, facts: Facts, tick: Tick, gait: Gait) -> Step | None:
        step = self.catch.step(facts, tick, gait)
        if step is not None:
            self.caught += 1
            return step
        if gait.phase != STAND or not (gait.calm or norm(tick.xi - tick.centre) < STILL * facts.h):
            return None
        return self._back(facts, tick)

    def _back(self, facts: Facts, tick: Tick) -> Step | None:
        """The step that puts the feet right, None where they are."""
        left, right = (foot.print for foot in self.feet)
        moves = 0 if self.feet[0].leaves() < self.feet[1].leaves() else 1
        stays, goes = (right, left) if moves == 0 else (left, right)
        c, s = math.cos(self.turn), math.sin(self.turn)
        place = tick.place[1 - moves] + times([[c, -s], [s, c]], goes.place - stays.place)
        heading = goes.heading + self.turn
        off = (heading - tick.heading[moves] + math.pi) % (2 * math.pi) - math.pi
        near = np.hypot(*(place - tick.place[moves])) < NEAR * facts.h and abs(off) < TURNED
        if near or self.tries >= TRIES:
            self.mended = True
            return None
        self.tries += 1
        return Step(
            moves, place, heading, np.zeros(2), TIME / facts.rate, live=False, shift=True, follows=False
        )

    def aim(self, facts: Facts, tick: Tick, step: Step) -> Step:
        return self.catch.aim(facts, tick, step) if step.recovery else step

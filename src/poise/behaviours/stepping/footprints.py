"""Directed stepping: a list of footprints, one careful step each ([Stepping] 4.3, 4.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from poise.behaviours.stepping.step import STAND, Director, Facts, Gait, Step, Tick


@dataclass(frozen=True)
class Footprint:
    """Where a sole's centre should come to stand: world place [m] and heading [rad] of the left or right limb."""

    limb: int  # 0 left, 1 right
    x: float
    y: float
    heading: float = 0.0
    time: float | None = None  # of the swing [s]
    lift: float | None = None  # [m]


@dataclass
class Footprints(Director):
    """Step from print to print, from rest to rest; the weight moves over before each foot leaves the ground.

    Args:
        prints: In order.
        time: Of a step where the print gives none, in √(h/g).
        wait: Standing after each, in √(h/g).
    """

    prints: Sequence[Footprint]
    time: float = 2.2
    wait: float = 0.6

    def start(self, facts: Facts, tick: Tick, gait: Gait) -> None:
        self.next = 0

    def step(self, facts: Facts, tick: Tick, gait: Gait) -> Step | None:
        waiting = gait.phase != STAND or gait.clock < self.wait / facts.rate
        if waiting or self.next >= len(self.prints):
            return None
        to = self.prints[self.next]
        self.next += 1
        place, T = np.array([to.x, to.y]), to.time or self.time / facts.rate
        return Step(
            to.limb, place, to.heading, np.zeros(2), T, live=False, shift=True, follows=False, lift=to.lift
        )  # fmt: skip

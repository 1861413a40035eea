"""Directed stepping: a list of footprints, one careful step each ([Stepping] 4.3, 4.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from poise.behaviours.stepping.stepper import Director, Step, Stepper
from poise.dynamics.state import State


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

    def start(self, body: Stepper, state: State) -> None:
        self.next = 0

    def step(self, body: Stepper, state: State) -> Step | None:
        standing = body.now is None
        if not standing or body.stand_clock < self.wait / body.rate or self.next >= len(self.prints):
            return None
        print_ = self.prints[self.next]
        self.next += 1
        T = print_.time or self.time / body.rate
        place = np.array([print_.x, print_.y])
        return Step(
            print_.limb,
            place,
            print_.heading,
            np.zeros(2),
            T,
            live=False,
            shift=True,
            follows=False,
            lift=print_.lift,
        )

"""Gaze: the head turns to where a push came from, stays there for a moment, and turns back."""

from __future__ import annotations

import math

import numpy as np

from poise.behaviours.balance.idle import Turner
from poise.character import Character

WIDEST = 1.15  # [rad] that head and chest turn at the most: over the shoulder
LATER = 0.1  # [s] from feeling a push to turning the head
STAYS = 1.4  # [s]
QUICK = 9.0  # [1/s]: how fast the head follows its goal
CHEST = 0.15  # part of the turn that the chest makes
UP = np.array([0.0, 0.0, 1.0])


class Gaze:
    """Turn of the head.

    Attributes:
        pose: (3, nv) change of the pose, with rate and acceleration.
    """

    def __init__(self, character: Character, dt: float):
        own = Turner(character)
        self._way = own("head", (1.0 - CHEST) * UP) + own("chest", CHEST * UP)
        self.dt, self._since, self._goal, self._turn, self._rate = dt, math.inf, 0.0, 0.0, 0.0
        self.pose = np.zeros((3, character.model.nv))

    def meet(self, shove: np.ndarray, facing: float) -> None:
        """Somebody pushed: a change of velocity (2,), by a body that faces somewhere [rad]; one at a time."""
        if self._since < STAYS:
            return
        angle = math.atan2(-shove[1], -shove[0]) - facing
        angle = (angle + math.pi) % (2 * math.pi) - math.pi
        self._since, self._goal = 0.0, min(max(angle, -WIDEST), WIDEST)

    def advance(self) -> None:
        """One tick."""
        self._since += self.dt
        goal = self._goal if LATER <= self._since < STAYS else 0.0
        acc = QUICK * QUICK * (goal - self._turn) - 2 * QUICK * self._rate
        self._rate += acc * self.dt
        self._turn += self._rate * self.dt
        for k, value in enumerate((self._turn, self._rate, acc)):
            np.multiply(self._way, value, out=self.pose[k])

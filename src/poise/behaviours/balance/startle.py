"""Startle: pushed, a body turns its head to where the push came from and lifts its arms, the harder the more."""

from __future__ import annotations

import math

import numpy as np

from poise.behaviours.balance.idle import Turner
from poise.character import Character

WIDEST = 1.15  # [rad] that head and chest turn at the most: over the shoulder
CHEST = 0.15  # part of the turn that the chest makes
LATER = 0.1  # [s] from feeling a push to turning the head
STAYS, GUARDS = 1.4, 0.9  # [s] for which the head stays turned, and the arms up
QUICK = 9.0  # [1/s]: how fast head and arms follow
HARD = 0.8  # [m/s]: a push that lifts the arms as far as they go:
OUT, BEND = 0.45, 0.7  # [rad] to the sides, and of the elbows
X, Y, Z = np.eye(3)


class Startle:
    """Turn of the head, lift of the arms.

    Attributes:
        pose: (3, nv) change of the pose, with rate and acceleration.
    """

    def __init__(self, character: Character, dt: float):
        own = Turner(character)
        head = own("head", (1.0 - CHEST) * Z) + own("chest", CHEST * Z)
        arms = np.zeros(character.model.nv)
        for side, way in (("l", X), ("r", -X)):
            arms += own(f"upper_arm_{side}", OUT * way) + own(f"forearm_{side}", -BEND * Y)
        self._ways = np.array([head, arms])
        self.dt, self._since, self._goal = dt, math.inf, np.zeros(2)
        self._now, self._rate = np.zeros(2), np.zeros(2)  # of head [rad] and arms [1]
        self.pose = np.zeros((3, character.model.nv))

    def meet(self, shove: np.ndarray, facing: float) -> None:
        """Somebody pushes: a change of velocity (2,), of a body that faces somewhere [rad]; one push at a time."""
        size = min(math.hypot(*shove) / HARD, 1.0)
        if self._since < STAYS:
            self._goal[1] = max(self._goal[1], size)
            return
        angle = math.atan2(-shove[1], -shove[0]) - facing
        angle = (angle + math.pi) % (2 * math.pi) - math.pi
        self._since, self._goal[:] = 0.0, (min(max(angle, -WIDEST), WIDEST), size)

    def advance(self) -> None:
        """One tick."""
        self._since += self.dt
        goal = self._goal * (LATER <= self._since < STAYS, self._since < GUARDS)
        acc = QUICK * QUICK * (goal - self._now) - 2 * QUICK * self._rate
        self._rate += acc * self.dt
        self._now += self._rate * self.dt
        for k, value in enumerate((self._now, self._rate, acc)):
            self.pose[k] = value[0] * self._ways[0] + value[1] * self._ways[1]

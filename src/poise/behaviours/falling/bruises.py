"""Bruises: how fast the head is when it first meets the ground, fall by fall."""

from __future__ import annotations

import numpy as np

from poise.behaviours.falling.sense import Sense
from poise.dynamics.state import State


class Bruises:
    """Asked at every step of the engine, since a touch lasts a few of them."""

    def __init__(self, state: State, sense: Sense):
        self._sense = sense
        self.speeds: list[float] = []  # [m/s] downward, at the head's first touch of each fall that has one
        self._open = False

    def begin(self) -> None:
        """A new fall."""
        self._open = True

    def feel(self, state: State, _: int) -> None:
        """Note the first touch of the head."""
        if not self._open:
            return
        self._sense.touch(state)
        head = self._sense.head
        if self._sense.touching[head]:
            spin, speed = state.cvel[head, :3], state.cvel[head, 3:]
            at = state.data.xipos[state.tree.body0 + head] - state.c
            self.speeds.append(round(-float((speed + np.cross(spin, at))[2]), 3))
            self._open = False

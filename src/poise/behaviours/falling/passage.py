"""Passage: from the pose that the body has, or had as its target, through key poses, each joint the shortest way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from poise.behaviours.falling.springs import between
from poise.control.tracking import PoseError
from poise.dynamics.state import State
from poise.geometry.easing import cubic


class Key(NamedTuple):
    """A pose as joints (nq - 7,), the time to get there, and the time that it is held after it [s]."""

    joints: np.ndarray
    time: float
    hold: float = 0.0


class Passage:
    """Keys, one after the other, on a clock."""

    def __init__(self, state: State):
        layout = PoseError(state.tree)
        self._kind, self._at = layout.kind, layout.q_at
        nq = len(state.q)
        self.q, self._from, self._to = np.zeros(nq), np.zeros(nq), np.zeros(nq)
        self.q[:] = state.q
        self._keys: list[Key] = []
        self._clock, self.done = 0.0, True

    @property
    def joints(self) -> np.ndarray:
        """Where the passage is (nq - 7,)."""
        return self.q[7:]

    @property
    def last(self) -> bool:
        """Whether no key follows the one that it goes to or holds."""
        return len(self._keys) <= 1

    def begin(self, keys: Sequence[Key], start: np.ndarray | None = None) -> None:
        """New keys, from a configuration (nq,), or from where the passage is."""
        if start is not None:
            self.q[:] = start
        self._keys, self._clock, self.done = list(keys), 0.0, False
        self._from[:], self._to[7:] = self.q, keys[0].joints

    def mix(self, a: np.ndarray, b: np.ndarray, share: float) -> None:
        """Be a share of the way from one configuration (nq,) to another, with no key to come."""
        between(self._kind, self._at, a, b, share, self.q)
        self.done = True

    def advance(self, dt: float) -> None:
        """One tick on."""
        if self.done:
            return
        self._clock += dt
        key = self._keys[0]
        if self._clock >= key.time + key.hold:
            self.q[7:] = key.joints
            self._clock -= key.time + key.hold
            self._keys.pop(0)
            if not self._keys:
                self.done = True
                return
            key = self._keys[0]
            self._from[:], self._to[7:] = self.q, key.joints
        share = cubic(min(self._clock / key.time, 1.0))
        between(self._kind, self._at, self._from, self._to, float(share), self.q)

"""What is wanted at this instant: a quantity whose rate should take a value, and how much that matters."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

import numpy as np

from poise.dynamics.state import Measure, State


class Rows(NamedTuple):
    """Weighted rows A v̇ = b: A (k, nv), b (k,), w (k,)."""

    A: np.ndarray
    b: np.ndarray
    w: np.ndarray


class Objective(ABC):
    """One thing wanted now. ``measure`` says what it is, ``desired`` what its rate should be.

    The rate is divided by ``scale`` before it is weighted, so that weights compare like with like on bodies of
    any size: all rows are accelerations in rad/s², or what amounts to them (c̈ / h, Ḣ / (m h²)).
    """

    @abstractmethod
    def measure(self, state: State) -> Measure:
        """The quantity: y = A v, ẏ = A v̇ + bias."""

    @abstractmethod
    def desired(self, state: State) -> np.ndarray:
        """The rate ẏ that is wanted."""

    @abstractmethod
    def weights(self, state: State) -> np.ndarray:
        """Weight of each row, with the scale in it."""

    def rows(self, state: State) -> Rows:
        """A v̇ = desired - bias."""
        measure = self.measure(state)
        return Rows(measure.A, self.desired(state) - measure.bias, self.weights(state))

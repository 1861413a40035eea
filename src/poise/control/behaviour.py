"""What is wanted over time: a behaviour is started on a state, then asked for a command at every tick."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from poise.control.contact import STANDING
from poise.dynamics.state import State


class Signal(NamedTuple):
    """A quantity of a behaviour worth recording; the array is overwritten at every update."""

    values: np.ndarray
    unit: str
    frame: str
    names: tuple[str, ...]


class Behaviour(ABC):
    """start → update, update, ... → finished. ``start`` forgets every earlier take."""

    steps = 0  # taken so far
    grip = STANDING  # how much it counts on its soles
    lies = False  # whether it may touch the ground with anything: such a behaviour cannot fall

    @abstractmethod
    def start(self, state: State, dt: float) -> None:
        """Begin at this state; ``dt`` is the time between two updates [s]."""

    @abstractmethod
    def update(self, state: State) -> Any:
        """What is wanted now: a Command, or what its own solver takes."""

    def solver(self, state: State, torque: tuple[np.ndarray, np.ndarray]) -> Any:
        """A solver of its own in place of the control mode's, for torque limits (low, high); None for the usual."""
        return None

    def finished(self, state: State) -> bool:
        """Whether nothing more is wanted."""
        return False

    def signals(self) -> Mapping[str, Signal]:
        """What the recording should keep of it, by name; asked once, after ``start``."""
        return {}

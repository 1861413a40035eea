"""What is wanted over time: a behaviour is started on a state, then asked for a command at every tick."""

from __future__ import annotations

from abc import ABC, abstractmethod

from poise.control.solve import Command
from poise.dynamics.state import State


class Behaviour(ABC):
    """start → update, update, ... → finished. ``start`` forgets every earlier take."""

    @abstractmethod
    def start(self, state: State, dt: float) -> None:
        """Begin at this state; ``dt`` is the time between two updates [s]."""

    @abstractmethod
    def update(self, state: State) -> Command:
        """What is wanted now."""

    def finished(self, state: State) -> bool:
        """Whether nothing more is wanted."""
        return False

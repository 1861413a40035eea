"""What is wanted over time: a behaviour is started on a state, then asked at every tick what it wants."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from typing import Generic, NamedTuple, Protocol, TypeVar

import numpy as np

from poise.control.contact import STANDING, Grip
from poise.control.solve import Command, Solution
from poise.dynamics.state import State
from poise.errors import BadInput, unknown

Torque = tuple[np.ndarray, np.ndarray]  # lowest and highest torque of each degree of freedom (nv,) [N m]
Wish = TypeVar("Wish")  # what a behaviour asks of its solver: a Command, unless it brings a solver of its own
Asked = TypeVar("Asked", contravariant=True)


class Solver(Protocol[Asked]):
    """Turns what is wanted into torques: ``refresh`` now and then, ``step`` at every control step."""

    solution: Solution

    def refresh(self, wanted: Asked, two_pass: bool = True) -> None: ...

    def step(self) -> Solution: ...


class Signal(NamedTuple):
    """A quantity of a behaviour worth recording; the array is overwritten at every update."""

    values: np.ndarray
    unit: str
    frame: str
    names: tuple[str, ...]


class Behaviour(ABC, Generic[Wish]):
    """start → update, update, ... ``start`` forgets every earlier take.

    Attributes:
        steps: Taken so far.
        grip: How much it counts on its soles.
        done: Whether it has come to its end, and the take with it.
        lies: Whether it may touch the ground with anything: such a behaviour cannot fall.
        lowest: Height of the centre of mass that it goes down to of its own will [m]; known after ``start``.
        period: Of its motion where it repeats itself [s].
        effort: Part of the body's torques that it may use.
        q_ref: Pose that it follows now (nq,), nan where it follows none; known after ``start``.
    """

    steps: int = 0
    grip: Grip = STANDING
    done: bool = False
    lies: bool = False
    lowest: float = math.inf
    effort: float = 1.0
    q_ref: np.ndarray = np.array(math.nan)

    @property
    def doing(self) -> str:
        """What it is doing now, in a word or two; empty where its supports tell."""
        return ""

    @property
    def period(self) -> float | None:
        return None

    @abstractmethod
    def start(self, state: State, dt: float) -> None:
        """Begin at this state; ``dt`` is the time between two updates [s]."""

    def resume(self, state: State, dt: float) -> None:
        """Go on at this state after something else had the body; most begin anew."""
        self.start(state, dt)

    @abstractmethod
    def update(self, state: State) -> Wish:
        """What is wanted now."""

    def solver(self, state: State, torque: Torque) -> Solver[Wish] | None:
        """A solver of its own in place of the control mode's; None for the usual, which takes a Command."""
        return None

    def around(self, usual: Solver, state: State, torque: Torque) -> Solver:
        """The solver that is used: the usual one, or one that hands part of the work on to it."""
        return usual

    def signals(self) -> Mapping[str, Signal]:
        """What the recording should keep of it, by name; asked once, after ``start``."""
        return {}

    def metrics(self) -> Mapping[str, float]:
        """What it knows of a take that no series shows, such as how long a decision took."""
        return {}

    def command(self, **wishes: float) -> None:
        """Change what is wanted while it runs, e.g. ``speed=0.8``; refused by name where it has no such wish."""
        raise BadInput(
            f"{type(self).__name__} takes no command while it runs; given: {', '.join(sorted(wishes)) or 'none'}"
        )


def check_wishes(who: str, wishes: Mapping[str, float], known: Collection[str]) -> None:
    """Refuse commands that ``who``, such as a walk, does not know, and those that are no finite number."""
    for name, value in wishes.items():
        if name not in known:
            raise unknown(f"command of {who}", name, known)
        if not math.isfinite(value):
            raise BadInput(f"{name}={value} is no command for {who}; give a finite number")


__all__ = ["Behaviour", "Command", "Signal", "Solver", "Torque", "check_wishes"]

"""One step that is wanted, and who decides about steps."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from poise.dynamics.state import State

if TYPE_CHECKING:
    from poise.behaviours.stepping.stepper import Stepper

STAND, SHIFT, SWING, DOUBLE = range(
    4
)  # phases: at rest, weight moves over, one foot in the air, both down again


@dataclass
class Step:
    """One step that is wanted.

    Attributes:
        swing: 0 for the left limb, 1 for the right.
        place: (2,) where its sole's centre should land, world [m]. heading: Of the sole then [rad].
        offset: (2,) ξ - place wished for at landing, world [m].
        time: Of the step [s]. live: Whether place and time may adapt to disturbances.
        shift: Whether the weight first moves over to the other foot.
        follows: Whether the gait goes on after it, so that the pressure moves on to the new foot at once.
        roll: How far the pressure moves on along the sole in the step [m].
        recovery: Whether it is a reaction to a push. lift: Clearance [m]; None is the stride's.
        curve: Whether the centre of mass follows a Bézier curve over the pivot (4.4.2) instead of falling freely.
    """

    swing: int
    place: np.ndarray
    heading: float
    offset: np.ndarray
    time: float
    live: bool = True
    shift: bool = False
    follows: bool = True
    roll: float = 0.0
    recovery: bool = False
    lift: float | None = None
    curve: bool = False


class Director(ABC):
    """Decides about steps: asked while standing and at the end of each double support."""

    @abstractmethod
    def start(self, body: Stepper, state: State) -> None:
        """A new take."""

    @abstractmethod
    def step(self, body: Stepper, state: State) -> Step | None:
        """The next step, or None to stand."""

    def aim(self, body: Stepper, state: State, step: Step) -> None:
        """Change a live step's wishes in mid-swing; by default they stay."""
        return


def turned(angle: float) -> np.ndarray:
    """Rotation of the plane (2, 2)."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s], [s, c]])


def ahead_of(angle: float) -> np.ndarray:
    """Unit vector (2,) of a heading."""
    return np.array([math.cos(angle), math.sin(angle)])


def wrapped(angle: float) -> float:
    """The same turn, within half a revolution."""
    return (angle + math.pi) % (2 * math.pi) - math.pi

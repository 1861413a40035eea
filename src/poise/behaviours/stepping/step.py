"""The frozen records that the parts of stepping hand to each other, and the director, who decides about steps."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from poise.behaviours.balance.gains import Gains
from poise.behaviours.stepping.legs import Leg
from poise.behaviours.stepping.stride import StepWeights, Stride
from poise.character import Character
from poise.dynamics.state import State
from poise.errors import BadInput

if TYPE_CHECKING:
    from poise.behaviours.stepping.dcm import Support

STAND, SHIFT, SWING, DOUBLE = range(4)  # at rest, weight moves over, one foot in the air, both down again


class Bent(Protocol):
    """Two legs by inverse kinematics."""

    def ankle(self, i: int, place: np.ndarray, turn: np.ndarray) -> np.ndarray:
        """Origin (3,) of a foot whose sole's centre and rotation are given."""
        ...

    def stand(self, q: np.ndarray, ankles: np.ndarray, turns: np.ndarray) -> np.ndarray:
        """The pose q with both feet in place."""
        ...


Bending = Callable[[Character], Bent]


class Step(NamedTuple):
    """One step that is wanted.

    Attributes:
        swing: 0 for the left limb, 1 for the right.
        place: (2,) where its sole's centre should land, world [m]. heading: Of the sole then [rad].
        offset: (2,) ξ - place wished for at landing, world [m].
        time: Of the step [s]. live: Whether place and time may adapt to disturbances.
        shift: Whether the weight first moves over to the other foot. ready: Longest that this takes [s];
            leave: whether the step is left out where it takes longer.
        follows: Whether the gait goes on after it, so that the pressure moves on to the new foot at once.
        roll: How far the pressure moves on along the sole in the step [m].
        recovery: Whether it is a reaction to a push. lift: Clearance [m]; None is the stride's.
        curve: Whether the centre of mass follows a Bézier curve over the pivot (4.4.2) instead of falling freely, and
            the foot goes with a Gaussian speed (4.4.1): ``time`` then counts both double supports, too.
        posed: Inverse kinematics whose pose leads the foot there (eq. 4.9), in the place of an objective of its own.
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
    posed: Bending | None = None
    ready: float = np.inf
    leave: bool = False


@dataclass(frozen=True, slots=True)
class Facts:
    """What does not change in a take: the body, its gait, and the scales of length and time."""

    legs: tuple[Leg, Leg]  # left, right
    width: float  # of the stance: lateral distance of the soles at rest [m]
    support: Support
    stride: Stride
    gains: Gains
    weights: StepWeights
    h: float  # height of the centre of mass at rest [m]
    g: float  # [m/s²]
    rate: float  # √(g/h) [1/s]
    dt: float  # between two ticks [s]


class Tick(NamedTuple):
    """What is measured now, seen from above; arrays are overwritten by the next tick."""

    state: State
    t: float  # since the start of the take [s]
    omega: float  # √(g/z) at the height z of the centre of mass [1/s]
    half_double: float  # half of the time for which both feet are down [s]
    c: np.ndarray  # (2,) centre of mass [m]
    v: np.ndarray  # (2,) its velocity [m/s]
    xi: np.ndarray  # (2,) divergent component of motion [m]
    place: np.ndarray  # (2, 2) centres of the soles [m]
    heading: np.ndarray  # (2,) of the soles [rad]
    centre: np.ndarray  # (2,) middle between the soles [m]
    L: np.ndarray  # (3,) linear momentum [kg m/s]; like c, v and xi, as it is felt
    H: np.ndarray  # (3,) angular momentum [kg m²/s]


class Gait(NamedTuple):
    """Where the step stands. Only ``Stepper`` makes new ones."""

    phase: int
    clock: float  # [s] since the body stands or shifts; of the step in a swing; from mid double support in DOUBLE
    step: Step | None  # that is under way
    facing: float  # of the body [rad]
    p: np.ndarray  # (2,) pressure wanted at the last tick [m]
    goal: np.ndarray  # (2,) where the swing foot will land [m]
    pivot: np.ndarray  # (2,) of the sole that carries the body, when the step began [m]
    p_landed: np.ndarray  # (2,) pressure wanted when the last foot landed [m]
    c_lifted: np.ndarray  # (2,) centre of mass when the foot was lifted [m]
    T: float = 0.0  # when it will land, in the time of the step [s]
    hurry: float = np.inf  # how far the landing is from the step's own place and time; 1 and more is urgent
    toes_up: float = 0.0  # pitch that it will land with [rad]
    planted: tuple[bool, bool] = (True, True)  # soles that may push
    calm: bool = True  # standing, and come to rest


class Director(ABC):
    """Decides about steps: asked while standing and at the end of each double support."""

    period: float | None = None  # of a stride [s], where steps follow each other without end

    @abstractmethod
    def start(self, facts: Facts, tick: Tick, gait: Gait) -> None:
        """A new take."""

    @abstractmethod
    def step(self, facts: Facts, tick: Tick, gait: Gait) -> Step | None:
        """The next step, or None to stand."""

    def aim(self, facts: Facts, tick: Tick, step: Step) -> Step:
        """A live step with its wishes as they are now; by default they stay."""
        return step

    def instead(self, facts: Facts, tick: Tick, gait: Gait) -> Step | None:
        """A step that must be made at once instead of one for which the weight still moves over."""
        return None

    def command(self, **wishes: float) -> None:
        """Change what is wanted while it runs; refused by a director that decides by itself."""
        raise BadInput(
            f"{type(self).__name__} takes no command while it runs; given: {', '.join(sorted(wishes))}"
        )

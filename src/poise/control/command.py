"""What goes into a solve and what comes out: Command and Solution."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from poise.control.momentum import AngularMomentum, LinearMomentum
from poise.control.objective import Objective
from poise.control.pressure import PressureLaw
from poise.control.tracking import Tracking
from poise.records import Matrix, Record, Vector


@dataclass
class Command:
    """What a behaviour wants now: the pose, the momenta, other objectives, and which supports may push.

    An Objective is soft in ``others`` and hard in ``constraints``: an equality in the least squares of modes fast
    and paper, rows as heavy as a planted sole's in mode robust. The pose is tracked by rows with one entry each, and
    the angular law waits for the first pass, so these two stand apart.
    """

    tracking: Tracking
    linear: LinearMomentum | None
    angular: PressureLaw | AngularMomentum | None
    supports: np.ndarray  # (S,) true where planted
    others: Sequence[Objective] = ()
    led: np.ndarray | None = None  # (S,) planted supports whose motion ``others`` ask for, not held still
    constraints: Sequence[Objective] = ()  # hard, besides the supports that are held
    rolls: np.ndarray | None = None  # (S,) 1 where a sole rolls over its toes: what is behind does not press


@dataclass
class Solution(Record):
    """Result of a solve; arrays belong to the solver and are overwritten by the next."""

    v_dot: Vector  # (nv,)
    tau: Vector  # (nv,) joint torques; the root's six are zero up to rounding
    wrenches: Matrix  # (S, 6) contact wrench at each support's centre, world axes
    momentum_rate: Vector  # (6,) L̇, Ḣ solved
    momentum_rate_free: Vector  # (6,) what the first pass, without the angular objective, would do
    momentum_rate_des: Vector  # (6,) what the laws asked for
    status: str = "solved"
    iterations: int = 0
    limits: int = 0  # torque and joint limits that act
    failures: int = 0  # solves so far whose last good answer was held instead

    def __post_init__(self) -> None:
        self.seal()

    @classmethod
    def empty(cls, nv: int, supports: int) -> Solution:
        """Zeros of the right sizes."""
        return cls(np.zeros(nv), np.zeros(nv), np.zeros((supports, 6)), np.zeros(6), np.zeros(6), np.zeros(6))

"""Where and when the swing foot of a stepper should land: prices and reach of this body around ``plan_step``."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from poise.behaviours.stepping.landing import plan_step
from poise.behaviours.stepping.step import Step

if TYPE_CHECKING:
    from poise.behaviours.stepping.stepper import Stepper


class Planner:
    """Landing of one step; ``place`` (2,) [m] and ``time`` [s] hold the last plan."""

    def __init__(self, body: Stepper):
        stride, h = body.stride, body.h
        self._price = np.array(
            [stride.place / h**2, stride.when, stride.offset / h**2, stride.haste / (body.g * h)]
        )
        self._fastest = stride.fastest * math.sqrt(body.g * h)
        self._boxes = [_box(body, i) for i in range(2)]
        self._plan, self._along = np.zeros(3), np.zeros(3)

    @property
    def place(self) -> np.ndarray:
        return self._plan[:2]

    @property
    def time(self) -> float:
        return float(self._plan[2])

    def plan(self, body: Stepper, step: Step, xi: np.ndarray, clock: float) -> float:
        """Find the best landing of ``body.now``; returns its cost."""
        stride, w, stance = body.stride, body.omega, 1 - step.swing
        soonest = clock + 0.5 * (stride.freeze + 0.5 * stride.double) / w
        bounds = (max(stride.shortest / w, soonest), stride.longest / w)
        self._along[:] = body.ahead(stance, clock), body.ahead(stance, 0.0), body.ahead(stance, step.time)
        away = np.zeros(2)
        if clock > 0:
            away = stride.trust * (body.p_des - body.pivot_of(stance, clock) + body.lead)
        return plan_step(
            xi, body.place[stance], body.place[step.swing], step.heading, clock, w, step.place, step.offset,
            self._along, away, step.time, bounds, self._boxes[step.swing], self._price, self._fastest, self._plan,
        )  # fmt: skip


def _box(body: Stepper, swing: int) -> np.ndarray:
    """Lowest and highest landing, in the frame of the stance sole (2, 2)."""
    leg, stride = body.leg(swing), body.stride
    near = stride.clearance * 2 * body.legs.sole[1]
    far = near + stride.wide * leg.reach
    low, high = (near, far) if leg.side > 0 else (-far, -near)
    return np.array([[-stride.back * leg.reach, low], [stride.far * leg.reach, high]])

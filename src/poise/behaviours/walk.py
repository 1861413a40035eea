"""Walk: steps without end, of a commanded velocity and turn."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from poise.behaviours.landing import steady_offset
from poise.behaviours.stepper import Director, Step, Stepper, turned
from poise.dynamics.state import State


@dataclass(frozen=True)
class Pace:
    """What the walker is asked for: velocity in its own axes [m/s], turn [rad/s], step time [s], width [m]."""

    forward: float = 0.8
    left: float = 0.0
    turn: float = 0.0
    time: float | None = None
    width: float | None = None


@dataclass
class Walk(Director):
    """Alternating steps; ``pace`` is a function of time, None meaning stand still."""

    pace: Callable[[float], Pace | None]
    ramp: float = 0.35  # change of speed from one step to the next [m/s]

    def start(self, body: Stepper, state: State) -> None:
        self.velocity = np.zeros(2)
        self.last = 1
        self.path_heading = body.facing

    def step(self, body: Stepper, state: State) -> Step | None:
        pace = self.pace(state.t - body.t0)
        if pace is None and np.linalg.norm(self.velocity) < 0.05:
            return None
        standing = body.now is None
        want = np.zeros(2) if pace is None else np.array([pace.forward, pace.left])
        change = want - self.velocity
        size = float(np.linalg.norm(change))
        self.velocity += change * min(1.0, self.ramp / max(size, 1e-9))
        pace = pace or Pace(0.0)
        swing = 1 - self.last if body.now is None else 1 - body.now.swing
        self.last = swing
        self.T = pace.time or body.stride.time / body.omega
        self.width = pace.width or body.legs.width
        self.path_heading += pace.turn * self.T
        step = Step(swing, np.zeros(2), self.path_heading, np.zeros(2), self.T, shift=standing)
        self.aim(body, state, step)
        return step

    def aim(self, body: Stepper, state: State, step: Step) -> None:
        R = turned(self.path_heading)
        side = body.leg(step.swing).side
        stride = self.velocity * self.T
        step.roll = float(body.stride.roll * stride[0])
        rolled = np.array([step.roll, 0.0])
        here = stride + np.array([0.0, side * self.width])
        there = stride + np.array([0.0, -side * self.width])
        step.place = body.place[1 - step.swing] + R @ here
        step.offset = R @ steady_offset(here - rolled, there - rolled, math.exp(body.omega * self.T))

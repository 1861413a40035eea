"""Walk: steps without end, of a commanded velocity and turn."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from poise.behaviours.stepping.step import Director, Step, turned
from poise.behaviours.stepping.stepper import Stepper
from poise.dynamics.state import State

LONG = 0.97  # of the longest step that a walk of its own choosing takes
MOST = 0.12  # in heights: most that a step is lengthened
ASIDE = 0.1  # in heights: most that it is moved aside


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
    ramp: float = 0.2  # change of speed from one step to the next [m/s]
    trim: float = 0.15  # part of a step's shortfall that the next ones make up for
    period: float | None = None  # of a stride at the pace it will have [s], for those who push it
    line: float = 0.35  # part of the distance from the way that a step makes up for

    def start(self, body: Stepper, state: State) -> None:
        self.velocity = np.zeros(2)
        self.last = 1
        self.path_heading = body.facing
        self.point = body.centre.copy()  # of the way, abreast of the body
        self.extra = np.zeros(2)  # added to each step [m]
        self.clock = math.nan

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
        self.T = pace.time or self._time(body)
        self.width = pace.width or body.legs.width
        self._follow(body, state, standing)
        self.path_heading += pace.turn * self.T
        step = Step(swing, np.zeros(2), self.path_heading, np.zeros(2), self.T, shift=standing)
        self.aim(body, state, step)
        return step

    def _time(self, body: Stepper) -> float:
        """Of a step [s]: the stride's own, shorter where the speed would make it too long."""
        longest = LONG * body.stride.far * body.legs.left.reach
        return min(body.stride.time / body.rate, longest / max(float(np.linalg.norm(self.velocity)), 1e-6))

    def _follow(self, body: Stepper, state: State, standing: bool) -> None:
        """Move on along the way, and see how far the body has fallen behind or strayed from it."""
        R = turned(self.path_heading)
        if not standing and math.isfinite(self.clock):
            passed = state.t - self.clock
            self.point += R @ (self.velocity * passed)
            off = R.T @ (self.point - body.centre)
            most = MOST * body.h
            self.extra[0] += self.trim * float(np.clip(off[0] - self.behind, -most, most))
            self.extra[0] = float(np.clip(self.extra[0], -most, most))
            self.extra[1] = float(np.clip(self.line * off[1], -ASIDE * body.h, ASIDE * body.h))
            self.behind = off[0]
        else:
            self.point, self.extra[:], self.behind = body.centre.copy(), 0.0, 0.0
        self.clock = state.t

    def aim(self, body: Stepper, state: State, step: Step) -> None:
        c, s = math.cos(self.path_heading), math.sin(self.path_heading)
        side, growth = body.leg(step.swing).side, math.exp(body.omega * self.T)
        ahead, left = self.velocity * self.T + self.extra
        step.roll = roll = body.stride.roll * ahead
        here, there = left + side * self.width, left - side * self.width
        forth = (ahead - roll) / (growth - 1.0)  # steady offset, the same for both feet
        aside = (there * growth + here) / (growth * growth - 1.0)
        step.place = body.place[1 - step.swing] + np.array([c * ahead - s * here, s * ahead + c * here])
        step.offset = np.array([c * forth - s * aside, s * forth + c * aside])

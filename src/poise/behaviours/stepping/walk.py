"""Walk: steps without end, of a commanded velocity and turn."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from poise.behaviours.stepping.step import Director, Facts, Gait, Step, Tick
from poise.control.behaviour import check_wishes
from poise.geometry.linear import norm, times

LONG = 0.97  # of the longest step that a walk of its own choosing takes
MOST = 0.12  # in heights: most that a step is lengthened
AT_REST = 0.05  # [m/s]: a walk slower than this may stop
COMMANDS = {"speed": "forward", "side": "left", "turn": "turn"}  # by the names that scenes use
ASIDE = 0.1  # in heights: most that it is moved aside


@dataclass(frozen=True)
class Pace:
    """What the walker is asked for: velocity in its own axes [m/s], turn [rad/s], step time [s], width [m]."""

    forward: float = 0.8
    left: float = 0.0
    turn: float = 0.0
    time: float | None = None
    width: float | None = None


@dataclass(frozen=True)
class Always:
    """One pace at all times; None stands still."""

    pace: Pace | None = None

    def __call__(self, t: float) -> Pace | None:
        return self.pace


@dataclass
class Walk(Director):
    """Alternating steps; ``pace`` is a function of time, None meaning stand still."""

    pace: Callable[[float], Pace | None]
    ramp: float = 0.2  # change of speed from one step to the next [m/s]
    trim: float = 0.15  # part of a step's shortfall that the next ones make up for
    period: float | None = None  # of a stride at the pace it will have [s], for those who push it
    line: float = 0.35  # part of the distance from the way that a step makes up for

    def start(self, facts: Facts, tick: Tick, gait: Gait) -> None:
        self.velocity = np.zeros(2)
        self.asked = self.pace(tick.t)
        self.last = 1
        self.path_heading = gait.facing
        self.point = tick.centre.copy()  # of the way, abreast of the body
        self.extra = np.zeros(2)  # added to each step [m]
        self.clock, self.behind = math.nan, 0.0

    def step(self, facts: Facts, tick: Tick, gait: Gait) -> Step | None:
        pace = self.asked = self.pace(tick.t)
        if pace is None and norm(self.velocity) < AT_REST:
            return None
        standing = gait.step is None
        self._change_speed(np.zeros(2) if pace is None else np.array([pace.forward, pace.left]))
        pace = pace or Pace(0.0)
        self.last = swing = 1 - (self.last if gait.step is None else gait.step.swing)
        self.T = pace.time or self._time(facts)
        self.width = pace.width or facts.width
        self._follow(facts, tick, standing)
        self.path_heading += pace.turn * self.T
        step = Step(swing, np.zeros(2), self.path_heading, np.zeros(2), self.T, shift=standing)
        return self.aim(facts, tick, step)

    def command(self, **wishes: float) -> None:
        """``speed`` and ``side`` [m/s], ``turn`` [deg/s] from the next step on; all zero is standing still."""
        check_wishes("a walk", wishes, COMMANDS)
        asked = {name: wishes[name] for name in ("speed", "side") if name in wishes}
        fields = {COMMANDS[name]: value for name, value in asked.items()}
        if "turn" in wishes:
            fields["turn"] = math.radians(wishes["turn"])
        pace = replace(self.asked or Pace(0.0), **fields)
        moving = pace.forward or pace.left or pace.turn
        self.asked = pace if moving else None
        self.pace = Always(self.asked)

    def _change_speed(self, wanted: np.ndarray) -> None:
        """One step's worth towards a velocity (2,)."""
        change = wanted - self.velocity
        size = float(norm(change))
        self.velocity += change * min(1.0, self.ramp / max(size, 1e-9))

    def _time(self, facts: Facts) -> float:
        """Of a step [s]: the stride's own, shorter where the speed would make it too long."""
        longest = LONG * facts.stride.far * facts.legs[0].reach
        return min(facts.stride.time / facts.rate, longest / max(float(norm(self.velocity)), 1e-6))

    def _follow(self, facts: Facts, tick: Tick, standing: bool) -> None:
        """Move on along the way, and see how far the body has fallen behind or strayed from it."""
        c, s = math.cos(self.path_heading), math.sin(self.path_heading)
        R = np.array([[c, -s], [s, c]])
        if not standing and math.isfinite(self.clock):
            passed = tick.state.t - self.clock
            self.point += times(R, self.velocity * passed)
            off = times(R.T, self.point - tick.centre)
            most, aside = MOST * facts.h, ASIDE * facts.h
            self.extra[0] += self.trim * float(np.clip(off[0] - self.behind, -most, most))
            self.extra[0] = float(np.clip(self.extra[0], -most, most))
            self.extra[1] = float(np.clip(self.line * off[1], -aside, aside))
            self.behind = off[0]
        else:
            self.point, self.extra[:], self.behind = tick.centre.copy(), 0.0, 0.0
        self.clock = tick.state.t

    def aim(self, facts: Facts, tick: Tick, step: Step) -> Step:
        c, s = math.cos(self.path_heading), math.sin(self.path_heading)
        side, growth = facts.legs[step.swing].side, math.exp(tick.omega * self.T)
        ahead, left = (self.velocity * self.T + self.extra).tolist()
        roll = facts.stride.roll * ahead
        here, there = left + side * self.width, left - side * self.width
        forth = (ahead - roll) / (growth - 1.0)  # steady offset, the same for both feet
        aside = (there * growth + here) / (growth * growth - 1.0)
        x, y = tick.place[1 - step.swing].tolist()
        place = np.array((x + (c * ahead - s * here), y + (s * ahead + c * here)))
        offset = np.array((c * forth - s * aside, s * forth + c * aside))
        return step._replace(place=place, offset=offset, roll=roll)

"""The momentum supervisor: whether, when and where to step so that a push is stopped ([Stepping] 4.3)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from poise.behaviours.stepping.landing import steady_offset
from poise.behaviours.stepping.stepper import Director, Step, Stepper, turned
from poise.dynamics.state import State
from poise.geometry.polygon import inside

SUPERVISORS = ("momentum", "pendulum", "capture")
PRESETS = ("robust", "literal")
LITERAL_TIME = 1.27  # of a step of the literal preset, in √(h/g): 0.4 s for a man


@dataclass(frozen=True)
class Damping:
    """How fast a step should take the momenta away, in √(g/h): d_l of the linear, d_h of the angular one."""

    linear: float
    angular: float


WHEN = Damping(1.28, 1.92)  # the paper's 4 and 6 per second, for a centre of mass at 1 m
WHERE = Damping(2.87, 5.75)  # the paper's 9 and 18


@dataclass
class Recover(Director):
    """Stand; step when the pressure that would stop both momenta lies outside the support; again if need be.

    Args:
        supervisor: ``momentum`` (eq. 4.5-4.6), ``pendulum`` (the same with d_h = 0) or ``capture`` (ξ itself).
        preset: ``robust`` (place and time of landing follow the state; feet alternate; the next step counts) or
            ``literal`` (the paper's rules: place and time fixed at the trigger, the foot nearest to the place).
        time: Of a recovery step, in √(h/g).
        again: Within this time after a landing the other foot must step, in √(h/g).
    """

    supervisor: str = "momentum"
    preset: str = "robust"
    time: float = 0.9
    again: float = 1.9

    def start(self, body: Stepper, state: State) -> None:
        self.last, self.landed = -1, -math.inf

    def wanted(self, body: Stepper, state: State, damping: Damping) -> np.ndarray:
        """Pressure that would stop the momenta (2,)."""
        if self.supervisor == "capture":
            return body.xi.copy()
        angular = damping.angular if self.supervisor == "momentum" else 0.0
        return body.momentum_point(state, damping.linear * body.rate, angular * body.rate)

    def step(self, body: Stepper, state: State) -> Step | None:
        if body.now is not None:
            self.last, self.landed = body.now.swing, state.t
        size = body.posture.support(state, np.array([True, True]))
        if inside(body.posture.polygon[:size], self.wanted(body, state, WHEN)):
            return None
        if self.preset == "literal":
            return self._literal(body, state)
        T = self.time / body.rate
        if state.t - self.landed < self.again / body.rate:
            return self._make(body, 1 - self.last, T)
        steps = [self._make(body, i, T) for i in (0, 1)]
        ahead = self.wanted(body, state, WHERE)  # where the push is going, not where it is
        costs = [body.cost_of(state, step, ahead) for step in steps]
        return steps[int(np.argmin(costs))]

    def _literal(self, body: Stepper, state: State) -> Step:
        """The paper's step: to the place that eq. 4.5-4.6 give with higher gains, by the foot nearest to it."""
        place = self.wanted(body, state, WHERE)
        swing = int(np.argmin(np.linalg.norm(body.place - place, axis=1)))
        T = LITERAL_TIME / body.rate
        return Step(swing, place, body.facing, np.zeros(2), T, live=False, recovery=True, curve=True)

    def _make(self, body: Stepper, swing: int, T: float) -> Step:
        step = Step(swing, np.zeros(2), body.facing, np.zeros(2), T, recovery=True)
        self._fill(body, step)
        return step

    def _fill(self, body: Stepper, step: Step) -> None:
        R, side = turned(step.heading), body.leg(step.swing).side
        here = np.array([0.0, side * body.legs.width])
        step.place = body.place[1 - step.swing] + R @ here
        step.offset = R @ steady_offset(here, -here, math.exp(body.omega * step.time))

    def aim(self, body: Stepper, state: State, step: Step) -> None:
        self._fill(body, step)

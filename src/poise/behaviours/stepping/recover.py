"""The momentum supervisor: whether, when and where to step so that a push is stopped ([Stepping] 4.3)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from poise.behaviours.stepping.landing import LandingPlanner, steady_offset
from poise.behaviours.stepping.step import STAND, Bending, Director, Facts, Gait, Step, Tick
from poise.geometry.linear import norm, times
from poise.geometry.polygon import inside

SUPERVISORS = ("momentum", "pendulum", "capture")
PRESETS = ("robust", "literal")
BOTH = (True, True)
LEAST, MOST = 0.2, 1.8  # of the weight: bounds of the ground force that counts, those of [Balance] eq. 15
LITERAL_TIME = (
    2.6  # of a step of the literal preset, in √(h/g): 0.8 s for a man, whose foot is off the ground for 0.4
)
SETTLED = 0.03  # in heights: ξ this close to the middle of the feet,
APART = 0.04  # and a foot this far from where it stands at rest: it may be brought back,
LONGEST = 3.5  # in √(h/g): for which the weight moves over for so long at the most,
REST = 5.0  # and which is tried again after this time
WIDE = 0.4  # in heights: out of feet this far apart the other one follows at once,
NEAR = 0.2  # where ξ is so near the new one


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
            ``literal`` (the paper's rules: place and time fixed at the trigger, the foot nearest to the place, which
            goes there with a Gaussian speed, so that both feet push at the beginning and at the end of the step).
        time: Of a recovery step, in √(h/g).
        again: Within this time after a landing the other foot must step, in √(h/g).
        eager: Factor of d_l and d_h that decide when to step: the body's tendency to do so.
        ready: For how long the weight moves over before the first foot leaves the ground, in √(h/g).
        tidy: Whether the feet come together again afterwards.
        posed: Inverse kinematics that leads the foot of a literal step, as the paper has it; None: the sole by itself.
    """

    supervisor: str = "momentum"
    preset: str = "robust"
    time: float = 0.9
    again: float = 1.9
    eager: float = 1.0
    ready: float = 0.0
    tidy: bool = False
    posed: Bending | None = None

    def start(self, facts: Facts, tick: Tick, gait: Gait) -> None:
        self.last, self.landed, self.rested = -1, -math.inf, -math.inf
        self._planner = LandingPlanner(facts)
        self._when = Damping(self.eager * WHEN.linear, self.eager * WHEN.angular)

    def step(self, facts: Facts, tick: Tick, gait: Gait) -> Step | None:
        if gait.step is not None:
            self.last, self.landed = gait.step.swing, tick.state.t
        if not self._falls(facts, tick):
            return self._together(facts, tick, gait) if self.tidy else None
        if self.preset == "literal":
            return self._literal(facts, tick, gait)
        if tick.state.t - self.landed < self.again / facts.rate:
            return self._make(facts, tick, gait, 1 - self.last, self.time / facts.rate)
        step = self._best(facts, tick, gait)
        if self.ready and gait.phase == STAND:
            step = step._replace(shift=True, ready=self.ready / facts.rate)
        return step

    def _falls(self, facts: Facts, tick: Tick) -> bool:
        """Whether the pressure that would stop both momenta lies outside the support."""
        size = facts.support.span(tick.state, BOTH)
        return not inside(facts.support.polygon[:size], self.stopping_point(facts, tick, self._when))

    def _best(self, facts: Facts, tick: Tick, gait: Gait) -> Step:
        """A step by the foot that leaves the body nearer to captured."""
        steps = [self._make(facts, tick, gait, i, self.time / facts.rate) for i in (0, 1)]
        xi = self.stopping_point(facts, tick, WHERE)  # where the push is going, not where it is
        costs = [self._planner.plan(facts, tick, step, xi, 0.0, gait.p).cost for step in steps]
        return steps[int(np.argmin(costs))]

    def _together(self, facts: Facts, tick: Tick, gait: Gait) -> Step | None:
        """A step that brings one foot beside the other: at once out of a straddle, else once the body rests."""
        swing = 1 - self.last if self.last >= 0 else 0  # the last one that stepped stays
        c, s = math.cos(gait.facing), math.sin(gait.facing)
        beside = facts.legs[swing].side * facts.width
        place = tick.place[1 - swing] + np.array([-s * beside, c * beside])
        apart = float(norm(place - tick.place[swing])) / facts.h
        if gait.phase != STAND:
            near = float(norm(tick.xi - tick.place[1 - swing])) < NEAR * facts.h
            return (
                self._make(facts, tick, gait, swing, self.time / facts.rate)
                if apart > WIDE and near
                else None
            )
        restless = float(norm(tick.xi - tick.centre)) > SETTLED * facts.h or tick.state.t < self.rested
        if apart < APART or restless:
            return None
        self.rested = tick.state.t + REST / facts.rate
        step = self._make(facts, tick, gait, swing, self.time / facts.rate)
        return step._replace(shift=True, ready=LONGEST / facts.rate, leave=True)

    def stopping_point(self, facts: Facts, tick: Tick, damping: Damping) -> np.ndarray:
        """Pressure that would stop the momenta (2,)."""
        if self.supervisor == "capture":
            return tick.xi.copy()
        angular = damping.angular if self.supervisor == "momentum" else 0.0
        f = tick.state.m * facts.g
        if self.preset == "literal":  # L̇_z + m g is what the ground gives
            f = min(max(float(tick.state.f[2]), LEAST * f), MOST * f)
        return momentum_point(facts, tick, damping.linear * facts.rate, angular * facts.rate, f)

    def _literal(self, facts: Facts, tick: Tick, gait: Gait) -> Step:
        """The paper's step: to the place that eq. 4.5-4.6 give with higher gains, by the foot nearest to it."""
        place = self.stopping_point(facts, tick, WHERE)
        swing = int(np.argmin(norm(tick.place - place, axis=1)))
        T = LITERAL_TIME / facts.rate
        step = Step(swing, place, gait.facing, np.zeros(2), T, live=False, recovery=True, curve=True)
        return step._replace(posed=self.posed)

    def _make(self, facts: Facts, tick: Tick, gait: Gait, swing: int, T: float) -> Step:
        step = Step(swing, np.zeros(2), gait.facing, np.zeros(2), T, recovery=True)
        return self._beside(facts, tick, step)

    def _beside(self, facts: Facts, tick: Tick, step: Step) -> Step:
        """A step to the side of the other sole, after which one could step in place."""
        c, s = math.cos(step.heading), math.sin(step.heading)
        R, beside = np.array([[c, -s], [s, c]]), np.array([0.0, facts.legs[step.swing].side * facts.width])
        offset = times(R, steady_offset(beside, -beside, math.exp(tick.omega * step.time)))
        return step._replace(place=tick.place[1 - step.swing] + times(R, beside), offset=offset)

    def aim(self, facts: Facts, tick: Tick, step: Step) -> Step:
        return step if self.preset == "literal" else self._beside(facts, tick, step)

    def instead(self, facts: Facts, tick: Tick, gait: Gait) -> Step | None:
        step = gait.step
        return (
            None
            if step is None or step.recovery or not self._falls(facts, tick)
            else self._best(facts, tick, gait)
        )


def momentum_point(facts: Facts, tick: Tick, d_l: float, d_h: float, f: float) -> np.ndarray:
    """Pressure (2,) that would take both momenta away: eq. 4.5 and 4.6, d in 1/s, f the vertical force [N]."""
    state = tick.state
    z = float(state.ground.height_of(state.c))
    turn = np.array([tick.H[1], -tick.H[0]])
    return tick.c + d_l * tick.L[:2] * z / f + d_h * turn / f

"""Steps, however they are decided: the phases of a step, and what is wanted of the body in each."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from poise.behaviours.balance.gains import Gains, Weights
from poise.behaviours.stepping.dcm import lowest, sense
from poise.behaviours.stepping.heels import Heels
from poise.behaviours.stepping.height import Rise
from poise.behaviours.stepping.legs import Leg, Legs
from poise.behaviours.stepping.planner import Planner
from poise.behaviours.stepping.posture import Posture
from poise.behaviours.stepping.step import (
    DOUBLE,
    SHIFT,
    STAND,
    SWING,
    Director,
    Step,
    ahead_of,
    turned,
    wrapped,
)
from poise.behaviours.stepping.stride import StepWeights, Stride
from poise.behaviours.stepping.swing import BRISK, FIRM, GENTLE, SwingPath
from poise.behaviours.stepping.zmp import on_curve, pressure
from poise.control.behaviour import Behaviour, Signal
from poise.control.contact import Grip
from poise.control.solve import Command
from poise.dynamics.state import State

__all__ = ["Director", "Step", "Stepper", "turned"]

STEPPING = Grip(inset=0.016, torsion=0.5, frequency=6.0, ease=0.01, arm=0.01, forget=20.0)
TOUCH = 0.001  # [m]: a lifted sole with a corner this low has landed
CALM = 0.01  # in heights: ξ this close to the middle of the soles has come to rest
NEAR = (0.02, 0.03)  # in heights: ξ this close to where a single step, or a gait, begins: the foot may lift
URGENT = 0.1  # in heights: a step this far from where it was wanted must land in time,
HURRY = 0.3  # of its time: or a step that comes this much sooner or later
UNLOADED = 0.85  # of a double support after which the foot behind carries nothing
PATIENCE = 6.0  # in √(h/g): longest shift of the weight
FACING = 6.3  # in √(g/h): rate at which the body turns to the heading of its feet
HALF_SUNK = 0.5  # of the height at rest: least height that ω counts with


@dataclass
class Stepper(Behaviour):
    """Stand on two limbs and take the steps that a director asks for."""

    director: Director
    stride: Stride = field(default_factory=Stride)
    weights: StepWeights = field(default_factory=StepWeights)
    standing: Weights = field(default_factory=Weights)
    gains: Gains = field(default_factory=Gains)
    mu: float = 0.72
    grip: Grip = STEPPING  # soles that come and go tip and twist more easily

    def start(self, state: State, dt: float) -> None:
        self.legs = Legs(state.character)
        self.posture = Posture(state, self.legs, self.gains, self.standing, self.weights, dt, self.mu)
        self.dt, self.t0 = dt, state.t
        self.h = self.legs.height
        self.g = float(np.linalg.norm(state.g))
        self.rate = self.omega = math.sqrt(self.g / self.h)  # at rest, and as it is now
        self.phase, self.clock = STAND, 0.0
        self.stand_clock, self.calm, self.spend = 0.0, True, True
        self.now: Step | None = None
        self.planted = np.array([True, True])
        self.path = SwingPath(self.dt, math.sqrt(self.g * self.h))
        self.steps, self.first_step = 0, math.nan
        self.landings: list[tuple[float, int, float]] = []  # time, limb, distance from where it was wanted
        self.T = 0.0
        self._allocate()
        self._sense(state)
        self.facing = self.heading[0] + 0.5 * wrapped(self.heading[1] - self.heading[0])
        self.planner, self.rise, self.heels = Planner(self), Rise(self), Heels(self, state)
        self.director.start(self, state)
        self.q_ref = self.posture.q_ref

    def _allocate(self) -> None:
        self.place, self.heading = np.zeros((2, 2)), np.zeros(2)
        self.c, self.v, self.xi, self.xi_ref = (np.zeros(2) for _ in range(4))
        self.p_des, self.pivot, self.old_pivot, self.goal, self.origin = (np.zeros(2) for _ in range(5))
        self._gait, self._soles, self._footprint = np.zeros(4), np.zeros(6), np.zeros(3)
        self._supports = np.array([leg.support for leg in self.legs.both])

    def signals(self) -> dict[str, Signal]:
        """Phase and steps; soles and ξ as they are; where the swing foot is going."""
        return {
            "gait": Signal(self._gait, "1, 1, 1, m", "none", ("phase", "steps", "swing", "landing_error")),
            "soles": Signal(self._soles, "m, m, rad", "world", ("lx", "ly", "lh", "rx", "ry", "rh")),
            "xi": Signal(self.xi, "m", "world", ("x", "y")),
            "footprint": Signal(self._footprint, "m, m, rad", "world", ("x", "y", "heading")),
        }

    def _tell(self) -> None:
        swing = -1 if self.now is None else self.now.swing
        error = self.landings[-1][2] if self.landings else math.nan
        self._gait[:] = self.phase, self.steps, swing, error
        self._soles[:2], self._soles[3:5], self._soles[2::3] = self.place[0], self.place[1], self.heading
        self._footprint[:] = np.nan
        if self.now is not None and self.phase == SWING:
            self._footprint[:2], self._footprint[2] = self.goal, self.now.heading

    @property
    def period(self) -> float | None:
        """Of a stride [s], where the director takes one after the other."""
        return getattr(self.director, "period", None)

    # -- what is, in two dimensions

    def _sense(self, state: State) -> None:
        ground = state.ground
        self.omega = sense(
            state.c, state.L, state.m, state.x, state.R, self._supports, ground.point, ground.normal, self.g,
            HALF_SUNK * self.h, self.c, self.v, self.xi, self.place, self.heading,
        )  # fmt: skip

    def leg(self, i: int) -> Leg:
        return self.legs.both[i]

    @property
    def centre(self) -> np.ndarray:
        """Middle between the soles."""
        return 0.5 * (self.place[0] + self.place[1])

    def ahead(self, i: int, t: float) -> float:
        """How far ahead of a sole's centre the pivot lies at a time of the step [m]."""
        step, fixed = self.now, self.stride.ahead * self.leg(i).half[0]
        if step is None:
            return fixed
        return fixed + step.roll * (t / step.time - 0.5 + 1.0 / (self.omega * step.time))

    def pivot_of(self, i: int, t: float) -> np.ndarray:
        """Point (2,) that ξ diverges from at a time of the step: the pressure, rolling on, and its lead."""
        angle = self.facing if self.now is None else self.now.heading
        return self.place[i] + self.ahead(i, t) * ahead_of(angle)

    @property
    def lead(self) -> np.ndarray:
        """What ``pivot_of`` is ahead of the pressure itself (2,)."""
        step = self.now
        if step is None:
            return np.zeros(2)
        return step.roll / (self.omega * step.time) * ahead_of(step.heading)

    def momentum_point(self, state: State, d_l: float, d_h: float) -> np.ndarray:
        """Centre of pressure that would take both momenta away: eq. 4.5 and 4.6, d in 1/s."""
        z, f = float(state.ground.height_of(state.c)), state.m * self.g
        turn = np.array([state.H[1], -state.H[0]])
        return self.c + d_l * state.L[:2] * z / f + d_h * turn / f

    # -- phases

    def update(self, state: State) -> Command:
        self._sense(state)
        if self.posture.lost(state):
            self._tell()
            return self.posture.limp(state)
        self.clock += self.dt
        if self.phase == SWING:
            self._swing(state)
        elif self.phase == SHIFT:
            self._shift(state)
        elif self.phase == DOUBLE and self.now is not None and self.now.follows and not self.now.recovery:
            self.planted[1 - self.now.swing] = self.changed_over < 1.0
        if self.phase == STAND or (self.phase == DOUBLE and self.clock >= self.half_double):
            self._decide(state)
        self._face()
        command = self._command(state)
        self._tell()
        return command

    @property
    def half_double(self) -> float:
        return 0.5 * self.stride.double / self.omega

    @property
    def changed_over(self) -> float:
        """How much of the weight is meant to be on the new foot in double support, from 0 to 1."""
        gone = 0.5 + 0.5 * self.clock / max(self.half_double, 1e-6)
        return min(max(gone / UNLOADED, 0.0), 1.0)

    def _decide(self, state: State) -> None:
        step = self.director.step(self, state)
        if step is None:
            self.planted[:] = True
            if self.phase != STAND:
                self.phase, self.now, self.stand_clock, self.calm = STAND, None, 0.0, False
            self.stand_clock += self.dt
            return
        fresh = self.phase == STAND
        self.now = step
        if math.isnan(self.first_step):
            self.first_step = state.t - self.t0
        self.pivot = self.pivot_of(1 - step.swing, 0.0)
        if fresh and step.shift:
            self.phase, self.clock = SHIFT, 0.0
            self.posture.step()
            return
        self._lift(state, 0.0 if fresh else self.clock)

    def _shift(self, state: State) -> None:
        """Both feet down, ξ moves to where the step can begin."""
        assert self.now is not None
        self.director.aim(self, state, self.now)
        self.pivot = self.pivot_of(1 - self.now.swing, 0.0)
        gap = np.linalg.norm(self.xi - self.start_point())
        if gap < NEAR[self.now.follows] * self.h or self.clock > PATIENCE / self.omega:
            self._lift(state, 0.0)

    def start_point(self) -> np.ndarray:
        """Where ξ should be when the swing foot leaves the ground (2,)."""
        step = self.now
        assert step is not None
        if not step.follows:
            return self.pivot
        last = self.pivot_of(1 - step.swing, step.time)
        return self.pivot + (self.goal_xi() - last) * math.exp(-self.omega * step.time)

    def goal_xi(self) -> np.ndarray:
        """ξ wished for at the end of the step (2,): the offset counts from the new sole's first pivot."""
        step = self.now
        assert step is not None
        return step.place + step.offset + self.ahead(1 - step.swing, 0.0) * ahead_of(step.heading)

    def _lift(self, state: State, clock: float) -> None:
        assert self.now is not None
        self.phase, self.clock, self.origin = SWING, clock, self.c.copy()
        leg = self.leg(self.now.swing)
        self.planted[:] = True
        self.planted[self.now.swing] = False
        self.T = self.now.time
        self.path.lift(state, leg.support, leg.half[0])
        self.posture.step()
        self._replan()

    def _swing(self, state: State) -> None:
        step, stride = self.now, self.stride
        assert step is not None
        left = self.T - self.half_double - self.clock
        if left > stride.freeze / self.omega:
            self.director.aim(self, state, step)
            self._replan()
            left = self.T - self.half_double - self.clock
        lift = stride.lift * self.h if step.lift is None else step.lift
        tilt = self.heels.pitch(self, state, step.swing)
        landing = GENTLE if not step.follows else FIRM if step.recovery or self.astray > 1.0 else BRISK
        self.path.advance(
            self.goal, step.heading, left, lift, stride.apex, tilt, self.heels.strike(self), landing
        )
        if self.path.falling and self._touches(state, self.leg(step.swing).support):
            self._land(state)

    @property
    def astray(self) -> float:
        """How far from what was wanted this step of a gait will land in place and time: 1 and more is urgent."""
        step = self.now
        if step is None or not step.follows or step.recovery:
            return math.inf
        away = math.hypot(self.goal[0] - step.place[0], self.goal[1] - step.place[1])
        return away / (URGENT * self.h) + abs(self.T / step.time - 1.0) / HURRY

    @property
    def steady(self) -> float:
        """Whether there is time for the niceties of a gait, from 1 down to 0."""
        return min(max(3.0 - 2.0 * self.astray, 0.0), 1.0)

    def _touches(self, state: State, s: int) -> bool:
        ground = state.ground
        return lowest(state.corners[s], state.corner_count[s], ground.point, ground.normal) < TOUCH

    def _land(self, state: State) -> None:
        step = self.now
        assert step is not None
        error = float(np.linalg.norm(self.place[step.swing] - self.goal))
        self.landings.append((state.t - self.t0, step.swing, error))
        self.planted[:] = True
        self.phase, self.clock = DOUBLE, -self.half_double
        self.steps += 1
        self.heels.land(self, state, step.swing)
        self.old_pivot, self.pivot = self.p_des.copy(), self.pivot_of(step.swing, 0.0)

    # -- the landing

    def _replan(self) -> None:
        """Landing place and time, from ξ as it is."""
        step = self.now
        assert step is not None
        if not step.live:
            self.goal, self.T = step.place.copy(), step.time
            return
        self.planner.plan(self, step, self.xi, self.clock)
        self.goal, self.T = self.planner.place.copy(), self.planner.time

    def cost_of(self, state: State, step: Step, xi: np.ndarray) -> float:
        """How far from captured a step that began now would leave a body with this ξ (2,)."""
        before, self.now = self.now, step
        cost = self.planner.plan(self, step, xi, 0.0)
        self.now = before
        return cost

    # -- wishes

    def _face(self) -> None:
        """The body turns with its feet; a foot in the air counts with where it is going."""
        a, b = self.heading
        if self.now is not None and self.phase == SWING:
            share = min(max(self.clock / max(self.T, 1e-3), 0.0), 1.0)
            if self.now.swing == 0:
                a += share * wrapped(self.now.heading - a)
            else:
                b += share * wrapped(self.now.heading - b)
        self.facing += min(FACING * self.rate * self.dt, 1.0) * wrapped(
            a + 0.5 * wrapped(b - a) - self.facing
        )

    def _command(self, state: State) -> Command:
        height = self.rise.advance(self)
        self.posture.face(self.facing)
        if self.phase == STAND and not self.calm:
            away = self.xi - self.centre
            self.calm = bool(np.linalg.norm(away) < CALM * self.h and self.stand_clock > 2.0 / self.rate)
            if self.calm:
                self.posture.stand()
        if self.phase == STAND and self.calm:
            self.p_des = self.c.copy()
            return self.posture.balance(state, self.centre, height, self.planted)
        self.spend = True
        self.p_des = pressure(self, state)
        rate = np.empty(3)
        rate[:2] = self.omega**2 * (1.0 + height[2] / self.g) * (self.c - self.p_des)
        swing = None
        if self.phase == SWING:
            assert self.now is not None
            if self.now.curve:
                rate[:2] = on_curve(self)
            swing = self.path.objective(self.leg(self.now.swing).support, self.weights, self.omega)
        rolling = self.heels.rolling(self, state)
        return self.posture.drive(state, rate, height, self.planted, swing, rolling, self.spend)

"""Steps, however they are decided: the phases of a step, and what is wanted of the body in each."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, field

import numpy as np

from poise.behaviours.behaviour import Behaviour, Signal
from poise.behaviours.gains import Gains, Weights
from poise.behaviours.landing import plan_landing
from poise.behaviours.legs import Leg, Legs
from poise.behaviours.posture import Posture
from poise.behaviours.stride import StepWeights, Stride
from poise.behaviours.swing import SwingPath
from poise.control.contact import Grip
from poise.control.sole import RollingSole
from poise.control.solve import Command
from poise.dynamics.state import State
from poise.geometry.polygon import project

STAND, SHIFT, SWING, DOUBLE = range(4)
STEPPING = Grip(inset=0.016, torsion=0.08, frequency=6.0)
TOUCH = 0.002  # [m]: a lifted sole with a corner this low has landed
RISE = 0.3  # [rad]: how far a heel has risen when the other foot lands
AHEAD = 0.06  # [s]: how far ahead an ankle's range is watched
LATE = 0.7  # of a swing, when the foot has the pitch it lands with
FLEX = 0.6  # part of the ankle's range, toes up, that stepping uses
ROLL = 0.5  # of a sole's half length: a body this far ahead of a sole's middle may lift its heel
CALM = 0.01  # in heights: ξ this close to the middle of the soles has come to rest


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
    lift: float | None = None  # clearance [m]
    curve: bool = (
        False  # the centre of mass follows a Bézier curve over the pivot (4.4.2) instead of falling freely
    )


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
        self.stand_clock, self.calm = 0.0, True
        self.now: Step | None = None
        self.planted = np.array([True, True])
        self.path = SwingPath(self.dt)
        self.steps, self.first_step = 0, math.nan
        self.landings: list[tuple[float, int, float]] = []  # time, limb, distance from where it was wanted
        self.place = np.zeros((2, 2))
        self.heading = np.zeros(2)
        self.xi, self.p_des, self.pivot = np.zeros(2), np.zeros(2), np.zeros(2)
        self.xi_ref = np.zeros(2)
        self.T = 0.0
        self._plan = np.zeros(3)
        self._gait, self._soles, self._footprint = np.zeros(4), np.zeros(6), np.zeros(3)
        self._sense(state)
        self.facing = self._mean_heading()
        self.height_now, self.height_rate = self.h, 0.0
        self.anchor = np.full((2, 4), np.nan)  # of the toe edges that a sole rolls over: place, heading
        self.director.start(self, state)
        self.q_ref = self.posture.q_ref

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
        self._soles[[0, 1, 3, 4]], self._soles[2::3] = self.place.ravel(), self.heading
        self._footprint[:] = np.nan
        if self.now is not None and self.phase == SWING:
            self._footprint[:2], self._footprint[2] = self.goal, self.now.heading

    # -- what is, in two dimensions

    def _sense(self, state: State) -> None:
        v = state.L / state.m
        self.c = state.c[:2].copy()
        self.v = v[:2].copy()
        self.omega = math.sqrt(self.g / max(float(state.ground.height_of(state.c)), 0.5 * self.h))
        self.xi[:] = self.c + self.v / self.omega
        for i, leg in enumerate(self.legs.both):
            self.place[i] = state.x[leg.support][:2]
            R = state.R[leg.support]
            self.heading[i] = math.atan2(R[1, 0], R[0, 0])

    def _mean_heading(self) -> float:
        a, b = self.heading
        return a + 0.5 * _wrapped(b - a)

    def leg(self, i: int) -> Leg:
        return self.legs.both[i]

    @property
    def centre(self) -> np.ndarray:
        """Middle between the soles."""
        return 0.5 * (self.place[0] + self.place[1])

    def pivot_of(self, i: int, t: float) -> np.ndarray:
        """Point (2,) that ξ diverges from at a time of the step: the pressure, rolling on, and its lead."""
        step, T = self.now, self.T_nominal
        roll = 0.0 if step is None else step.roll
        along = self.stride.ahead * self.leg(i).half[0] + roll * (t / T - 0.5 + 1.0 / (self.omega * T))
        angle = self.facing if step is None else step.heading
        return self.place[i] + along * np.array([math.cos(angle), math.sin(angle)])

    @property
    def lead(self) -> np.ndarray:
        """What ``pivot_of`` is ahead of the pressure itself (2,)."""
        step = self.now
        if step is None:
            return np.zeros(2)
        along = step.roll / (self.omega * self.T_nominal)
        return along * np.array([math.cos(step.heading), math.sin(step.heading)])

    @property
    def T_nominal(self) -> float:
        return 1.0 if self.now is None else self.now.time

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
        if self.phase == STAND or (self.phase == DOUBLE and self.clock >= self.half_double):
            self._decide(state)
        self._face()
        command = self._command(state)
        self._tell()
        return command

    @property
    def half_double(self) -> float:
        return 0.5 * self.stride.double / self.omega

    def _decide(self, state: State) -> None:
        step = self.director.step(self, state)
        if step is None:
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
        goal = self._start_point()
        gap = np.linalg.norm(self.xi - goal)
        if gap < (0.03 if self.now.follows else 0.02) * self.h or self.clock > 6.0 / self.omega:
            self._lift(state, 0.0)

    def _start_point(self) -> np.ndarray:
        """Where ξ should be when the swing foot leaves the ground."""
        step = self.now
        assert step is not None
        if not step.follows:
            return self.pivot
        goal = self._goal_xi()
        last = self.pivot_of(1 - step.swing, step.time)
        return self.pivot + (goal - last) * math.exp(-self.omega * step.time)

    def _goal_xi(self) -> np.ndarray:
        """ξ wished for at the end of the step (2,): the offset counts from the new sole's first pivot."""
        step = self.now
        assert step is not None
        return step.place + step.offset + self.pivot_of(1 - step.swing, 0.0) - self.place[1 - step.swing]

    def _lift(self, state: State, clock: float) -> None:
        assert self.now is not None
        self.phase, self.clock, self.origin = SWING, clock, self.c.copy()
        s = self.leg(self.now.swing).support
        self.planted[:] = True
        self.planted[self.now.swing] = False
        self.T = self.now.time
        self.path.lift(state, s, self.leg(self.now.swing).half[0])
        self.posture.step()
        self._replan(state)

    def _swing(self, state: State) -> None:
        step, stride = self.now, self.stride
        assert step is not None
        left = self.T - self.half_double - self.clock
        if left > stride.freeze / self.omega:
            self.director.aim(self, state, step)
            self._replan(state)
            left = self.T - self.half_double - self.clock
        lift = stride.lift * self.h if step.lift is None else step.lift
        self.path.advance(self.goal, step.heading, left, lift, stride.apex,
                          self._tilt(state, step.swing))  # fmt: skip
        if self.path.falling and self._touches(state, self.leg(step.swing).support):
            self._land(state)

    def _tilt(self, state: State, i: int) -> float:
        """Least pitch of a foot, heel up, that keeps its ankle well inside its range [rad]."""
        leg = self.leg(i)
        b = state.tree.body(leg.bodies[-2])
        R, w = state.data.xmat[state.tree.body0 + b].reshape(3, 3), state.cvel[b]
        c, sn = math.cos(self.facing), math.sin(self.facing)
        lean = math.atan2(R[0, 2] * c + R[1, 2] * sn, R[2, 2])
        if self.planted[i]:
            return lean + FLEX * leg.flex
        late = min(self.path.share / LATE, 1.0)  # near the end of a swing the sole should be flat
        lean += (1.0 - late) * max(0.0, AHEAD * (c * w[1] - sn * w[0]))
        return lean + (FLEX + late * (0.95 - FLEX)) * leg.flex

    def _touches(self, state: State, s: int) -> bool:
        heights = state.ground.height_of(state.corners[s][: state.corner_count[s]])
        return bool(np.min(heights) < TOUCH)

    def _land(self, state: State) -> None:
        step = self.now
        assert step is not None
        error = float(np.linalg.norm(self.place[step.swing] - self.goal))
        self.landings.append((state.t - self.t0, step.swing, error))
        self.planted[:] = True
        self.phase, self.clock = DOUBLE, -self.half_double
        self.steps += 1
        self.old_pivot, self.pivot = self.p_des.copy(), self.pivot_of(step.swing, 0.0)

    def _replan(self, state: State) -> None:
        """Landing place and time, from ξ as it is."""
        step = self.now
        assert step is not None
        if not step.live:
            self.goal, self.T = step.place.copy(), step.time
            return
        self._plan_step(state, step, self.clock)
        stance = self.place[1 - step.swing]
        final = self.pivot_of(1 - step.swing, step.time) - stance
        self.goal = stance + final + turned(step.heading) @ self._plan[:2]
        self.T = float(self._plan[2])

    def cost_of(self, state: State, step: Step, xi: np.ndarray) -> float:
        """How far from captured a step that began now would leave a body with this ξ (2,)."""
        before, self.now, kept = self.now, step, self.xi.copy()
        self.xi[:] = xi
        cost = self._plan_step(state, step, 0.0)
        self.now, self.xi[:] = before, kept
        return cost

    def _plan_step(self, state: State, step: Step, clock: float) -> float:
        """Best landing into ``_plan``, from the stance's last pivot, in axes along the heading; returns its cost."""
        stride, h, w, stance = self.stride, self.h, self.omega, 1 - step.swing
        R = turned(step.heading)
        xi = self.xi
        weights = np.array(
            [stride.place / h**2, stride.when, stride.offset / h**2, stride.haste / (self.g * h)]
        )
        soonest = clock + 0.5 * (stride.freeze + 0.5 * stride.double) / w
        bounds = (max(stride.shortest / w, soonest), stride.longest / w)
        now, first = self.pivot_of(stance, clock), self.pivot_of(stance, 0.0)
        away = stride.trust * (self.p_des - now + self.lead) if clock > 0 else np.zeros(2)
        # in a frame that moves with the pivot, so that only the distance from it matters
        place = self.place[stance]
        final = self.pivot_of(stance, step.time) - place
        return plan_landing(
            R.T @ (xi - now), R.T @ away, R.T @ (self.place[step.swing] - place - final), clock, w,
            R.T @ (step.place - place - final), R.T @ (step.offset + first - place),
            step.time, bounds, self._box(step.swing) - R.T @ final, weights,
            stride.fastest * math.sqrt(self.g * h), self._plan,
        )  # fmt: skip

    def _box(self, swing: int) -> np.ndarray:
        """Lowest and highest landing, in the frame of the stance sole (2, 2)."""
        leg, stride = self.leg(swing), self.stride
        near = stride.clearance * 2 * self.legs.sole[1]
        far = near + stride.wide * leg.reach
        low, high = (near, far) if leg.side > 0 else (-far, -near)
        return np.array([[-stride.back * leg.reach, low], [stride.far * leg.reach, high]])

    # -- wishes

    def _face(self) -> None:
        """The body turns with its feet; a foot in the air counts with where it is going."""
        ahead = self.heading.copy()
        if self.now is not None and self.phase == SWING:
            share = min(max(self.clock / max(self.T, 1e-3), 0.0), 1.0)
            i = self.now.swing
            ahead[i] += share * _wrapped(self.now.heading - ahead[i])
        goal = ahead[0] + 0.5 * _wrapped(ahead[1] - ahead[0])
        self.facing += 0.1 * _wrapped(goal - self.facing)

    def _pressure(self, state: State) -> np.ndarray:
        """Where the centre of pressure should be (2,)."""
        stride, step = self.stride, self.now
        if self.phase == SWING:
            assert step is not None
            stance = 1 - step.swing
            if not step.follows:
                goal = self.place[stance]
                return goal + self._in_sole((1 + stride.firm) * (self.xi - goal), stance)
            last = self.pivot_of(stance, step.time)
            now = self.pivot_of(stance, self.clock)
            self.xi_ref = now + (self._goal_xi() - last) * math.exp(self.omega * (self.clock - step.time))
            return now - self.lead + self._in_sole(stride.feedback * (self.xi - self.xi_ref), stance)
        if self.phase == STAND or (
            self.phase == DOUBLE and step is not None and (step.recovery or not step.follows)
        ):
            return self._in_support(state, self.centre + (1 + stride.firm) * (self.xi - self.centre))
        if self.phase == SHIFT:
            goal = self._start_point()
            return self._in_support(state, goal + (1 + stride.firm) * (self.xi - goal))
        assert self.phase == DOUBLE and step is not None
        share = min(max(0.5 + 0.5 * self.clock / max(self.half_double, 1e-6), 0.0), 1.0)
        return self._in_support(state, self.old_pivot + share * (self.pivot - self.lead - self.old_pivot))

    def _on_curve(self) -> np.ndarray:
        """Acceleration (2,) along the curve from the start over the pivot to the middle of the feet: eq. 4.10."""
        T, g, w = max(self.T, 1e-3), self.gains, self.rate
        s = min(max(self.clock / T, 0.0), 1.0)
        e, e_dot, e_ddot = s * s * (3 - 2 * s), 6 * s * (1 - s) / T, (6 - 12 * s) / T**2
        a, b, c = self.origin, self.pivot, 0.5 * (self.pivot + self.goal)
        x = (1 - e) ** 2 * a + 2 * e * (1 - e) * b + e * e * c
        slope, bend = 2 * (1 - e) * (b - a) + 2 * e * (c - b), 2 * (c - 2 * b + a)
        x_dot, x_ddot = slope * e_dot, bend * e_dot**2 + slope * e_ddot
        return x_ddot + w * w * g.linear * (x - self.c) + w * g.linear_damping * (x_dot - self.v)

    def _in_sole(self, shift: np.ndarray, i: int) -> np.ndarray:
        """A shift of the pressure, cut to what a sole allows (2,)."""
        R = turned(self.heading[i])
        half = self.stride.sole * self.leg(i).half
        return R @ np.clip(R.T @ shift, -half, half)

    def _in_support(self, state: State, p: np.ndarray) -> np.ndarray:
        size = self.posture.support(state, self.planted)
        near = np.empty(2)
        self.spend = bool(project(self.posture.polygon, size, p, near) > 0.0)
        return near

    def _height(self, state: State) -> tuple[float, float, float]:
        """Height of the centre of mass wanted, its rate and acceleration."""
        places, heading, c = self.place.copy(), self.heading.copy(), self.centre
        if self.now is not None and self.phase == SWING:
            places[self.now.swing], heading[self.now.swing] = self.goal, self.now.heading
            c = 0.5 * (places[0] + places[1])
        elif self.phase == SHIFT:
            c = self._start_point()
        ahead = np.array([math.cos(self.facing), math.sin(self.facing)])
        reach, stretch = math.inf, 0.995 if self.phase == STAND else self.stride.stretch
        for i in range(2):
            rise = (
                RISE if self.phase != SHIFT and (c - places[i]) @ ahead > 0.2 * self.leg(i).half[0] else 0.0
            )
            reach = min(reach, self.legs.height_over(i, places[i], heading[i], c, self.facing, rise, stretch))
        goal = min(self.h, reach)
        rate = 3.0 * self.omega
        a = rate * rate * (goal - self.height_now) - 2 * rate * self.height_rate
        self.height_rate += a * self.dt
        self.height_now += self.height_rate * self.dt
        return self.height_now, self.height_rate, a

    def _command(self, state: State) -> Command:
        height = self._height(state)
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
        self.p_des = self._pressure(state)
        rate = np.empty(3)
        rate[:2] = self.omega**2 * (self.c - self.p_des)
        if self.phase == SWING and self.now is not None and self.now.curve:
            rate[:2] = self._on_curve()
        swing = None
        if self.phase == SWING:
            assert self.now is not None
            swing = self.path.objective(self.leg(self.now.swing).support, self.weights, self.omega)
        return self.posture.drive(state, rate, height, self.planted, swing, self._rolling(state), self.spend)

    def _rolling(self, state: State) -> list[RollingSole]:
        """Planted soles behind the body: their heels may rise."""
        ahead = np.array([math.cos(self.facing), math.sin(self.facing)])
        out = []
        for i, leg in enumerate(self.legs.both):
            behind = (self.c - self.place[i]) @ ahead > ROLL * leg.half[0]
            if (
                self.phase != DOUBLE
                or self.now is None
                or i == self.now.swing
                or not self.now.follows
                or not behind
            ):
                self.anchor[i] = np.nan
                continue
            edge = np.array([leg.half[0], 0.0, 0.0])
            if np.isnan(self.anchor[i, 0]):
                self.anchor[i, :3] = state.x[leg.support] + state.R[leg.support] @ edge
                self.anchor[i, 2] = state.ground.point[2]
                self.anchor[i, 3] = self.heading[i]
            out.append(
                RollingSole(
                    leg.support,
                    edge,
                    self.anchor[i, :3],
                    self.anchor[i, 3],
                    max(0.0, self._tilt(state, i)),
                    355.0,
                    37.7,
                    (3000.0, self.weights.roll),
                )
            )
        return out


def turned(angle: float) -> np.ndarray:
    """Rotation of the plane (2, 2)."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s], [s, c]])


def _wrapped(angle: float) -> float:
    """The same turn, within half a revolution."""
    return (angle + math.pi) % (2 * math.pi) - math.pi

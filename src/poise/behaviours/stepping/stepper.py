"""The phases of a step, and what is wanted of the body in each, however steps are decided."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from poise.behaviours.balance.felt import Felt
from poise.behaviours.balance.gains import Gains, Weights
from poise.behaviours.balance.idle import AtRest, Idle
from poise.behaviours.balance.startle import Startle
from poise.behaviours.stepping.curve import on_curve
from poise.behaviours.stepping.dcm import Seen, Support, changed_over, measure, pivot_of, pressure, xi_at_lift
from poise.behaviours.stepping.foothold import foothold
from poise.behaviours.stepping.heels import Heels, strike_pitch
from poise.behaviours.stepping.height import Height
from poise.behaviours.stepping.landing import LandingPlanner
from poise.behaviours.stepping.legs import Legs
from poise.behaviours.stepping.posed import Posed
from poise.behaviours.stepping.posture import Posture
from poise.behaviours.stepping.reach import LIFT, reach
from poise.behaviours.stepping.restraint import Restraint
from poise.behaviours.stepping.step import DOUBLE, SHIFT, STAND, SWING, Director, Facts, Gait, Step, Tick
from poise.behaviours.stepping.stride import StepWeights, Stride
from poise.behaviours.stepping.swing import BRISK, FIRM, GENTLE, SwingPath
from poise.control.behaviour import Behaviour, Signal, Solver, Torque
from poise.control.contact import Grip
from poise.control.solve import Command
from poise.dynamics.state import State
from poise.geometry.linear import norm

STEPPING = Grip(inset=0.016, torsion=0.5, frequency=6.0, ease=0.01, arm=0.01, forget=20.0)
CALM = 0.01  # in heights: ξ this close to the middle of the soles has come to rest,
CALM_AFTER = 2.0  # in √(h/g): when it has stood for this long
NEAR = (0.02, 0.03)  # in heights: ξ this close to where a single step, or a gait, begins: the foot may lift
PATIENCE = 6.0  # in √(h/g): longest shift of the weight
FACING = 6.3  # in √(g/h): rate at which the body turns to the heading of its feet
HALF_SUNK = 0.5  # of the height at rest: least height that ω counts with
BOTH = (True, True)
FRESH = 0.15  # [s] since it stood at rest: later it cannot tell a push from its own steps


@dataclass
class Stepper(Behaviour):
    """Stand on two limbs and take the steps that a director asks for.

    Args:
        since: When the director's clock began [s]; None: when it starts.
        idle: How it moves while it stands and nothing is to be done; None is not at all.
        reaction: How late it knows what others do to it [s]; joints and soles answer at once.
        startles: Whether it looks where a push came from, and lifts its arms.
        restraint: Bounds of the speed of joints; None is as fast as it takes.
    """

    director: Director
    stride: Stride = field(default_factory=Stride)
    weights: StepWeights = field(default_factory=StepWeights)
    standing: Weights = field(default_factory=Weights)
    gains: Gains = field(default_factory=Gains)
    mu: float = 0.72
    grip: Grip = STEPPING  # soles that come and go tip and twist more easily
    since: float | None = None
    idle: Idle | None = None
    reaction: float = 0.0
    startles: bool = False
    restraint: Restraint | None = None
    _own = np.zeros(6)  # rate of momentum that the solver finds

    def start(self, state: State, dt: float) -> None:
        legs = Legs(state.character)
        h, g = legs.height, float(norm(state.g))
        support = Support(state.character, legs)
        self.facts = facts = Facts(
            legs.both, legs.width, support, self.stride, self.gains, self.weights, h, g, math.sqrt(g / h), dt
        )  # fmt: skip
        self.posture = Posture(state, facts, self.standing, self.mu, self.restraint)
        self.path, self._posed = SwingPath(dt, math.sqrt(g * h)), None
        self.planner, self.height, self.heels = LandingPlanner(facts), Height(facts), Heels(facts, state)
        self.steps, self._landing_error = 0, math.nan
        self._t0 = state.t if self.since is None else self.since
        self._seen = Seen(legs, g, HALF_SUNK * h)
        self._felt = Felt(state, self.reaction, dt, self._own) if self.reaction or self.startles else None
        self._rest = None if self.idle is None else AtRest(state.character, self.idle, dt)
        self._moved = -math.inf  # when it last stood at rest [s]
        self._startle = Startle(state.character, dt) if self.startles else None
        self._gait, self._soles, self._footprint = np.zeros(4), np.zeros(6), np.zeros(3)
        tick, zero = self._measure(state), np.zeros(2)
        a, b = tick.heading.tolist()
        facing = a + 0.5 * _wrapped(b - a)
        self.gait = Gait(STAND, 0.0, None, facing, zero, zero, zero, zero, zero)
        self.director.start(facts, tick, self.gait)
        self.q_ref = self.posture.q_ref

    def _measure(self, state: State) -> Tick:
        seen, t, L, H = self._seen, state.t - self._t0, state.L, state.H
        omega = measure(state, seen)
        half_double, felt = 0.5 * self.stride.double / omega, self._felt
        places = seen.place, seen.heading, seen.centre
        if felt is None:
            return Tick(state, t, omega, half_double, seen.c, seen.v, seen.xi, *places, L, H)
        felt.look(state)
        c, v = felt.c[:2], felt.L[:2] / state.m
        return Tick(state, t, omega, half_double, c, v, c + v / omega, *places, felt.L, felt.H)

    def around(self, usual: Solver, state: State, torque: Torque) -> Solver:
        self._own = usual.solution.momentum_rate
        return usual

    @property
    def period(self) -> float | None:
        """Of a stride [s], where the director takes one after the other."""
        return self.director.period

    def update(self, state: State) -> Command:
        tick = self._measure(state)
        if self.posture.lost(state):
            self._tell(tick)
            return self.posture.limp(state)
        gait = self._next(tick, self.gait)
        gait = gait._replace(facing=self._turned(tick, gait))
        command, p = self._command(tick, gait)
        self.gait = gait._replace(p=p)
        self._tell(tick)
        return command

    # -- phases

    def _next(self, tick: Tick, gait: Gait) -> Gait:
        """The gait at this tick: STAND → SHIFT → SWING → DOUBLE → SWING ... or STAND again."""
        if gait.phase == STAND:
            return self._decide(tick, gait)
        gait = gait._replace(clock=gait.clock + self.facts.dt)
        step = gait.step
        assert step is not None
        if gait.phase == SHIFT:
            return self._shift(tick, gait, step)
        if gait.phase == SWING:
            return self._swing(tick, gait, step)
        if gait.clock >= (step.time if step.curve else tick.half_double):
            return self._decide(tick, gait)
        if step.follows and not step.recovery and changed_over(tick, gait) >= 1.0:
            return gait._replace(planted=(step.swing == 0, step.swing == 1))
        return gait._replace(planted=BOTH)

    def _decide(self, tick: Tick, gait: Gait) -> Gait:
        """Standing, or at the end of a double support: the director says what comes next."""
        step, stood = self.director.step(self.facts, tick, gait), gait.phase == STAND
        if step is None:
            return self._stand(tick, gait, stood)
        gait = gait._replace(step=step, pivot=pivot_of(self.facts, tick, step, 1 - step.swing, 0.0))
        if step.curve:
            start = {"c_lifted": tick.c.copy(), "goal": step.place, "T": step.time, "planted": BOTH}
            return gait._replace(phase=SHIFT, clock=0.0, **start)
        if stood and step.shift:
            return gait._replace(phase=SHIFT, clock=0.0)
        return self._lift(tick, gait, step, 0.0 if stood else gait.clock)

    def _stand(self, tick: Tick, gait: Gait, stood: bool) -> Gait:
        """Both feet down; once ξ has come to rest the body balances as if it had never stepped."""
        facts, clock, calm = self.facts, gait.clock if stood else 0.0, gait.calm and stood
        clock += facts.dt
        if not calm and norm(tick.xi - tick.centre) < CALM * facts.h:
            calm = clock > CALM_AFTER / facts.rate
        return gait._replace(phase=STAND, clock=clock, step=None, planted=BOTH, calm=calm)

    def _shift(self, tick: Tick, gait: Gait, step: Step) -> Gait:
        """Both feet down, ξ moves to where the step can begin."""
        facts = self.facts
        if step.curve:
            return self._lift(tick, gait, step, gait.clock) if gait.clock >= LIFT * gait.T else gait
        other = self.director.instead(facts, tick, gait)
        if other is not None:
            pivot = pivot_of(facts, tick, other, 1 - other.swing, 0.0)
            return self._lift(tick, gait._replace(step=other, pivot=pivot), other, 0.0)
        step = self.director.aim(facts, tick, step)
        if step.leave and gait.clock > step.ready:
            return self._stand(tick, gait, False)
        pivot = pivot_of(facts, tick, step, 1 - step.swing, 0.0)
        gait = gait._replace(step=step, pivot=pivot)
        gap = norm(tick.xi - xi_at_lift(facts, tick, step, pivot))
        if gap < NEAR[step.follows] * facts.h or gait.clock > min(PATIENCE / tick.omega, step.ready):
            return self._lift(tick, gait, step, 0.0)
        return gait

    def _lift(self, tick: Tick, gait: Gait, step: Step, clock: float) -> Gait:
        leg = self.facts.legs[step.swing]
        self.path.lift(tick.state, leg.support, leg.half)
        self._posed = Posed(tick.state.character, self.facts.dt, step.posed) if step.posed else None
        planted = (step.swing == 1, step.swing == 0)
        start = gait.c_lifted if step.curve else tick.c.copy()
        gait = gait._replace(phase=SWING, clock=clock, planted=planted, c_lifted=start)
        return self._aimed(tick, gait, step)

    def _aimed(self, tick: Tick, gait: Gait, step: Step) -> Gait:
        """Landing place and time, from ξ as it is."""
        landing = self.planner.plan(self.facts, tick, step, tick.xi, gait.clock, gait.p)
        goal, ground = landing.place, tick.state.ground
        if ground.rough:
            last, half = gait.goal if self.path.done else None, self.facts.legs[step.swing].half
            goal = foothold(ground, goal, last, step.heading, half)
        return gait._replace(step=step, goal=goal, T=landing.time, hurry=landing.hurry)

    def _swing(self, tick: Tick, gait: Gait, step: Step) -> Gait:
        """One foot in the air, aimed anew until shortly before it lands."""
        facts, stride, state = self.facts, self.stride, tick.state
        if step.curve:
            return self._reach(tick, gait, step)
        if gait.T - tick.half_double - gait.clock > stride.freeze / tick.omega:
            step = self.director.aim(facts, tick, step)
            gait = self._aimed(tick, gait, step)
        left = gait.T - tick.half_double - gait.clock
        lift = stride.lift * facts.h if step.lift is None else step.lift
        tilt = self.heels.swing_pitch(facts, state, gait.facing, step.swing, self.path.share)
        toes_up = strike_pitch(facts, tick, step, gait.goal, gait.facing, _steady(gait))
        firm = stride.touch * FIRM[0], stride.touch * FIRM[1]
        touch = GENTLE if not step.follows else firm if step.recovery or gait.hurry > 1.0 else BRISK
        self.path.advance(
            state.ground, gait.goal, step.heading, left, lift, stride.apex, tilt, toes_up, touch
        )
        gait = gait._replace(toes_up=toes_up)
        down = self.path.touches(state, facts.legs[step.swing].support, stride.scuff * facts.h)
        return self._land(tick, gait, step) if down else gait

    def _reach(self, tick: Tick, gait: Gait, step: Step) -> Gait:
        """One foot in the air, on the paper's way to a place that stays."""
        facts, state = self.facts, tick.state
        share, lift = gait.clock / gait.T, self.stride.lift * facts.h if step.lift is None else step.lift
        tilt = self.heels.swing_pitch(facts, state, gait.facing, step.swing, self.path.share)
        reach(self.path, gait.goal, step.heading, share, gait.T, lift, tilt, FIRM[1] * self.path.speed)
        touches = self.path.touches(state, facts.legs[step.swing].support)
        return self._land(tick, gait, step) if touches else gait

    def _land(self, tick: Tick, gait: Gait, step: Step) -> Gait:
        self.steps += 1
        self._landing_error = float(norm(tick.place[step.swing] - gait.goal))
        self.heels.land(self.facts, tick, step.swing)
        if step.curve:
            return gait._replace(phase=DOUBLE, planted=BOTH)
        pivot = pivot_of(self.facts, tick, step, step.swing, 0.0)
        return gait._replace(
            phase=DOUBLE, clock=-tick.half_double, planted=BOTH, p_landed=gait.p, pivot=pivot
        )

    # -- wishes

    def _turned(self, tick: Tick, gait: Gait) -> float:
        """Where the body faces: it turns with its feet; a foot in the air counts with where it is going [rad]."""
        (a, b), step = tick.heading.tolist(), gait.step
        if step is not None and gait.phase == SWING:
            share = min(max(gait.clock / max(gait.T, 1e-3), 0.0), 1.0)
            if step.swing == 0:
                a += share * _wrapped(step.heading - a)
            else:
                b += share * _wrapped(step.heading - b)
        behind = _wrapped(a + 0.5 * _wrapped(b - a) - gait.facing)
        return gait.facing + min(FACING * self.facts.rate * self.facts.dt, 1.0) * behind

    def _command(self, tick: Tick, gait: Gait) -> tuple[Command, np.ndarray]:
        """The command of this tick, and the pressure (2,) that it counts on."""
        facts, state, step = self.facts, tick.state, gait.step
        height = self.height.advance(facts, tick, gait, _steady(gait))
        rests = gait.phase == STAND and gait.calm
        self._enliven(tick, gait, rests)
        self.posture.face(gait.facing)
        if rests:
            sway = None if self._rest is None else self._rest.sway
            return self.posture.balance(tick, height, gait, sway), tick.c.copy()
        p, level = pressure(facts, tick, gait)
        push, swing = tick.omega**2 * (1.0 + height[2] / facts.g) * (tick.c - p), None
        if step is not None and step.curve:
            push, level = on_curve(facts, tick, gait), False
        if step is not None and gait.phase == SWING:
            swing = self.path.objective(facts.legs[step.swing].support, facts.weights, tick.omega)
        rolling, posed = self.heels.rolling(facts, tick, gait), None
        if swing is not None and self._posed is not None:
            posed, swing = self._posed.follow(facts, tick, gait, swing, self.posture.q_ref, height), None
        return self.posture.drive(state, push, height, gait, swing, rolling, level, posed), p

    def _enliven(self, tick: Tick, gait: Gait, rests: bool) -> None:
        """Breath and sway, head and arms, where it has them."""
        parts: list[AtRest | Startle] = []
        if self._rest is not None:
            self._rest.advance(tick.t, rests)
            parts.append(self._rest)
        if self._startle is not None and self._felt is not None:
            if self._felt.shoved and tick.t - self._moved < FRESH:
                self._startle.meet(self._felt.shove, gait.facing)
            self._moved = tick.t if rests else self._moved
            self._startle.advance()
            parts.append(self._startle)
        if parts:
            self.posture.bend(tick.state, np.sum([part.pose for part in parts], axis=0))

    # -- what is recorded

    def command(self, **wishes: float) -> None:
        self.director.command(**wishes)

    def signals(self) -> dict[str, Signal]:
        """Phase and steps; soles and ξ as they are; where the swing foot is going."""
        return {
            "gait": Signal(self._gait, "1, 1, 1, m", "none", ("phase", "steps", "swing", "landing_error")),
            "soles": Signal(self._soles, "m, m, rad", "world", ("lx", "ly", "lh", "rx", "ry", "rh")),
            "xi": Signal(self._seen.xi, "m", "world", ("x", "y")),
            "footprint": Signal(self._footprint, "m, m, rad", "world", ("x", "y", "heading")),
        }

    def _tell(self, tick: Tick) -> None:
        gait, step = self.gait, self.gait.step
        self._gait[:] = gait.phase, self.steps, -1 if step is None else step.swing, self._landing_error
        self._soles.reshape(2, 3)[:, :2], self._soles[2::3] = tick.place, tick.heading
        self._footprint[:] = np.nan
        if step is not None and gait.phase == SWING:
            self._footprint[:2], self._footprint[2] = gait.goal, step.heading


def _steady(gait: Gait) -> float:
    """How much time there is for heel strike and arc: 1 in a gait that goes as it should, 0 in a hurry."""
    return min(max(3.0 - 2.0 * gait.hurry, 0.0), 1.0)


def _wrapped(angle: float) -> float:
    """The same angle, within half a revolution."""
    return (angle + math.pi) % (2 * math.pi) - math.pi

"""Follow: the score of a clip, seen from the foot that stands, with the divergent component of motion fed back."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from poise.behaviours.balance.balance import LOST
from poise.behaviours.balance.felt import Felt
from poise.behaviours.balance.gains import Gains
from poise.behaviours.following.again import put, quiet
from poise.behaviours.following.course import Way, course, momenta
from poise.behaviours.following.feet import Firmness, Foot
from poise.behaviours.following.flight import QUICKEST, SLOWEST, fly
from poise.behaviours.following.landing import Daring, Landings
from poise.behaviours.following.need import SLOW, SOON, due, other_step, outer_side
from poise.behaviours.following.posing import Calm, Posing, posed
from poise.behaviours.following.pressing import Pressing
from poise.behaviours.following.recovery import Mend
from poise.behaviours.following.rolling import rolling
from poise.behaviours.following.touched import Touched
from poise.behaviours.following.view import View
from poise.behaviours.stepping.dcm import Seen, Support, measure
from poise.behaviours.stepping.legs import Legs
from poise.behaviours.stepping.step import Facts
from poise.behaviours.stepping.stepper import Stepper
from poise.behaviours.stepping.stride import StepWeights, Stride
from poise.control.apart import NEAR, Near, limbs_of
from poise.control.behaviour import Behaviour, Signal, Solver, Torque
from poise.control.contact import Grip
from poise.control.momentum import AngularMomentum, LinearMomentum
from poise.control.objective import Objective
from poise.control.solve import Command
from poise.control.tracking import Tracking
from poise.dynamics.state import State
from poise.geometry.linear import norm
from poise.motion.score import Score
from poise.motion.score import columns as cols
from poise.motion.score.samples import DT

FOLLOWING = Grip(inset=0.006, torsion=0.5, frequency=6.0, ease=0.01, arm=0.01, forget=20.0, hover=0.01)
FEEDBACK = 1.5  # k: how far beyond ξ's deviation the pressure goes
APART = 0.02  # in heights: legs nearer than this swing wider
LOOK_TIME = 0.6  # [s] at the most in which the view moves to the next stance foot
AT_ONCE = 100.0  # [1/s]: how fast the clip's rate changes where both feet are hurried off the ground
LIVELY = 1.15  # rate up to which all of the body goes quicker; beyond, only the feet do
FREE = 0.02  # in heights, that the pressure lacks, from which on spin is free
LINEAR, VERTICAL, TWIST = 20000.0, 1000.0, 2000.0  # weights of momenta
POSE = StepWeights(root=40.0, trunk=20.0, arms=3.0, other=1.0, legs=0.05, level=20.0)


@dataclass
class Follow(Behaviour):
    """Do what a clip does, as far as feet can carry it.

    Args:
        reaction: How late it knows what others do to it [s]; joints and soles answer at once.
    """

    score: Score
    gains: Gains = field(default_factory=Gains)
    weights: StepWeights = POSE
    mu: float = 0.72
    grip: Grip = FOLLOWING
    firm: Firmness = Firmness()  # noqa: RUF009 (frozen)
    daring: Daring = Daring()  # noqa: RUF009 (frozen)
    vertical: float = VERTICAL  # weight of the momentum up and down
    near: float = NEAR  # in heights: parts of the body that are closer give way,
    ahead: float = (
        0.15  # in √(h/g): arms that would strike something in less are stopped, unless the clip touches it
    )
    calm: Calm = Calm()  # noqa: RUF009 (frozen)
    far: float = 0.5  # [rad]: joints that are farther from the clip than this are drawn back the more
    hold: Mapping[str, float] = field(default_factory=dict)  # body to the factor of its stiffness
    reaction: float = 0.0
    _own = np.zeros(6)  # rate of momentum that the solver finds

    def start(self, state: State, dt: float) -> None:
        legs = Legs(state.character)
        self.legs, h, g = legs.both, legs.height, norm(state.g)
        stride, area = Stride(), Support(state.character, legs)
        self.facts = Facts(
            legs.both, legs.width, area, stride, self.gains, self.weights, h, g, math.sqrt(g / h), dt
        )
        self.posing = Posing(state, self.facts, self.mu, self.calm, self.far, self.hold)
        self.dt, self.s, self.rate, self._hurried = dt, 0.0, 1.0, 0.0
        self.view, self.seen, self.way = View(), Seen(legs, g, 0.3 * h), Way(g, h, self.mu)
        one, two = (Foot(self.score, self.legs[k], k, self.facts, self.firm) for k in (0, 1))
        self.feet = one, two
        self.pressing = Pressing(state, self.score, self.feet, h)
        self.landings = Landings(self.facts, self.daring)
        bodies = limbs_of(state.character, [leg.bodies for leg in self.legs])
        self.touched = Touched(self.score.clip, state)
        self.limbs = Near(state, bodies, self.near, self.ahead / self.facts.rate, self._meant)
        self.q_ref = self.score.clip.q[0].copy()
        self._moved, self._stepped = np.zeros(2), np.zeros(4)
        self.steps, self.done, self._caught = 0, False, 0
        self.stepper: Stepper | None = None
        self.lowest = float(self.score.tables.body[:, 2].min())
        self._told, self._xi_error = np.zeros(4), np.zeros(2)
        self._felt = Felt(state, self.reaction, dt, self._own) if self.reaction else None
        self.c, self.G = (state.c, state.G) if self._felt is None else (self._felt.c, self._felt.G)
        measure(state, self.seen)
        self.state = state
        stands = self.feet[0] if self.feet[0].planted else self.feet[1]
        self._look(stands, 1.0)

    def resume(self, state: State, dt: float) -> None:
        """On from where it was: the next quiet stance, once the feet are right; done where the clip has none."""
        was, stepped, facts = self.s, self._stepped, self.facts
        slow, long = SLOW * math.sqrt(facts.g * facts.h), round(SOON / (facts.rate * DT))
        self.start(state, dt)
        self._stepped[:] = stepped
        s = quiet(self.score, was, slow, long)
        self.done = s is None
        if s is not None:
            self.s, self._caught = float(s), int(stepped[2])
            put(self.score, self.feet, self.view, s, state)
            self._look(max(self.feet, key=lambda foot: foot.leaves()), 1.0)
            self._mend(state)

    def around(self, usual: Solver, state: State, torque: Torque) -> Solver:
        self._own = usual.solution.momentum_rate
        return usual

    # -- time and feet

    def update(self, state: State) -> Command:
        self.state = state
        w = measure(state, self.seen)
        if self._felt is not None:
            self._felt.look(state)
            self.seen.xi[:] = self.c[:2] + self.G[:2] / state.m / w
        if float(state.ground.height_of(state.c)) < LOST * min(self.lowest, self.facts.h):
            return self.posing.posture.limp(state)
        if self.stepper is not None:
            return self._recover(state, self.stepper)
        self._advance(state)
        return self._command(state)

    # -- pushed while both feet stand

    def _recover(self, state: State, stepper: Stepper) -> Command:
        """The clip waits while the body steps and puts its feet right."""
        q = posed(self.score.clip, self.view, self.s)[0]
        stepper.posture.q_ref[7:] = q[7:]
        command = stepper.update(state)
        self.q_ref[:] = stepper.posture.q_ref
        mend = stepper.director
        assert isinstance(mend, Mend)
        self._stepped[2] = self._caught + mend.caught + mend.tries
        if mend.mended:
            self._caught, self.stepper, self.rate = int(self._stepped[2]), None, 0.0
            stays = max(self.feet, key=lambda foot: foot.leaves())
            self._look(stays, 1.0)
        self._tell()
        return command

    def _mend(self, state: State) -> Stepper:
        """A stepper that brings the feet back to their prints."""
        self.stepper = stepper = Stepper(Mend(self.feet, self.view.turn), gains=self.gains, mu=self.mu)
        stepper.start(state, self.dt)
        stepper.posture.hold(state, self.hold)
        return stepper

    @property
    def off_course(self) -> float:
        """How far ξ is from where the clip has it; endless while the clip waits [m]."""
        return math.inf if self.stepper is not None else norm(self._xi_error)

    @property
    def sinking(self) -> float:
        """The fastest that the clip has the centre of mass go down about now, negative [m/s]."""
        return max(self.rate, 1.0) * float(self.score.sinking[min(round(self.s), self.score.count - 1)])

    def _tripped(self, state: State, p: np.ndarray, off: float, v: np.ndarray) -> bool:
        """Whether both feet stand and the clip's next step is not the one that ξ needs."""
        if not all(foot.planted for foot in self.feet):
            return False
        goes = min(self.feet, key=lambda foot: foot.leaves())
        stays, left = self.feet[1 - goes.k], (goes.leaves() - self.s) * DT / max(self.rate, 0.1)
        lack, outer = norm(self.pressing.nearest(state, p) - p), outer_side(state, stays, self.seen.xi)
        return other_step(self.facts, outer, left, off, lack, v, stays.leg.half[1])

    def _advance(self, state: State) -> None:
        """The clip's time goes on, but not past a landing that has not happened."""
        last = self.score.count - 1
        wait = min((foot.latest(self.s) for foot in self.feet), default=last)
        before, self.s = self.s, min(self.s + self.rate * self.dt / DT, last, max(wait, self.s))
        self._hurried = max(self._hurried + self.s - before - LIVELY * self.tempo * self.dt / DT, 0.0)
        self.done = self.s >= last
        if not any(foot.planted for foot in self.feet):
            self.rate = fly(state, self.score, self.feet, self.view, self.s, self.rate, self.facts)
        for foot in self.feet:
            if foot.advance(state, self.s, self.view, self.rate, self.feet[1 - foot.k].planted):
                self.steps += 1
                self._stepped[foot.k] += 1
                self._stepped[3] += (foot.missed - self._stepped[3]) / self.steps
                self._hurried = 0.0
        if not any(foot.planted for foot in self.feet):
            self._hurried = 0.0
        self._view()

    def _view(self) -> None:
        """Seen from the one foot that stands, or on the way to the one that will stand alone next."""
        down = [foot for foot in self.feet if foot.planted]
        if len(down) == 1:
            self._look(down[0], 1.0)
        elif len(down) == 2:
            leaves = min(self.feet, key=lambda foot: foot.leaves())
            left = (leaves.leaves() - self.s) * DT / max(self.rate, 0.1)
            if math.isfinite(left):
                stays = self.feet[1 - leaves.k]
                self._look(
                    stays, min(1.0, self.dt / max(min(left, LOOK_TIME), self.dt)) if left < LOOK_TIME else 0.0
                )

    def _look(self, foot: Foot, share: float) -> None:
        self.view.look(foot.print.place, foot.stands(self.state)[0], share)

    # -- wishes

    def _command(self, state: State) -> Command:
        facts, way, r = self.facts, self.way, self.rate
        w, row = self._course(state)
        self._xi_error[:] = way.delta
        self._plan(w, way.ahead, way.xi + self.daring.owed * way.owed)
        off = norm(way.delta)
        if self._tripped(state, way.p + way.delta, off, self._pace() * row[cols.V]):
            return self._recover(state, self._mend(state))
        p = self.pressing.put(state, way.p + (1 + FEEDBACK) * way.delta, self.view, self.s)
        self._moved = p - way.p
        rate, turning = np.empty(3), np.empty(3)
        momenta(state, self.c, self.G, way, row, r, w, p + self.pressing.beyond, rate, turning)
        linear = LinearMomentum(rate, (LINEAR, LINEAR, self.vertical), facts.h)
        angular = AngularMomentum(turning, (*self._level(), TWIST), facts.h)
        rolls = rolling(state, self.feet, self.s, way.p + (1 + FEEDBACK) * way.delta)
        others, led = self._limbs(state, off)
        planted = facts.support.mask((self.feet[0].planted, self.feet[1].planted)).copy()
        self._tell()
        return Command(self._track(state, r), linear, angular, planted, others, led, rolls=rolls)

    def _course(self, state: State) -> tuple[float, np.ndarray]:
        """Find out where ξ and the pressure should be; returns ω and the row of the score, in the world."""
        table, view = self.score.tables.body, self.view
        row = view.body_at(table, self.s)
        late = view.body_at(table, max(self.s - self._hurried, 0.0)) if self._hurried else row
        return course(state, self.c, self.G, self.way, row, late, self.rate, self._pace()), row

    def _limbs(self, state: State, off: float) -> tuple[list[Objective], np.ndarray]:
        """What feet wish and what keeps limbs apart, and which supports are led; ξ is ``off`` its course [m]."""
        others: list[Objective] = []
        led = np.zeros(len(state.x), bool)
        for foot in self.feet:
            foot.away = max(off, math.hypot(*foot.goal[:2].tolist()))
            wish = foot.wish(state, self.view, self.rate)
            if wish is not None:
                others.append(wish)
                led[foot.leg.support] = foot.planted
        near = self.limbs.rows(state)
        if near is not None:
            others.append(near)
        close = APART * self.facts.h - self.limbs.legs_apart
        for foot in self.feet:
            foot.keep_away(state, close if self.feet[1 - foot.k].planted else 0.0)
        return others, led

    def _meant(self, a: int, b: int) -> bool:
        """Whether two shapes touch in the clip about now."""
        return self.touched.about(self.s * DT, a, b)

    @property
    def tempo(self) -> float:
        """Rate of the clip's time where nothing hurries it."""
        return 1.0

    def _pace(self) -> float:
        """Rate of the clip's time that the body goes along with; beyond, only the feet do."""
        return min(self.rate, LIVELY * self.tempo)

    def _plan(self, w: float, xi_ref: np.ndarray, xi: np.ndarray) -> None:
        """Where and when a foot in the air lands, and how fast the clip runs meanwhile."""
        swinging = [foot for foot in self.feet if not foot.planted and foot.goes_on]
        wanted, most, quick = 1.0, QUICKEST, self.daring.quick
        if len(swinging) == 1 and self.feet[1 - swinging[0].k].planted:
            foot = swinging[0]
            wanted = self.landings.plan(
                self.score, foot, self.s, self.view, self.seen, w, xi_ref, xi, self._moved
            )
        elif all(foot.planted for foot in self.feet):
            wanted = due(self.facts, norm(xi - xi_ref), norm(self.pressing.beyond), self.daring.rush)
            if wanted > QUICKEST:
                most, quick = wanted, AT_ONCE
        wanted = min(max(wanted, SLOWEST), most)
        self.rate = min(self.rate, most)
        self.rate += min(quick * self.dt, 1.0) * (wanted - self.rate)

    def _level(self) -> tuple[float, float]:
        """Weights of the spin about x and y: none where the soles cannot press as they should, more in calm."""
        level = 0.0 if self.pressing.free else self.weights.level
        if not self.score.steady[round(self.s)]:
            return level, level
        more = self.posing.calm(self._xi_error) * self.calm.spin
        x, y = self.pressing.room(FREE * self.facts.h)
        return level + more * y, level + more * x

    def _track(self, state: State, r: float) -> Tracking:
        calm = self.posing.calm(self._xi_error)
        tracking, q = self.posing.track(state, self.score, self.view, self.s, r, calm)
        self.q_ref[:] = q
        return tracking

    # -- what is recorded

    def _tell(self) -> None:
        self._told[:] = self.s * DT, self.rate, self.feet[0].planted, self.feet[1].planted

    def signals(self) -> dict[str, Signal]:
        return {
            "clip": Signal(self._told, "s, 1, 1, 1", "none", ("time", "rate", "left", "right")),
            "steps": Signal(self._stepped, "1, 1, 1, m", "none", ("left", "right", "extra", "landing_error")),
            "xi_error": Signal(self._xi_error, "m", "world", ("x", "y")),
        }

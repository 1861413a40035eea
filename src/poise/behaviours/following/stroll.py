"""Stroll: the score of a stride, round after round, for ever, at a speed and a turn that may be changed on the way."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from poise.behaviours.following.feet import Firmness
from poise.behaviours.following.follow import FOLLOWING, POSE, Follow
from poise.behaviours.following.landing import Daring
from poise.behaviours.following.posing import LOOSE, Calm
from poise.behaviours.following.variety import Variety
from poise.behaviours.stepping.stride import StepWeights
from poise.control.behaviour import Signal, check_wishes
from poise.control.contact import Grip
from poise.dynamics.state import State
from poise.motion.score.loop import Loop
from poise.motion.score.samples import DT
from poise.motion.score.style import Style

STRIDING = replace(
    POSE, trunk=40.0, arms=60.0, legs=3.0, other=10.0, level=25000.0
)  # legs keep to the captured bend of knees and ankles, the head stays up, and the spin keeps to that of the poses
EASY = Firmness(  # no jerk at lift-off, unless there is need
    ease=0.1, first=0.2, alarm=(0.015, 0.035), roll=300.0, grows=0.15, quick=1.4, early=True, sinks=0.8, before=0.06,
    sag=math.inf,
)  # fmt: skip
CATCH = Daring(
    sure=0.25, owed=0.5, keeps=True, own=True, beyond=0.1, rush=4.0, quick=20.0
)  # narrow steps leave little room
UP = 5000.0  # weight of the momentum up and down: legs that swing should not shake the body
FREE = 0.02  # [m] that the pressure lacks, from which on spin is free
GRIP = FOLLOWING._replace(
    arm=0.1, aside=0.004, touch=0.0005, torsion=1.0
)  # the pressure may go along a sole, that rolls, hardly across it, and to its toes only once they are down
ASIDE = 4.0  # times as firmly the spin about the way is kept: it moves the pressure across narrow soles
CLOSE = 0.02  # in heights: legs that pass each other as they should are left alone
TRIM, MOST = 0.5, 0.06  # part of a round's lack of speed that the next ones make up for, at the most
HASTE, VEER = 0.2, 0.12  # [m/s], [rad/s] by which speed and turn change from step to step at the most
COMMANDS = ("speed", "turn")
DOUBLE, SWING = 1, 2  # phases, as the stepper has them


@dataclass
class Stroll(Follow):
    """Follow a loop: after a round the body is taken to be where it was a round before, and the way moved on."""

    score: Loop
    weights: StepWeights = STRIDING
    grip: Grip = GRIP
    firm: Firmness = EASY
    daring: Daring = CATCH
    vertical: float = UP
    near: float = CLOSE
    ahead: float = 0.0
    calm: Calm = LOOSE
    far: float = math.inf
    style: Style | None = None  # what else it can do, for commands
    variety: Variety | None = None  # how strides differ; None for strides that are all alike

    def __post_init__(self) -> None:
        self._given = self.score

    def start(self, state: State, dt: float) -> None:
        self.score = self._given
        self.rounds, self.trim, self._since = 0, 0.0, (0.0, state.c[:2].copy())
        self._gait, self._soles, self._stride, self._footprint = (np.zeros(n) for n in (4, 6, 1, 3))
        self.loop, self.base = self.score, 1.0
        self.pace = np.array([self.score.speed, self.score.turn])
        self.wish = self.pace.copy()
        super().start(state, dt)
        self._tell()

    def command(self, **wishes: float) -> None:
        """Another ``speed`` [m/s] or ``turn`` [deg/s], step by step from now on."""
        if self.style is None:
            super().command(**wishes)
        check_wishes("a stroll", wishes, COMMANDS)
        for name, value in wishes.items():
            self.wish[COMMANDS.index(name)] = value if name == "speed" else math.radians(value)

    def _advance(self, state: State) -> None:
        steps, stood = self.steps, [foot.planted for foot in self.feet]
        super()._advance(state)
        for foot, before in zip(self.feet, stood):
            if self.variety is not None and before and not foot.planted:
                foot.higher = self.variety.higher(self.steps)
        if self.s >= 2 * self.loop.period:
            self._again()
            self._hasten(state)
        if self.steps > steps and self.style is not None and not np.array_equal(self.wish, self.pace):
            self._adapt(self.style)

    @property
    def tempo(self) -> float:
        return self.trim + self.base

    def _plan(self, w: float, xi_ref: np.ndarray, xi: np.ndarray) -> None:
        super()._plan(w, xi_ref, xi)
        self.rate += min(10.0 * self.dt, 1.0) * (self.trim + self.base - 1.0)

    def _hasten(self, state: State) -> None:
        """Let the score run quicker by part of what the last round fell short of its way."""
        since, place = self._since
        self._since = state.t, state.c[:2].copy()
        wanted = self.base * math.hypot(*self.loop.on[0]) / (self.loop.period * DT)
        if self.rounds > 1:
            lack = 1.0 - math.dist(place, state.c[:2]) / max(state.t - since, DT) / wanted
            self.trim = min(max(self.trim + TRIM * lack, -MOST), MOST)

    def _again(self) -> None:
        """The same instant, one round earlier in the score and seen from there."""
        n, (shift, angle) = self.loop.period, self.loop.on
        self.s -= n
        self.rounds += 1
        for foot in self.feet:
            foot.s -= n
            foot.lifted -= n
            foot.at -= 1
        self.view.onward(shift, angle)

    def _level(self) -> tuple[float, float]:
        """Each axis is free as far as the pressure lacks room its way: feet that roll over their toes need not sway."""
        x, y = self.pressing.room(FREE)
        return ASIDE * self.weights.level * y, self.weights.level * x

    # -- another speed or turn

    def enter(self, state: State, dt: float, k: int, speed: float, turn: float) -> None:
        """Begin on the way: foot k has just landed, the other stands behind it."""
        wish, style = self.wish.copy(), self.style
        assert style is not None
        told = {name: signal.values for name, signal in self.signals().items()}
        given, self._given = self._given, style.near(speed, turn)
        self.start(state, dt)
        self._given, self.wish = given, wish
        for name, signal in self.signals().items():  # those that listen keep on listening
            told[name][:] = signal.values
        self._told, self._stepped, self._xi_error = told["clip"], told["steps"], told["xi_error"]
        self._stride, self._gait, self._soles, self._footprint = (
            told[name] for name in ("stride", "gait", "soles", "footprint")
        )
        first = next(i for i, p in enumerate(self.feet[k].prints) if p.lands)
        new, other = self.feet[k], self.feet[1 - k]
        self.s = float(new.prints[first].first)
        new.at, other.at = first, next(i for i, p in enumerate(other.prints) if p.last > self.s)
        new.planted = other.planted = True
        new.s = other.s = self.s
        self.view.veer(new.stands(state)[1] - new.print.heading)
        self._look(new, 1.0)

    def _adapt(self, style: Style) -> None:
        """A step nearer to what was commanded; at a landing."""
        most = np.array([HASTE, VEER])
        self.pace += np.clip(self.wish - self.pace, -most, most)
        loop = style.near(*self.pace)
        if loop is not self.loop:
            self._change(loop)
        self.base = min(max(float(self.pace[0]) / loop.speed, 0.7), 1.2)
        self.rounds, self._since = 0, (self.state.t, self.state.c[:2].copy())

    def _change(self, loop: Loop) -> None:
        """Go on in another score at the same phase, seen from the foot that stays."""
        stays = max((foot for foot in self.feet if foot.planted), key=lambda foot: foot.leaves())
        old, share = stays.print.heading, loop.period / self.loop.period
        self.score = self.loop = loop
        self.s *= share
        for foot in self.feet:
            foot.follow(loop, share)
        self.view.veer(old - stays.print.heading)
        self._look(stays, 1.0)

    # -- what is recorded

    def _tell(self) -> None:
        super()._tell()
        self._told[0] += self.rounds * self.loop.period * DT
        self._stride[0] = self.loop.first + self.s / self.loop.period + self.rounds
        air = [foot.k for foot in self.feet if not foot.planted]
        self._gait[:] = (
            SWING if air else DOUBLE,
            self.steps,
            air[0] if air else self._gait[2],
            self._stepped[3],
        )
        self._footprint[:] = np.nan
        for foot in self.feet:
            place, heading = foot.stands(self.state)
            self._soles[3 * foot.k : 3 * foot.k + 3] = *place, heading
            if not foot.planted:
                self._footprint[:2] = self.view.point(foot.print.place) + foot.goal[:2]
                self._footprint[2] = foot.print.heading + self.view.turn + foot.goal[2]

    def signals(self) -> dict[str, Signal]:
        more = {
            "stride": Signal(self._stride, "1", "none", ("phase",)),
            "gait": Signal(self._gait, "1, 1, 1, m", "none", ("phase", "steps", "swing", "landing_error")),
            "soles": Signal(self._soles, "m, m, rad", "world", ("lx", "ly", "lh", "rx", "ry", "rh")),
            "xi": Signal(self.seen.xi, "m", "world", ("x", "y")),
            "footprint": Signal(self._footprint, "m, m, rad", "world", ("x", "y", "heading")),
        }
        return super().signals() | more

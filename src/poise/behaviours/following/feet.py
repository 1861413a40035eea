"""One foot of a score that is followed: on its print, rolling over an edge, or in the air on its captured path."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from poise.behaviours.following import paths
from poise.behaviours.following.view import View
from poise.behaviours.stepping import heels, swing
from poise.behaviours.stepping.legs import Leg
from poise.behaviours.stepping.step import Facts
from poise.behaviours.stepping.swing import lowest, pitch_of
from poise.control.objective import Objective
from poise.control.sole import RollingSole, SwingSole
from poise.dynamics.state import State
from poise.geometry import quat
from poise.geometry.linear import times
from poise.motion.score import Score
from poise.motion.score import columns as cols
from poise.motion.score.kicks import HIGH
from poise.motion.score.prints import Print, comes, shared
from poise.motion.score.samples import DT, at

TOUCH = 0.002  # [m]: a sole with a corner this low has landed,
NEAR, LEFT = 0.04, 0.03  # [m] if it is this near to its goal, or [s] this near to its time
LATE, MORE = 0.25, 10.0  # [s], raised before it lands,
EARLY, LESS = 1.0, 0.25  # [s], and low long before
ROLL = 300.0  # weight of the pitch of a sole that takes off or lands alone, or should lie flat
STAYS = 15  # samples: a foot that stands so much longer than another shares its load
FLAT = 0.01  # [rad]
SINK = 0.25  # [m/s] of a foot that is late
FREE = 0.3  # [s] after lift-off, in which a foot that lands no more takes up its path
RISE = 0.2  # [s] after lift-off, in which a foot that would sink far below its path takes up its height
JOIN = 0.3  # [s] after lift-off, in which a foot that kicks takes up its path
GONE, SOONEST = (
    0.01,
    0.1,
)  # in heights, [s]: a sole this far above the ground, this long before it leaves, has left
AWAY, BACK, WIDEST = 0.15, 5.0, 0.05  # per tick of what legs are too close, [1/s] back again, in heights


@dataclass(frozen=True)
class Firmness:
    """How firmly a foot in the air keeps to its path."""

    place: float = 100.0  # weights of its place,
    turn: float = 60.0  # and of its turn
    ease: float = 0.0  # [s] after lift-off in which it becomes firm,
    first: float = 1.0  # from this part
    alarm: tuple[float, float] = (0.0, 1.0)  # [m] of deviation from which, and to which, it grows
    most: float = 1.0  # so many times
    roll: float = 3.0  # weight of the pitch of a sole on the ground that shares its load,
    grows: float = 0.0  # [rad] of a heel's rise over which that weight grows,
    quick: float = 1.0  # and how much faster than its edge it is taken
    sinks: float = SINK  # [m/s] of a late foot of an alarmed body,
    before: float = 0.0  # [s] before its time from which on it does
    sag: float = 0.05  # in heights: one that would sink farther below its path is taken up to it sooner
    early: bool = (
        False  # whether one that lands before its time rolls on as it will, or is to lie flat until then
    )

    def gain(self, since: float) -> float:
        """Of stiffness and wanted acceleration, some seconds after lift-off."""
        return 1.0 if self.ease <= 0 else min(1.0, self.first + (1.0 - self.first) * since / self.ease)

    def alarmed(self, away: float) -> float:
        """How alarmed a body is that is so far off its way [m], 0 to 1."""
        low, high = self.alarm
        return min(max((away - low) / (high - low), 0.0), 1.0)


class Foot:
    """What one foot does and when."""

    def __init__(self, score: Score, leg: Leg, k: int, facts: Facts, firm: Firmness):
        self.score, self.leg, self.k, self.facts, self.firm = score, leg, k, facts, firm
        self.away = 0.0  # [m] that the body is off its way
        self.alone, self.rolls = False, False  # in a kick: whether it stands alone, and rolls over its toes
        self.join = 0.0  # [s] after lift-off, in which it takes up its path
        self.prints, self.rows = score.prints[k], score.tables.soles[k]
        self.planted = bool(self.prints) and self.prints[0].first == 0
        self.at = 0
        self.offset, self.speed, self.acc = (
            np.zeros(4),
            np.zeros(4),
            np.zeros(4),
        )  # x, y, z, heading: off its path
        self.goal = np.zeros(3)  # place and heading off its print
        self.twist = np.zeros(3)
        self.lifted, self.missed, self.s = 0.0, 0.0, 0.0
        self.aside = np.zeros(2)
        self.sunk, self.higher = (
            0.0,
            0.0,
        )  # [m] that a late foot sinks, and that this swing is higher in its middle
        self.sinking = 0.0  # [m/s]
        self.rise = math.inf  # [s] after lift-off in which it is to be at the height of its path
        self.edge: np.ndarray | None = None
        self.way = 0.0
        self._half = float(leg.half[0])
        self._stood: tuple[float, tuple[np.ndarray, float]] = (
            -1.0,
            (np.zeros(2), 0.0),
        )  # of the last time asked
        self._gives: dict[tuple[Print, bool], bool] = {}  # of prints, whether their load is shared

    def follow(self, score: Score, share: float) -> None:
        """Go on in another score that is alike, whose times are a share of the old one's."""
        self.score, self.prints, self.rows = score, score.prints[self.k], score.tables.soles[self.k]
        self.at = self._at
        self.s *= share
        self.lifted *= share

    @property
    def at(self) -> int:
        """Which of its prints it stands on, or flies to; beyond the last one where the clip lets it land no more."""
        return self._at

    @at.setter
    def at(self, at: int) -> None:
        self._at, self.goes_on = at, at < len(self.prints)
        if self.prints:
            self.print = self.prints[min(at, len(self.prints) - 1)]

    def leaves(self) -> float:
        """Sample at which it lifts off; endless where it does not."""
        return float(self.print.last) if self.planted and self.print.lifts else math.inf

    def latest(self, s: float) -> float:
        """Sample that may not be passed before it has landed."""
        return math.inf if self.planted or not self.goes_on else max(float(self.print.first), s)

    def left(self, s: float, rate: float) -> float:
        """Seconds until it should land."""
        return (self.print.first - s) * DT / max(rate, 0.1)

    def advance(self, state: State, s: float, view: View, rate: float, other: bool) -> bool:
        """One tick; true where it lands. Where the ``other`` foot stands it may have left before its time."""
        self.s = s
        if self.planted and (s >= self.leaves() or (other and self._gone(state))):
            self._lift(state, s, view)
        elif not self.planted and self.goes_on:
            return self._fly(state, s, view, rate)
        elif not self.planted:
            self._rise(FREE - self._since(rate), rate)
        return False

    def _gone(self, state: State) -> bool:
        """Whether the body has taken it off the ground though the clip has it there for another moment."""
        return (self.leaves() - self.s) * DT < SOONEST and self._height(state) > GONE * self.facts.h

    def _height(self, state: State) -> float:
        """Of its lowest corner above the ground [m]."""
        sole, ground = self.leg.support, state.ground
        return lowest(state.corners[sole], state.corner_count[sole], ground.under[sole], ground.axes[sole])

    def _lift(self, state: State, s: float, view: View) -> None:
        sole = self.leg.support
        self.planted, self.edge, self.sunk, self.sinking, self.higher = False, None, 0.0, 0.0, 0.0
        self.at += 1
        row = at(self.rows, s)
        x = view.point(row[cols.X])
        self.offset[:3] = state.x[sole] - x
        turn = view.rotation(row[cols.TURN])
        own = quat.from_matrix(state.R[sole])
        self.twist = quat.to_rotvec(quat.multiply(own, quat.conjugate(turn)))
        self.offset[3] = 0.0
        self.speed[:], self.acc[:], self.goal[:] = 0.0, 0.0, 0.0
        self.speed[:3] = state.J_v[sole][:3] - view.vector(row[cols.X_DOT])
        self.lifted = s
        sinks = -float(self.speed[2]) * (self.left(s, 1.0) if self.goes_on else FREE) / 6.0
        end = self.print.first if self.goes_on else self.score.count
        high = self.rows[round(s) : end, cols.X.start + 2]
        self.rise = RISE if sinks > self.firm.sag * self.facts.h else math.inf
        self.join = JOIN if high.max(initial=0.0) > HIGH * self.facts.h else 0.0

    def _since(self, rate: float) -> float:
        """Seconds since it left the ground."""
        return (self.s - self.lifted) * DT / max(rate, 0.1)

    def _fly(self, state: State, s: float, view: View, rate: float) -> bool:
        dt, left, (x, y, _) = self.facts.dt, self.left(s, rate), self.goal.tolist()
        self._rise(left, rate)
        alarm = self.firm.alarmed(self.away)
        late = left <= max(alarm * self.firm.before, dt)
        self.sinking = SINK + alarm * (self.firm.sinks - SINK) if late else 0.0
        self.sunk += self.sinking * dt
        low = self._height(state)
        dx, dy = (self.stands(state)[0] - view.point(self.print.place)).tolist()
        self.missed = math.hypot(dx - x, dy - y)
        late = s > 0.5 * (self.lifted + self.print.first)
        self.planted = bool(low < TOUCH and ((self.missed < NEAR and late) or left < LEFT))
        return self.planted

    def _rise(self, left: float, rate: float) -> None:
        """One tick of what it is off its path, towards its goal in some seconds, and sooner up to its height."""
        dt, (x, y, turn) = self.facts.dt, self.goal.tolist()
        rise = max(self.rise - self._since(rate), dt)
        join = self.join - self._since(rate)
        if join > dt:
            left, x, y, turn, rise = min(left, join), 0.0, 0.0, 0.0, min(rise, join)
        goal = np.array([x, y, 0.0, turn])
        paths.near_goal(self.offset, self.speed, self.acc, goal, max(left, dt), rise, dt)

    def stands(self, state: State) -> tuple[np.ndarray, float]:
        """Where its sole would be if it lay flat about the edge that it stands on: place (2,) and heading."""
        sole, t = self.leg.support, state.t
        if t != self._stood[0]:
            self._stood = t, paths.flat(state.R[sole], state.x[sole], self._half)
        return self._stood[1]

    def keep_away(self, state: State, close: float) -> None:
        """Swing round the other leg; ``close`` is by how much the legs are too near [m]."""
        if self.planted:
            self.aside[:] = 0.0
            return
        span = max(self.print.first - self.lifted, 1.0) if self.goes_on else 1e3
        late = min(max(5.0 * (1.0 - (self.s - self.lifted) / span), 0.0), 1.0)
        R = state.R[self.leg.support]
        x, y = -R.item(1, 0) * self.leg.side, R.item(0, 0) * self.leg.side
        size = max(math.hypot(x, y), 1e-6)
        x, y = x / size, y / size
        now = float(self.aside[0]) * x + float(self.aside[1]) * y
        goal = now + AWAY * close if close > 0 else now * (1.0 - BACK * self.facts.dt)
        now = min(late * goal, WIDEST * self.facts.h)
        self.aside[0], self.aside[1] = now * x, now * y

    # -- wishes

    def wish(self, state: State, view: View, rate: float) -> Objective | None:
        if self.planted:
            return self._rolls(state, at(self.rows, self.s), rate)
        return self._swings(state, view.sole_at(self.rows, self.s), view, rate)

    def _swings(self, state: State, row: np.ndarray, view: View, rate: float) -> SwingSole:
        w = self.facts.rate
        up, rises, span = 0.0, 0.0, FREE / DT
        if self.goes_on:
            span = max(self.print.first - self.lifted, 1.0)
            up, rises = self._raised((self.s - self.lifted) / span, span * DT / max(rate, 0.1))
        fade = max(1.0 - 2.0 * (self.s - self.lifted) / span, 0.0)
        fade = fade * fade * (3 - 2 * fade)
        path = paths.in_air(row, view.quat, self.offset, self.speed, self.acc, self.aside, self.sunk,
                            fade * self.twist, rate)  # fmt: skip
        path[paths.X, 2] += up
        path[paths.V, 2] += rises - self.sinking
        left = self.left(self.s, rate) if self.goes_on else (self.score.count - self.s) * DT + LATE
        share = MORE if left < LATE else LESS if left > EARLY else 1.0
        alarm = self.firm.alarmed(self.away)
        share *= 1.0 + alarm * (self.firm.most - 1.0)
        gain = self.firm.gain(self._since(rate))
        gain += alarm * (1.0 - gain)
        k, d = gain * swing.STIFFNESS * w * w, gain * swing.DAMPING * w
        weight = self.firm.place * share, self.firm.turn * share
        x, v, a, _, _, _, spin, spin_dot = path
        axes = path[paths.TURN : paths.TURN + 3]
        return SwingSole(self.leg.support, x, v, gain * a, axes, spin, gain * spin_dot, k, d, weight)

    def _raised(self, u: float, seconds: float) -> tuple[float, float]:
        """By how much higher than its path it swings at a share of the swing [m], and how fast that grows [m/s]."""
        u = min(max(u, 0.0), 1.0)
        b = u * (1.0 - u)
        return 16.0 * self.higher * b * b, 32.0 * self.higher * b * (1.0 - 2.0 * u) / seconds

    def _tilt(self, row: np.ndarray) -> np.ndarray:
        """Pitch asked for with rate and acceleration; a sole that lands early rolls on as if it had been due."""
        first = self.print.first
        if self.s >= first or not self.firm.early:
            return row[cols.TILT]
        tilt, rate, _ = self.rows[first, cols.TILT]
        return np.array([tilt - rate * (first - self.s) * DT, rate, 0.0])

    def _rolls(self, state: State, row: np.ndarray, rate: float) -> RollingSole | None:
        tilt, tilt_rate, tilt_acc = self._tilt(row).tolist()
        sole, half = self.leg.support, self.leg.half[0]
        if abs(tilt) < FLAT and abs(pitch_of(state.R[sole])) < 2 * FLAT:
            self.edge = None
            return None
        way = math.copysign(1.0, tilt) if abs(tilt) >= FLAT else math.copysign(1.0, pitch_of(state.R[sole]))
        edge = np.array([way * half, 0.0, 0.0])
        there = self.edge
        if there is None or way != self.way:
            there = state.x[sole] + times(state.R[sole], edge)
            there[2] = state.ground.under[sole][2]
            self.edge, self.way = there, way
            self.heading = math.atan2(state.R[sole][1, 0], state.R[sole][0, 0])
        k, d = heels.STIFFNESS * self.facts.rate**2, heels.DAMPING * self.facts.rate
        lies = self.alone and tilt * tilt_rate < 0.0
        gives = abs(tilt) >= FLAT and self._shares(tilt) and not (lies or self.rolls)
        firm = self.firm.roll if gives else ROLL
        if 0.0 < tilt < self.firm.grows:
            firm *= tilt / self.firm.grows
        return RollingSole(sole, edge, there, self.heading, tilt, k, d, (heels.FIRM, firm),
                           self.firm.quick, rate=rate * tilt_rate, acc=rate**2 * tilt_acc)  # fmt: skip

    def _shares(self, tilt: float) -> bool:
        """Whether another foot shares its load when it is tilted that way."""
        way = -1.0 if comes(self.print, self.s, self.score.prints[1 - self.k]) else tilt
        key = self.print, way > 0
        if key not in self._gives:
            self._gives[key] = shared(self.score.prints, self.print, way, STAYS)
        return self._gives[key]

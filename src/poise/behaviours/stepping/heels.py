"""Pitch of the feet: what the ankles allow, heels that touch first before the body and rise behind it."""

from __future__ import annotations

import math

import numpy as np

from poise.behaviours.stepping.able import tied
from poise.behaviours.stepping.dcm import changed_over
from poise.behaviours.stepping.step import DOUBLE, SWING, Facts, Gait, Step, Tick
from poise.behaviours.stepping.swing import pitch_of
from poise.control.sole import RollingSole
from poise.dynamics.state import State
from poise.geometry.linear import times

AHEAD = 0.06  # [s]: how far ahead an ankle's range is watched
LATE = 0.7  # of a swing, when the foot has the pitch it lands with
FLEX = 0.8  # part of the ankle's range, toes up, that stepping uses
LANDING = 0.95  # part of it that landing uses
ROLL = 0.5  # of a sole's half length: a body this far ahead of a sole's middle may lift its heel
PUSH_OFF = 0.7  # [rad]: pitch of a foot that leaves the ground, so that its knee bends before it swings,
FAR = 0.3  # when the body is this far ahead of it, in heights
FIRM = 3000.0  # weight of an edge that stays in place
SHORT, LONG = 0.2, 0.5  # in heights: a step that lands flat, and one with its toes as far up as they go
HEEL = 2.0  # how much faster than toes a heel is held that landed,
QUICK = 1.2  # and again, how much faster its sole lies down
FLAT = 0.01  # [rad]: a sole this level stands
STIFFNESS, DAMPING = 36.0, 12.0  # of an edge in its place, in g/h and √(g/h)
TILT = 0.0  # weight of the roll of a sole that its leg cannot keep level: it goes with the body
MIDDLE = np.zeros(3)


class Heels:
    """Soles that turn about an edge: which, about which, and with which pitch."""

    def __init__(self, facts: Facts, state: State):
        tree = state.tree
        self._shanks = [(tree.body(leg.shank), leg.up) for leg in facts.legs]
        self._toe = np.full((2, 5), -1.0)  # edges that soles roll over: place, heading, whether in use
        self._heel = np.full((2, 5), -1.0)  # the same of heels that landed first
        self._k, self._d = STIFFNESS * facts.rate**2, DAMPING * facts.rate
        self._tilt = [TILT if tied(state.character, leg) else None for leg in facts.legs]
        self._stood = np.full((2, 5), -1.0)  # where such soles were put down

    def stance_pitch(self, facts: Facts, state: State, facing: float, i: int) -> float:
        """Least pitch of a planted foot, heel up, that keeps its ankle well inside its range [rad]."""
        return self._lean(state, facing, i)[0] + FLEX * facts.legs[i].flex

    def swing_pitch(self, facts: Facts, state: State, facing: float, i: int, share: float) -> float:
        """The same of a foot that has a share of its swing behind it: near the end the sole should be flat."""
        late = min(share / LATE, 1.0)
        lean, speed = self._lean(state, facing, i)
        lean += (1.0 - late) * max(0.0, AHEAD * speed)
        return lean + (FLEX + late * (LANDING - FLEX)) * facts.legs[i].flex

    def _lean(self, state: State, facing: float, i: int) -> tuple[float, float]:
        """Pitch of a shank [rad] and its rate [rad/s], about the axis to the side of the body."""
        (b, up), c, s = self._shanks[i], math.cos(facing), math.sin(facing)
        (xx, xy, xz, yx, yy, yz, zx, zy, zz), w = state.engine.xmat[b].tolist(), state.cvel[b].tolist()
        x = xx * up[0] + xy * up[1] + xz * up[2]
        y = yx * up[0] + yy * up[1] + yz * up[2]
        z = zx * up[0] + zy * up[1] + zz * up[2]
        return math.atan2(x * c + y * s, z), c * w[1] - s * w[0]

    def land(self, facts: Facts, tick: Tick, i: int) -> None:
        """A sole has touched the ground: one that lands on its heel rolls over it until it lies flat."""
        state, leg, heel = tick.state, facts.legs[i], self._heel[i]
        heel[4] = -1.0
        if _pitch(state, leg.support) < -FLAT:
            heel[:3] = state.x[leg.support] - leg.half[0] * state.R[leg.support][:, 0]
            heel[2], heel[3], heel[4] = _under(state, leg.support, heel), tick.heading[i], 1.0

    def rolling(self, facts: Facts, tick: Tick, gait: Gait) -> list[RollingSole]:
        """Soles that turn about an edge now."""
        soles = [self._lie_down(facts, tick, gait, i) for i in (0, 1)]
        soles.append(self._rise(facts, tick, gait))
        turning = [sole for sole in soles if sole is not None]
        if None in self._tilt:
            return turning
        busy = {sole.support for sole in turning}
        return turning + [
            self._sway(tick, i, leg.support)
            for i, leg in enumerate(facts.legs)
            if self._down(gait, i) and leg.support not in busy
        ]

    def _down(self, gait: Gait, i: int) -> bool:
        """Whether a sole is planted in a step; one that is not forgets where it was."""
        if not gait.planted[i]:
            self._stood[i, 4] = -1.0
        return gait.planted[i]

    def _sway(self, tick: Tick, i: int, sole: int) -> RollingSole:
        """A planted sole that its leg cannot keep level: it stays in its place and may roll with the body over it."""
        state, stood = tick.state, self._stood[i]
        if stood[4] < 0.0:
            stood[:3] = state.x[sole]
            stood[2], stood[3], stood[4] = _under(state, sole, stood), tick.heading[i], 1.0
        slope, roll = _lies(state, sole)
        return RollingSole(
            sole, MIDDLE, stood[:3], stood[3], slope, self._k, self._d, (FIRM, FIRM), QUICK, roll,
            tilt=self._tilt[i],
        )  # fmt: skip

    def _lie_down(self, facts: Facts, tick: Tick, gait: Gait, i: int) -> RollingSole | None:
        """A sole that landed on its heel and is not flat yet."""
        leg, heel = facts.legs[i], self._heel[i]
        if heel[4] < 0.0 or not gait.planted[i] or _pitch(tick.state, leg.support) > -FLAT:
            heel[4] = -1.0
            return None
        edge = np.array([-leg.half[0], 0.0, 0.0])
        k, d = self._k * HEEL**2, self._d * HEEL
        slope, roll = _lies(tick.state, leg.support)
        return RollingSole(leg.support, edge, heel[:3], heel[3], slope, k, d, (FIRM, FIRM), QUICK, roll,
                           tilt=self._tilt[i])  # fmt: skip

    def _rise(self, facts: Facts, tick: Tick, gait: Gait) -> RollingSole | None:
        """The sole behind the body in a gait that goes on: its heel may rise, late in the other foot's swing too."""
        step = gait.step
        self._toe[:, 4] -= 1.0  # an edge that is not asked for at this tick is forgotten
        if step is None or not step.follows or gait.phase not in (SWING, DOUBLE):
            return None
        i = 1 - step.swing
        leg, toe = facts.legs[i], self._toe[i]
        past = _ahead(tick.c, tick.place[i], gait.facing)
        if past <= ROLL * leg.half[0] or (gait.phase == SWING and gait.clock < 0.5 * gait.T):
            return None
        slope, roll = _lies(tick.state, leg.support)
        pitch = max(0.0, self.stance_pitch(facts, tick.state, gait.facing, i) - slope)
        if gait.phase == DOUBLE:
            pitch = max(pitch, PUSH_OFF * changed_over(tick, gait) * min(past / (FAR * facts.h), 1.0))
        elif pitch == 0.0 and toe[4] < 0.0:
            return None
        edge = np.array([leg.half[0], 0.0, 0.0])
        self._hold_toe(tick, i, leg.support, edge)
        weight = (FIRM, facts.weights.roll)
        return RollingSole(
            leg.support, edge, toe[:3], toe[3], slope + pitch, self._k, self._d, weight, roll=roll,
            tilt=self._tilt[i],
        )  # fmt: skip

    def _hold_toe(self, tick: Tick, i: int, sole: int, edge: np.ndarray) -> None:
        """Keep the toe edge where it is from the first tick that asks for it on."""
        state, toe = tick.state, self._toe[i]
        if toe[4] < 0.0:
            toe[:3] = state.x[sole] + times(state.R[sole], edge)
            toe[2], toe[3] = _under(state, sole, toe), tick.heading[i]
        toe[4] = 1.0


def _ahead(x: np.ndarray, of: np.ndarray, facing: float) -> float:
    """How far a place (2,) lies ahead of another along a heading [m]."""
    (ax, ay), (bx, by) = x.tolist(), of.tolist()
    return (ax - bx) * math.cos(facing) + (ay - by) * math.sin(facing)


def _lies(state: State, sole: int) -> tuple[float, float]:
    """Pitch and roll of the ground under a sole, seen along it [rad]."""
    if not state.ground.rough:
        return 0.0, 0.0
    n, ahead = state.ground.axes[sole][:, 2], state.R[sole][:2, 0]
    ahead = ahead / math.hypot(*ahead)
    return math.atan2(times(n[:2], ahead), n[2]), math.atan2(n[0] * ahead[1] - n[1] * ahead[0], n[2])


def _pitch(state: State, sole: int) -> float:
    """Pitch of a sole against the ground under it, heel up [rad]."""
    return pitch_of(state.R[sole]) - _lies(state, sole)[0]


def _under(state: State, sole: int, x: np.ndarray) -> float:
    """Height of the plane under a sole at a place [m]."""
    n, under = state.ground.axes[sole][:, 2], state.ground.under[sole]
    return float(under[2] - (times(n[:2], x[:2] - under[:2])) / n[2])


def strike_pitch(
    facts: Facts, tick: Tick, step: Step, goal: np.ndarray, facing: float, steady: float
) -> float:
    """How far the toes of the swing foot should be up when it lands [rad]: the longer the step, the more."""
    if steady <= 0.0:
        return 0.0
    long = _ahead(goal, tick.place[1 - step.swing], facing)
    return facts.stride.strike * steady * min(max((long / facts.h - SHORT) / (LONG - SHORT), 0.0), 1.0)

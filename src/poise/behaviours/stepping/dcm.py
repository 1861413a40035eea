"""The divergent component of motion ξ: as it is, as it should run in a step, and the pressure that makes it do so."""

from __future__ import annotations

import math
from itertools import product

import numpy as np

from poise.behaviours.balance.laws import Area, support_polygon
from poise.behaviours.stepping.legs import Legs
from poise.behaviours.stepping.step import DOUBLE, SHIFT, SWING, Facts, Gait, Step, Tick
from poise.character import Character
from poise.compiled import compiled
from poise.dynamics.state import State
from poise.geometry.polygon import project
from poise.records import Indices, Matrix, Real, Record, Vector

UNLOADED = 0.85  # of a double support after which the foot behind carries nothing
MOST_CORNERS = 64  # of both soles
BRISK = 5.0  # ``Stride.firm`` of weight that moves over out of a straddle: slower, the legs would draw the body down


# -- as it is


class Seen(Record):
    """What ``measure`` fills, seen from above: see ``Tick``."""

    supports: Indices
    g: Real  # [m/s²]
    least: Real  # height that ω counts with [m]
    c: Vector
    v: Vector
    xi: Vector
    place: Matrix
    heading: Vector
    centre: Vector

    def __init__(self, legs: Legs, g: float, least: float):
        self.supports, self.g, self.least = np.array([leg.support for leg in legs.both]), g, least
        self.c, self.v, self.xi, self.heading, self.centre = (np.zeros(2) for _ in range(5))
        self.place = np.zeros((2, 2))
        self.seal()


@compiled
def measure(state, seen):
    """Fill c, v, ξ and places, headings, middle of the soles; returns ω at a height of ``least`` or more."""
    height, ground, place = 0.0, state.ground, seen.place
    for k in range(3):
        height += (state.c[k] - ground.base[k]) * ground.normal[k]
    omega = math.sqrt(seen.g / max(height, seen.least))
    for i in range(2):
        s = seen.supports[i]
        place[i, 0], place[i, 1] = state.x[s, 0], state.x[s, 1]
        seen.heading[i] = math.atan2(state.R[s, 1, 0], state.R[s, 0, 0])
    for k in range(2):
        seen.c[k], seen.v[k] = state.c[k], state.G[k] / state.m
        seen.xi[k] = seen.c[k] + seen.v[k] / omega
        seen.centre[k] = 0.5 * (place[0, k] + place[1, k])
    return omega


# -- as it should run


def pivot_ahead(facts: Facts, tick: Tick, step: Step, i: int, t: float) -> float:
    """How far ahead of a sole's centre the pivot lies at a time of the step [m]."""
    fixed = facts.stride.ahead * float(facts.legs[i].half[0])
    return fixed + step.roll * (t / step.time - 0.5 + 1.0 / (tick.omega * step.time))


def pivot_of(facts: Facts, tick: Tick, step: Step, i: int, t: float) -> np.ndarray:
    """Pivot (2,) of a sole at a time of the step, world [m]."""
    return tick.place[i] + pivot_ahead(facts, tick, step, i, t) * _direction(step.heading)


def pivot_lead(tick: Tick, step: Step) -> np.ndarray:
    """What the pivot is ahead of the pressure itself (2,) [m]."""
    return step.roll / (tick.omega * step.time) * _direction(step.heading)


def _direction(heading: float) -> np.ndarray:
    return np.array([math.cos(heading), math.sin(heading)])


def course(facts: Facts, tick: Tick, step: Step, t: float) -> tuple[list[float], list[float]]:
    """Pressure and ξ (2,) at a time of a step that nothing disturbs, world [m].

    It ends with ξ where it was wished for: the offset counts from the new sole's first pivot. In plain numbers, since
    it is asked at every tick.
    """
    stance, T, w = 1 - step.swing, step.time, tick.omega
    now, first = pivot_ahead(facts, tick, step, stance, t), pivot_ahead(facts, tick, step, stance, 0.0)
    last, lead, to_come = (
        pivot_ahead(facts, tick, step, stance, T),
        step.roll / (w * T),
        math.exp(w * (t - T)),
    )
    soles, places, offsets = tick.place[stance].tolist(), step.place.tolist(), step.offset.tolist()
    p, xi, ahead = [0.0, 0.0], [0.0, 0.0], (math.cos(step.heading), math.sin(step.heading))
    for k in (0, 1):
        sole, d = soles[k], ahead[k]
        pivot = sole + now * d
        p[k] = pivot - lead * d
        xi[k] = pivot + (places[k] + offsets[k] + first * d - (sole + last * d)) * to_come
    return p, xi


def xi_at_lift(facts: Facts, tick: Tick, step: Step, pivot: np.ndarray) -> np.ndarray:
    """Where ξ should be when the swing foot leaves the ground (2,)."""
    return np.array(course(facts, tick, step, 0.0)[1]) if step.follows else pivot


# -- the pressure that makes it do so


class Support(Area):
    """The area that the planted soles span."""

    def __init__(self, character: Character, legs: Legs):
        super().__init__(MOST_CORNERS)
        soles, self._masks = [[leg.support, *leg.toes] for leg in legs.both], {}
        for planted in product((False, True), repeat=2):
            self._masks[planted] = mask = np.zeros(len(character.supports), dtype=bool)
            for sole, down in zip(soles, planted):
                mask[sole] = down

    def mask(self, planted: tuple[bool, bool]) -> np.ndarray:
        """(S,) true for supports that are planted; the same array for the same soles."""
        return self._masks[planted]

    def span(self, state: State, planted: tuple[bool, bool]) -> int:
        """Fill ``polygon``, drawn in a little, and its ``centre``; returns the number of corners."""
        return support_polygon(state, self.mask(planted), self)

    def nearest(self, state: State, planted: tuple[bool, bool], p: np.ndarray) -> tuple[np.ndarray, bool]:
        """Point of the area nearest to p (2,), and whether p itself lies inside."""
        near = np.empty(2)
        away = _nearest(state, self.mask(planted), self, p, near)
        return near, not away > 0.0


@compiled
def _nearest(state, planted, area, p, near):
    return project(area.polygon, support_polygon(state, planted, area), p, near)


def changed_over(tick: Tick, gait: Gait) -> float:
    """How much of the weight is meant to be on the new foot in double support, from 0 to 1."""
    gone = 0.5 + 0.5 * gait.clock / max(tick.half_double, 1e-6)
    return min(max(gone / UNLOADED, 0.0), 1.0)


def pressure(facts: Facts, tick: Tick, gait: Gait) -> tuple[np.ndarray, bool]:
    """Where the pressure should be (2,), and whether it can be where ξ alone would want it: no spin is spent then."""
    step, phase = gait.step, gait.phase
    if step is None or (phase == DOUBLE and (step.recovery or not step.follows)):
        wish = _beyond(tick, tick.centre, facts.stride.firm)
    elif phase == SWING:
        return _on_stance_sole(facts, tick, gait, step), False
    elif phase == SHIFT:
        firm = BRISK if step.leave else facts.stride.firm
        wish = _beyond(tick, xi_at_lift(facts, tick, step, gait.pivot), firm)
        if step.recovery and not step.leave and facts.stride.load:
            return _loaded(facts, tick, gait, step, wish)
    else:
        way = gait.pivot - pivot_lead(tick, step) - gait.p_landed
        wish = gait.p_landed + changed_over(tick, gait) * way
    return facts.support.nearest(tick.state, gait.planted, wish)


def _loaded(facts: Facts, tick: Tick, gait: Gait, step: Step, wish: np.ndarray) -> tuple[np.ndarray, bool]:
    """Where both feet can press, moved over so far that the foot that stays bears its load when the other leaves."""
    near, inside = facts.support.nearest(tick.state, gait.planted, wish)
    share = facts.stride.load * min(gait.clock / max(step.ready, facts.dt), 1.0)
    return near + share * (tick.place[1 - step.swing] - near), inside


def _beyond(tick: Tick, goal: np.ndarray, firm: float) -> np.ndarray:
    """Beyond ξ, so that ξ returns to the goal (2,)."""
    return goal + (1 + firm) * (tick.xi - goal)


def _on_stance_sole(facts: Facts, tick: Tick, gait: Gait, step: Step) -> np.ndarray:
    """On the one sole that is down: moved by ξ's deviation from the course of this step (2,). In plain numbers, too."""
    stride, stance = facts.stride, 1 - step.swing
    if step.follows:
        (x, y), (a, b) = course(facts, tick, step, gait.clock)
        gain = stride.feedback
    else:
        a, b = x, y = tick.place[stance].tolist()
        gain = 1 + stride.firm
    xi = tick.xi.tolist()
    to_x, to_y = _within_sole(facts, tick, gain * (xi[0] - a), gain * (xi[1] - b), stance)
    return np.array((x + to_x, y + to_y))


def _within_sole(facts: Facts, tick: Tick, x: float, y: float, i: int) -> tuple[float, float]:
    """A shift of the pressure, cut to what a sole allows."""
    heading, sole = tick.heading.item(i), facts.stride.sole
    long, wide = facts.legs[i].half.tolist()
    c, s, long, wide = math.cos(heading), math.sin(heading), sole * long, sole * wide
    ahead, left = min(max(x * c + y * s, -long), long), min(max(x * -s + y * c, -wide), wide)
    return c * ahead + -s * left, s * ahead + c * left

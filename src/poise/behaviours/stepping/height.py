"""How high the centre of mass is carried: as high as the legs allow, in a gait lowest when both feet are down."""

from __future__ import annotations

import math

import numpy as np

from poise.behaviours.stepping.dcm import xi_at_lift
from poise.behaviours.stepping.legs import Leg
from poise.behaviours.stepping.step import DOUBLE, SHIFT, STAND, SWING, Facts, Gait, Tick
from poise.compiled import compiled

UPRIGHT = 0.995  # of a leg's length that standing counts on
BEHIND = 0.2  # of a sole's half length: a body this far ahead of a sole's middle lifts its heel
QUICK = 3.0  # in √(g/h): how fast the height follows what the legs allow
SOFT = 0.5  # of gravity: most that the arc accelerates the body up or down
TOP = 0.995  # of the height at rest: the highest that the arc of a gait goes
VAULT = 2.0  # in √(g/h): how fast the arc of a gait grows
LEAST_REACH = 0.04  # of a leg's length, squared: least height of a hip over an ankle that is out of reach


class Height:
    """Wanted height of the centre of mass over the ground, with rate and acceleration."""

    def __init__(self, facts: Facts):
        self._arc = 0.0
        self.begin(facts.h)
        self._legs = geometry(facts.legs)
        self._places, self._headings, self._still = np.zeros((2, 2)), np.zeros(2), np.zeros(2)
        self._levels = np.zeros(2)

    def begin(self, z: float, rate: float = 0.0, quick: float = QUICK) -> None:
        """Start from a height [m] and its rate [m/s], and follow what the legs allow at a pace of ``quick`` √(g/h)."""
        self._z, self._rate, self._quick = z, rate, quick

    def advance(self, facts: Facts, tick: Tick, gait: Gait, steady: float) -> tuple[float, float, float]:
        """One tick towards the height from which both soles are in reach where they are or will land."""
        reach = self._reach(facts, tick, gait)
        rate = self._quick * tick.omega
        a = rate * rate * (min(facts.h, reach) - self._z) - 2 * rate * self._rate
        self._rate += a * facts.dt
        self._z += self._rate * facts.dt
        return self._vault(facts, gait, steady, a)

    def _reach(self, facts: Facts, tick: Tick, gait: Gait) -> float:
        """Greatest height that the legs allow [m]."""
        places, headings, stride, step = self._places, self._headings, facts.stride, gait.step
        places[:], headings[:] = tick.place, tick.heading
        c, shift = tick.centre, self._still
        if step is not None and gait.phase == SWING:
            places[step.swing], headings[step.swing] = gait.goal, step.heading
            c = 0.5 * (places[0] + places[1])
            shift = tick.v * tick.half_double * step.follows
        elif step is not None and gait.phase == DOUBLE and step.follows:
            shift = tick.v * tick.half_double
        elif step is not None and gait.phase == SHIFT:
            c = xi_at_lift(facts, tick, step, gait.pivot)
        ground = tick.state.ground
        if ground.rough:
            self._levels[:] = [ground.height_at(x, y) for x, y in places]
            self._levels -= self._levels.mean()
        stretch = UPRIGHT if gait.phase == STAND else stride.stretch
        behind = np.inf if gait.phase == SHIFT else BEHIND
        return highest(
            self._legs, places, headings, self._levels, c, shift, gait.facing, stride.heel, behind, stretch,
            gait.toes_up,
        )  # fmt: skip

    def _vault(self, facts: Facts, gait: Gait, steady: float, a: float) -> tuple[float, float, float]:
        """The stance leg carries the body over in an arc: highest in mid-swing, lowest in mid double support."""
        step, walking = gait.step, gait.phase in (SWING, DOUBLE)
        T = max(gait.T if gait.phase == SWING else (step.time if step is not None else 1.0), 0.1)
        wanted, soft = 0.0, SOFT * facts.g * T * T / (2 * math.pi**2)
        if walking:
            wanted = steady * min(max(TOP * facts.h - self._z, 0.0), facts.stride.vault * facts.h)
        self._arc = min(self._arc + min(VAULT * facts.rate * facts.dt, 1.0) * (wanted - self._arc), soft)
        turn, w = 2 * math.pi * gait.clock / T, 2 * math.pi / T
        if not walking:
            turn = 0.0
        half = 0.5 * self._arc
        z = self._z + half * (1.0 - math.cos(turn))
        return z, self._rate + half * w * math.sin(turn), a + half * w * w * math.cos(turn) * walking


def geometry(legs: tuple[Leg, Leg]) -> np.ndarray:
    """(2, 7) of both legs: hip, reach, half length of the sole, ankle along and up from its centre."""
    return np.array([(*leg.hip, leg.reach, leg.half[0], leg.ankle[0], leg.ankle[2]) for leg in legs])


@compiled
def highest(legs, places, headings, levels, c, shift, facing, rise, behind, stretch, strike):
    """Highest centre of mass from which both soles are in reach [m].

    Args:
        legs: From ``geometry``. places: (2, 2), headings: (2,) and levels: (2,) of the soles, these from their mean.
        c: (2,) seen from above.
        shift: (2,) by which the body is still behind c when a foot lands, and ahead of it when the other one leaves.
        rise: Pitch about the toe edge that the heel of a sole may rise by [rad] when the body is ahead of its middle by
            ``behind`` half lengths. stretch: Part of a leg's length that is used.
        strike: Pitch about the heel's edge, toes up, of a sole that the body is not ahead of [rad].
    """
    best = np.inf
    ahead_x, ahead_y = math.cos(facing), math.sin(facing)
    for i in range(2):
        hip_x, hip_y, hip_z, reach, half, ankle_x, ankle_z = legs[i]
        past = (c[0] - places[i, 0]) * ahead_x + (c[1] - places[i, 1]) * ahead_y
        pitch, way, edge = (rise, 1.0, half) if past > behind * half else (-strike, -1.0, -half)
        x, y = c[0] + way * shift[0], c[1] + way * shift[1]
        cp, sp = math.cos(pitch), math.sin(pitch)
        along = edge + cp * (ankle_x - edge) + sp * ankle_z  # of the ankle, from the sole's centre
        up = sp * (edge - ankle_x) + cp * ankle_z
        dx = places[i, 0] + math.cos(headings[i]) * along - x - ahead_x * hip_x + ahead_y * hip_y
        dy = places[i, 1] + math.sin(headings[i]) * along - y - ahead_y * hip_x - ahead_x * hip_y
        length = stretch * reach
        high = math.sqrt(max(length * length - dx * dx - dy * dy, LEAST_REACH * length * length))
        best = min(best, high + up - hip_z + levels[i])
    return best

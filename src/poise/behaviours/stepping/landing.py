r"""Where and when the swing foot lands: the divergent component of motion, one step ahead.

With ξ = c + ċ/ω and the pressure held at p, ξ(T) = p + (ξ - p) e^{ω(T - t)}. After landing at u the offset b = ξ(T) - u
decides how the next step goes; a steady gait keeps a known b. Landing place and time minimise

.. math:: w_u |u - u_0|^2 + w_\tau (e^{\omega T} - e^{\omega T_0})^2 + w_b |b - b_0|^2

over what the legs can reach (after Khadiv et al. 2016), in closed form for each of a list of times.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from poise.behaviours.stepping.dcm import pivot_ahead
from poise.behaviours.stepping.step import Facts, Step, Tick
from poise.compiled import compiled
from poise.records import Cube, Real, Record, Vector

TIMES = 40  # landing times that are tried
LEAST = 0.01  # [s] from now to the earliest of them
PEAK = 1.875  # of a quintic from rest to rest: its highest speed over its mean speed, 15/8
URGENT = 0.1  # in heights: a step this far from where it was wanted must land in time,
OTHER_TIME = 0.3  # of its time: or a step that comes this much sooner or later


def steady_offset(step: np.ndarray, following: np.ndarray, growth: float) -> np.ndarray:
    """Offset b (2,) after landing ``step`` in a gait that alternates it with ``following``; growth = e^{ωT}."""
    return (following * growth + step) / (growth * growth - 1.0)


@compiled
def plan_landing(xi, p, foot, t, omega, u0, b0, T0, bounds, box, weights, fastest, out):
    """Best landing (x, y, T) into ``out``, and its cost.

    All vectors (2,) in the frame of the stance sole [m]; T counts like t, from the start of the step.

    Args:
        xi, p, foot: ξ, pressure and swing sole now. u0, b0, T0: What is wished for.
        bounds: Earliest and latest T. box: (2, 2) lowest and highest u.
        weights: w_u, w_τ, w_b and the weight of haste. fastest: Top speed of the swing foot [m/s].
    """
    best = np.inf
    low = max(bounds[0], t + LEAST)
    high = max(bounds[1], low)
    grown0 = math.exp(omega * T0)
    for i in range(TIMES):
        T = low + (high - low) * i / (TIMES - 1)
        grow = math.exp(omega * (T - t))
        cost = weights[1] * (math.exp(omega * T) - grown0) ** 2
        ux, uy = 0.0, 0.0
        for k in range(2):
            end = p[k] + (xi[k] - p[k]) * grow
            u = (weights[0] * u0[k] + weights[2] * (end - b0[k])) / (weights[0] + weights[2])
            u = min(max(u, box[0, k]), box[1, k])
            cost += weights[0] * (u - u0[k]) ** 2 + weights[2] * (end - u - b0[k]) ** 2
            if k == 0:
                ux = u
            else:
                uy = u
        haste = PEAK * math.sqrt((ux - foot[0]) ** 2 + (uy - foot[1]) ** 2) / (T - t) - fastest
        if haste > 0.0:
            cost += weights[3] * haste * haste
        if cost < best:
            best = cost
            out[0], out[1], out[2] = ux, uy, T
    return best


@compiled
def plan_step(planner, xi, p, soles, swinging, angle, t, omega, place, offset, T0, lead):
    """Best landing (x, y, T) of a step into the planner's ``out``, place in the world; returns its cost.

    All vectors (2,) in the world [m]. The plan is made in axes along the heading, moving with the pivot, so that only
    distances from it matter.

    Args:
        planner: What holds for all steps, and ``along``, ``bounds`` of this one.
        p: Pressure; part of its distance from where it should be will last.
        soles: (2, 2) where they are. swinging: Which one does. angle: Heading of the step.
        place, offset, T0: What is wished for. lead: What the pivot is ahead of the pressure.
    """
    c, s = math.cos(angle), math.sin(angle)
    stance, foot, box = soles[1 - swinging], soles[swinging], planner.boxes[swinging]
    along, out, away, trust = planner.along, planner.out, np.empty(2), planner.trust if t > 0.0 else 0.0
    for k, d in enumerate((c, s)):
        away[k] = trust * (p[k] - (stance[k] + along[0] * d) + lead * d)
    local, push, swing = np.empty(2), np.empty(2), np.empty(2)
    u0, b0, limits = np.empty(2), np.empty(2), box.copy()
    for k in range(2):
        a, b = (c, s) if k == 0 else (-s, c)
        first, now, last = (along[1], along[0], along[2]) if k == 0 else (0.0, 0.0, 0.0)
        local[k] = a * (xi[0] - stance[0]) + b * (xi[1] - stance[1]) - now
        push[k] = a * away[0] + b * away[1]
        swing[k] = a * (foot[0] - stance[0]) + b * (foot[1] - stance[1]) - last
        u0[k] = a * (place[0] - stance[0]) + b * (place[1] - stance[1]) - last
        b0[k] = a * offset[0] + b * offset[1] + first
        limits[0, k], limits[1, k] = box[0, k] - last, box[1, k] - last
    cost = plan_landing(
        local, push, swing, t, omega, u0, b0, T0, planner.bounds, limits, planner.price, planner.fastest, out
    )
    x, y = out[0] + along[2], out[1]
    out[0], out[1] = stance[0] + c * x - s * y, stance[1] + s * x + c * y
    return cost


class Landing(NamedTuple):
    """A planned landing."""

    place: np.ndarray  # (2,) world [m]
    time: float  # from the start of the step [s]
    cost: float  # how far from captured it leaves the body
    hurry: float  # how far it is from the place and time that the gait wants; 1 and more is urgent


class LandingPlanner(Record):
    """``plan_step`` with the prices and the reach of one body."""

    price: Vector  # (4,) see ``plan_landing``
    fastest: Real
    boxes: Cube  # (2, 2, 2) landings in reach of each limb, from the stance sole [m]
    along: Vector  # (3,) pivot ahead of the stance sole's centre: now, at the start and at the end of the step [m]
    trust: Real  # part of the pressure's distance from where it should be that will last
    bounds: Vector  # (2,) earliest and latest landing [s]
    out: Vector

    def __init__(self, facts: Facts):
        stride, h, g = facts.stride, facts.h, facts.g
        self.price = np.array(
            [stride.place / h**2, stride.when, stride.offset / h**2, stride.haste / (g * h)]
        )
        self.fastest = stride.fastest * math.sqrt(g * h)
        self.boxes = np.array([reach_of(facts, i) for i in range(2)])
        self.trust = stride.trust
        self.along, self.bounds, self.out = np.zeros(3), np.zeros(2), np.zeros(3)
        self.seal()

    def plan(
        self, facts: Facts, tick: Tick, step: Step, xi: np.ndarray, clock: float, p: np.ndarray
    ) -> Landing:
        """Best landing of a step from ξ (2,) at a time of the step, with the pressure at p (2,)."""
        if not step.live:
            return Landing(
                step.place.copy(), step.time, math.nan, hurry_of(facts, step, step.place, step.time)
            )
        stride, w, stance = facts.stride, tick.omega, 1 - step.swing
        soonest = clock + 0.5 * (stride.freeze + 0.5 * stride.double) / w
        self.bounds[:] = max(stride.shortest / w, soonest), stride.longest / w
        self.along[:] = [pivot_ahead(facts, tick, step, stance, t) for t in (clock, 0.0, step.time)]
        cost = plan_step(
            self, xi, p, tick.place, step.swing, step.heading, clock, w, step.place, step.offset, step.time,
            step.roll / (w * step.time),
        )  # fmt: skip
        place, time = self.out[:2].copy(), float(self.out[2])
        return Landing(place, time, cost, hurry_of(facts, step, place, time))


def hurry_of(facts: Facts, step: Step, place: np.ndarray, time: float) -> float:
    """How far from what the gait wants a step will land in place and time; endless for a step outside a gait."""
    if not step.follows or step.recovery:
        return math.inf
    away = math.hypot(place[0] - step.place[0], place[1] - step.place[1])
    return away / (URGENT * facts.h) + abs(time / step.time - 1.0) / OTHER_TIME


def reach_of(facts: Facts, swing: int) -> np.ndarray:
    """Lowest and highest landing of a limb, in the frame of the stance sole (2, 2) [m]."""
    leg, stride = facts.legs[swing], facts.stride
    near = stride.clearance * 2 * min(leg.half[1] for leg in facts.legs)
    far = near + stride.wide * leg.reach
    low, high = (near, far) if leg.side > 0 else (-far, -near)
    return np.array([[-stride.back * leg.reach, low], [stride.far * leg.reach, high]])

"""Where the centre of pressure should be in each phase of a step, and the curve of [Stepping] 4.4.2."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from poise.behaviours.stepping.step import DOUBLE, SHIFT, STAND, SWING, turned
from poise.dynamics.state import State
from poise.geometry.polygon import project

if TYPE_CHECKING:
    from poise.behaviours.stepping.stepper import Stepper


def pressure(body: Stepper, state: State) -> np.ndarray:
    """Where the centre of pressure should be (2,)."""
    step, phase = body.now, body.phase
    if phase == SWING:
        return _swinging(body)
    if phase == STAND or (phase == DOUBLE and step is not None and (step.recovery or not step.follows)):
        return _towards(body, state, body.centre)
    if phase == SHIFT:
        return _towards(body, state, body.start_point())
    way = body.changed_over * (body.pivot - body.lead - body.old_pivot)
    return _in_support(body, state, body.old_pivot + way)


def _swinging(body: Stepper) -> np.ndarray:
    """On the one sole that is down: ahead of ξ's deviation from the course of this step."""
    step, stride = body.now, body.stride
    assert step is not None
    stance = 1 - step.swing
    if not step.follows:
        goal = body.place[stance]
        return goal + _in_sole(body, (1 + stride.firm) * (body.xi - goal), stance)
    now, last = body.pivot_of(stance, body.clock), body.pivot_of(stance, step.time)
    body.xi_ref = now + (body.goal_xi() - last) * math.exp(body.omega * (body.clock - step.time))
    return now - body.lead + _in_sole(body, stride.feedback * (body.xi - body.xi_ref), stance)


def _towards(body: Stepper, state: State, goal: np.ndarray) -> np.ndarray:
    """Beyond ξ, so that ξ returns to the goal."""
    return _in_support(body, state, goal + (1 + body.stride.firm) * (body.xi - goal))


def _in_sole(body: Stepper, shift: np.ndarray, i: int) -> np.ndarray:
    """A shift of the pressure, cut to what a sole allows (2,)."""
    R = turned(body.heading[i])
    half = body.stride.sole * body.leg(i).half
    return R @ np.clip(shift @ R, -half, half)


def _in_support(body: Stepper, state: State, p: np.ndarray) -> np.ndarray:
    size = body.posture.support(state, body.planted)
    near = np.empty(2)
    body.spend = bool(project(body.posture.polygon, size, p, near) > 0.0)
    return near


def on_curve(body: Stepper) -> np.ndarray:
    """Acceleration (2,) along the curve from the start over the pivot to the middle of the feet: eq. 4.10."""
    T, g, w = max(body.T, 1e-3), body.gains, body.rate
    s = min(max(body.clock / T, 0.0), 1.0)
    e, e_dot, e_ddot = s * s * (3 - 2 * s), 6 * s * (1 - s) / T, (6 - 12 * s) / T**2
    a, b, c = body.origin, body.pivot, 0.5 * (body.pivot + body.goal)
    x = (1 - e) ** 2 * a + 2 * e * (1 - e) * b + e * e * c
    slope, bend = 2 * (1 - e) * (b - a) + 2 * e * (c - b), 2 * (c - 2 * b + a)
    x_dot, x_ddot = slope * e_dot, bend * e_dot**2 + slope * e_ddot
    return x_ddot + w * w * g.linear * (x - body.c) + w * g.linear_damping * (x_dot - body.v)

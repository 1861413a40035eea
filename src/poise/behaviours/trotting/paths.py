"""Feet in the air: from where they were to where they will land, re-aimed at every tick."""

from __future__ import annotations

import numpy as np

from poise.behaviours.stepping.swing import DAMPING, STIFFNESS, approach
from poise.control.sole import SwingSole
from poise.dynamics.state import State

APEX = 0.45  # of the swing: when a foot is highest
DESCENT = 0.05  # speed at landing, in √(g h)


class FootPath:
    """Reference of one lifted foot, with rate and acceleration."""

    def __init__(self, support: int, dt: float, speed: float):
        self.support, self.dt, self.descent = support, dt, DESCENT * speed
        self.value, self.rate, self.acc = np.zeros((3, 3))
        self.ground, self.done = 0.0, 0.0

    def lift(self, state: State) -> None:
        """Begin where the foot is."""
        self.value[:], self.rate[:], self.acc[:] = state.x[self.support], 0.0, 0.0
        self.ground, self.done = float(state.x[self.support][2]), 0.0

    def advance(self, goal: np.ndarray, left: float, lift: float) -> None:
        """One tick towards a place (2,) in ``left`` seconds, over a height."""
        v, r, a, dt = self.value, self.rate, self.acc, self.dt
        span = self.done + max(left, dt)
        for i in (0, 1):
            v[i], r[i], a[i] = approach(v[i], r[i], a[i], goal[i], left, dt, 0.0)
        if self.done < APEX * span:
            v[2], r[2], a[2] = approach(
                v[2], r[2], a[2], self.ground + lift, APEX * span - self.done, dt, 0.0
            )
        elif left > dt:
            v[2], r[2], a[2] = approach(v[2], r[2], a[2], self.ground, left, dt, -self.descent)
        else:  # the ground is lower than it was thought to be
            v[2], r[2], a[2] = v[2] - self.descent * dt, -self.descent, 0.0
        self.done += dt

    def objective(self, state: State, omega: float, weight: float) -> SwingSole:
        """The foot follows its path; which way it points is left to the leg."""
        still, s = np.zeros(3), self.support
        return SwingSole(s, self.value.copy(), self.rate.copy(), self.acc.copy(), state.R[s].copy(), still, still,
                         STIFFNESS * omega**2, DAMPING * omega, (weight, 0.0))  # fmt: skip

"""Rise: from a deep squat to standing, by the stepper, which may step."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from poise.behaviours.stepping.recover import Recover
from poise.behaviours.stepping.step import STAND
from poise.behaviours.stepping.stepper import Stepper
from poise.dynamics.state import State

ARMS_STEPPING, ARMS_STANDING = 10.0, 30.0  # times the usual weights: free arms would fly overhead
SLOW = 1.1  # in √(g/h): how fast the height follows what the legs allow
LOWEST = 0.25  # of the height at rest: lower, it is lost
CALM = 0.08  # [m/s] of the centre of mass,
UP = 0.93  # of its height at rest,
FOR = 0.3  # [s]: it stands


class Rise(Stepper):
    """A stepper that begins low."""

    @classmethod
    def like(cls, other: Stepper) -> Rise:
        """With the strides of another one, recovering, its arms held firmly."""
        weights = replace(other.weights, arms=ARMS_STEPPING * other.weights.arms)
        standing = replace(other.standing, arms=ARMS_STANDING * other.standing.arms)
        return cls(Recover(), other.stride, weights, standing, other.gains, other.mu, other.grip)

    def start(self, state: State, dt: float) -> None:
        super().start(state, dt)
        self.height.begin(float(state.ground.height_of(state.c)), float(state.L[2] / state.m), SLOW)
        self.posture.lowest = LOWEST
        self.gait = self.gait._replace(calm=False)
        self._stood = 0.0

    def stands(self, state: State) -> bool:
        """Asked once a tick: whether it has stood calmly for a while."""
        calm = float(np.linalg.norm(state.L)) < CALM * state.m and self.gait.phase == STAND
        high = float(state.ground.height_of(state.c)) > UP * self.facts.h
        self._stood = self._stood + self.facts.dt if calm and high else 0.0
        return self._stood > FOR

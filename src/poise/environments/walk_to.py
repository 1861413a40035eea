"""Walk to a place: velocity commands of a walk."""

from __future__ import annotations

import math

import numpy as np

import poise
from poise.environments.base import NOISE, MomentumEnv
from poise.simulate import Scene

FAR = (1.0, 3.0)  # [m]
ARRIVED, BONUS = 0.25, 10.0  # [m]


class WalkToEnv(MomentumEnv):
    """Walk to a place one to three metres away, on any side.

    Action: speed ahead up to 1 m/s (back as well), to the left up to 0.3 m/s, turn up to 60°/s, from the next step on.
    The observation ends with the place, ahead and to the left [m]. Reward a step: metres gained, less a hundredth of
    the effort; 10 on arrival, which ends the episode.
    """

    levers = (1.0, 0.3, 60.0)  # [m/s], [m/s], [deg/s]

    def compose(self, seed: int) -> Scene:
        told = {"pose_noise": NOISE, **self._told}
        return poise.scene("roam", seconds=600.0, seed=seed, after_fall=0.0, **told)

    def _begin(self) -> None:
        angle, far = self.np_random.uniform(-math.pi, math.pi), self.np_random.uniform(*FAR)
        self.goal = self.session.state.c[:2] + far * np.array([math.cos(angle), math.sin(angle)])
        self._far = far

    def _extra(self) -> list[float]:
        return [*self.ahead(self.goal - self.session.state.c[:2])]

    def act(self, levers: np.ndarray) -> None:
        self.session.command(speed=levers[0], side=levers[1], turn=levers[2])

    def reward(self) -> tuple[float, bool]:
        far = math.dist(self.goal, self.session.state.c[:2])
        gained, self._far = self._far - far, far
        there = far < ARRIVED
        return gained - 0.01 * self.effort + BONUS * there, there

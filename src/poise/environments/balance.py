"""Stand while unseen hands shove: lean, and say how much the angular law counts."""

from __future__ import annotations

import math

import numpy as np

import poise
from poise.environments.base import NOISE, MomentumEnv
from poise.simulate import Scene

EVERY = 2.0  # [s] between two shoves
SHOVE = (0.05, 0.25)  # [m/s], impulse over mass
PUSH_S = 0.1
NEAR, STILL = 0.05, 0.2  # [m], [m/s]: scales of the reward


class BalanceEnv(MomentumEnv):
    """Keep the DCM over the feet without a step, shoved every two seconds from any side.

    Action: the centre of mass ahead and to the left, up to 5 cm; the weight of the angular law, from a quarter to four
    times. Reward a step: exp(-(ξ/5 cm)²) of the DCM's distance from the middle of the feet, less a tenth of the effort.
    """

    levers = (0.05, 0.05, 2.0)  # [m], [m], octaves

    def compose(self, seed: int) -> Scene:
        told = {"pose_noise": NOISE, "idle": False, **self._told}
        return poise.scene("stand", seconds=600.0, seed=seed, after_fall=0.0, push=[], **told)

    def _begin(self) -> None:
        self._due = EVERY * 0.5

    def act(self, levers: np.ndarray) -> None:
        self.session.command(ahead=levers[0], left=levers[1], angular=2.0 ** levers[2])
        if self.session.time >= self._due:
            self._due += EVERY
            angle, speed = self.np_random.uniform(-math.pi, math.pi), self.np_random.uniform(*SHOVE)
            force = speed * self.session.scene.mass / PUSH_S
            trunk = self.session.scene.character.trunk
            self.session.push(trunk, (force * math.cos(angle), force * math.sin(angle), 0.0), PUSH_S)

    def reward(self) -> tuple[float, bool]:
        state = self.session.state
        omega = math.sqrt(9.81 / float(state.character.com_rest[2]))
        xi = state.c[:2] + state.c_dot[:2] / omega - self.feet[:2]
        return math.exp(-float(xi @ xi) / NEAR**2) - 0.1 * self.effort, False

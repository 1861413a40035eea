"""Be pushed hard once, and step: where the DCM should be when the foot lands."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

import poise
from poise.behaviours.stepping.step import Director, Facts, Gait, Step, Tick
from poise.behaviours.stepping.stepper import Stepper
from poise.environments.base import NOISE, MomentumEnv
from poise.simulate import Scene
from poise.worlds import Push

ONSET, PUSH_S = (0.5, 1.0), 0.1  # [s]
SPEED = (0.4, 0.8)  # [m/s], impulse over mass
STILL = 0.3  # [m/s]: scale of the reward


class Nudged(Director):
    """Another director, whose steps land with ξ a little elsewhere: ``ahead`` and ``left`` of the foot [m]."""

    def __init__(self, inner: Director):
        self.inner, self.nudge = inner, np.zeros(2)

    def start(self, facts: Facts, tick: Tick, gait: Gait) -> None:
        self.inner.start(facts, tick, gait)

    def step(self, facts: Facts, tick: Tick, gait: Gait) -> Step | None:
        step = self.inner.step(facts, tick, gait)
        return None if step is None else self._moved(step)

    def aim(self, facts: Facts, tick: Tick, step: Step) -> Step:
        return self._moved(self.inner.aim(facts, tick, step))

    def command(self, **wishes: float) -> None:
        self.nudge[:] = wishes.get("ahead", 0.0), wishes.get("left", 0.0)

    def _moved(self, step: Step) -> Step:
        if not self.nudge.any():
            return step
        c, s = math.cos(step.heading), math.sin(step.heading)
        ahead, left = self.nudge
        return step._replace(offset=step.offset + np.array([c * ahead - s * left, s * ahead + c * left]))


class PushRecoveryEnv(MomentumEnv):
    """Stand, be pushed once from any side with 0.4 to 0.8 m/s, and come to rest by as many steps as it takes.

    Action: offset of the DCM from the foot that lands, ahead and to the left, up to 10 cm. Reward a step:
    exp(-(ċ / 0.3 m/s)²), less a tenth of the effort.
    """

    levers = (0.1, 0.1)  # [m]

    def compose(self, seed: int) -> Scene:
        rng = np.random.default_rng(seed)
        angle, speed, onset = rng.uniform(-math.pi, math.pi), rng.uniform(*SPEED), rng.uniform(*ONSET)
        told = {"pose_noise": NOISE, "style": "plain", **self._told}
        made = poise.scene("reactive-step", seconds=600.0, seed=seed, after_fall=0.0, push=[], **told)
        assert isinstance(made.behaviour, Stepper)
        force = speed * made.mass / PUSH_S
        push = Push(
            made.character.trunk, (force * math.cos(angle), force * math.sin(angle), 0.0), onset, PUSH_S
        )
        stepper = replace(made.behaviour, director=Nudged(made.behaviour.director))
        return replace(made, behaviour=stepper, world=replace(made.world, pushes=(push,)))

    def act(self, levers: np.ndarray) -> None:
        self.session.command(ahead=levers[0], left=levers[1])

    def reward(self) -> tuple[float, bool]:
        speed = self.session.state.c_dot
        return math.exp(-float(speed @ speed) / STILL**2) - 0.1 * self.effort, False

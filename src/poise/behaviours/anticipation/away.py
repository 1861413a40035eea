"""Protective steps ([Stepping] 5.1): out of a ball's way by one quick step, and whatever steps balance needs after it.

The foot on the side where the body goes leaves the ground at once, so that the weight falls that way over the other
one; the momentum supervisor catches it. Without physics the same two footprints are made by ``example_steps``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from poise.behaviours.anticipation.moves import Move
from poise.behaviours.example_steps.compose import held, joined, onto
from poise.behaviours.example_steps.stepping import QUICKEST, Walker
from poise.behaviours.stepping.recover import Recover
from poise.behaviours.stepping.step import Facts, Gait, Step, Tick
from poise.behaviours.stepping.stepper import Stepper
from poise.behaviours.stepping.stride import StepWeights, Stride
from poise.character.character import Character
from poise.motion.blend import moved
from poise.motion.clip import Clip

FAR = 0.5  # in heights of the centre of mass: how far the first foot steps,
TIME = 1.5  # and its time, in √(h/g)
STRIDE = Stride(sole=1.0, far=0.66, lift=0.06, double=0.28, trust=0.5, place=1.0)
STAY = 0.5  # [s] that the clip of a step goes on after it
WEIGHTS = StepWeights(root=20.0, trunk=5.0, spin=400.0)


@dataclass
class Away(Recover):
    """A step towards ``bearing`` [rad] from where the body faces, and then what the supervisor asks for."""

    bearing: float = 0.0

    def start(self, facts: Facts, tick: Tick, gait: Gait) -> None:
        super().start(facts, tick, gait)
        self._begun = False

    def step(self, facts: Facts, tick: Tick, gait: Gait) -> Step | None:
        if self._begun:
            return super().step(facts, tick, gait)
        self._begun = True
        way, swing = gait.facing + self.bearing, leading(self.bearing)
        place = tick.place[swing] + FAR * facts.h * np.array([math.cos(way), math.sin(way)])
        time = TIME / facts.rate
        return Step(swing, place, gait.facing, np.zeros(2), time, live=False, recovery=True)

    def aim(self, facts: Facts, tick: Tick, step: Step) -> Step:
        return super().aim(facts, tick, step) if step.live else step


def leading(bearing: float) -> int:
    """The foot that steps first towards a bearing [rad]: the one on that side."""
    return 0 if math.sin(bearing) >= 0 else 1


def stepping_away(move: Move) -> Stepper:
    """The protective step of a move, in physics."""
    return Stepper(Away(tidy=True, bearing=math.radians(move.direction)), STRIDE, WEIGHTS)


def stepped(character: Character, idle: np.ndarray, move: Move) -> Clip:
    """The same without physics: both feet in turn, as quick as steps from examples may be, and idle there."""
    walker, bearing = Walker(character), math.radians(move.direction)
    far = FAR * float(character.com_rest[2])
    there = moved(held(walker, idle, STAY), (far * math.cos(bearing), far * math.sin(bearing), 0.0))
    steps = onto(walker, idle, there, QUICKEST, leading(bearing))
    return joined([*(made.clip for made in steps), there])

"""Roll out: roll some revolutions any way, lie there, and get up as after any fall."""

from __future__ import annotations

import math

import numpy as np

from poise.behaviours.falling.springs import Hold
from poise.behaviours.life import Life
from poise.behaviours.rolling.course import TURN
from poise.behaviours.rolling.roll import Roll
from poise.behaviours.rolling.solver import Wanted
from poise.behaviours.stepping.recover import Recover
from poise.behaviours.stepping.stepper import Stepper
from poise.behaviours.tumble import Switch
from poise.control.behaviour import Behaviour, Command, Signal, Solver, Torque
from poise.dynamics.state import State


class RollOut(Behaviour):
    """A roll that ends, and a body that then stands.

    Args:
        roll: How it rolls.
        rolls: Revolutions after which it lets go.
        stepper: How it stands once it is up.
    """

    lies = True

    def __init__(self, roll: Roll, rolls: float = 9.0, stepper: Stepper | None = None):
        self.roll, self.rolls = roll, rolls
        self.life = Life(stepper or Stepper(Recover()))
        self.grip = self.life.grip

    def start(self, state: State, dt: float) -> None:
        self.roll.start(state, dt)
        self.life.start(state, dt)
        self.rolling, self._first = True, self.roll.attitude.phase

    def around(self, usual: Solver, state: State, torque: Torque) -> Solver:
        return Switch(self.life.around(usual, state, torque), self.roll.solver(state, torque, usual.solution))

    def update(self, state: State) -> Command | Hold | Wanted:
        if self.rolling and abs(self.roll.attitude.phase - self._first) >= TURN * self.rolls:
            self.rolling = False
            self.life.lay(state, "rolled enough")
        return self.roll.update(state) if self.rolling else self.life.update(state)

    # -- what others ask

    @property
    def doing(self) -> str:
        return "roll" if self.rolling else self.life.doing

    @property
    def q_ref(self) -> np.ndarray:  # type: ignore[override]
        return self.roll.q_ref if self.rolling else self.life.q_ref

    @property
    def steps(self) -> int:  # type: ignore[override]
        return self.life.steps

    def signals(self) -> dict[str, Signal]:
        return {**self.roll.signals(), "life": self.life.signals()["life"]}

    def metrics(self) -> dict[str, float]:
        down = self.life.time_down
        return {"stands": self.life.up_again > 0, "time_down_s": down[0] if down else math.nan}

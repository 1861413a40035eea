"""Saunter: stroll as people do, stop and stand when told to, catch oneself while standing, and set off again."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from poise.behaviours.following.stroll import GRIP, Stroll
from poise.behaviours.stepping.roam import Roam
from poise.behaviours.stepping.stepper import Stepper
from poise.control.behaviour import Behaviour, Signal, Solver, Torque
from poise.control.contact import Grip
from poise.control.solve import Command
from poise.dynamics.state import State

HALT = 0.25  # [m/s]: a wish for less is one to stand
SLOW = 0.45  # [m/s]: from this speed on a stroller stops
OFF = 0.5  # [m/s] at which a stand is left,
FIRST = 2  # steps, before it becomes a stroll
SHARED = ("gait", "soles")  # series that strollers and steppers have


@dataclass
class Saunter(Behaviour):
    """A stroll and a stepper under one roof."""

    stroll: Stroll
    stepper: Stepper = field(default_factory=lambda: Stepper(Roam()))
    stands: bool = False  # whether it begins at a stand
    stop: float = math.inf  # [s] when it is to stop
    grip: Grip = GRIP

    def start(self, state: State, dt: float) -> None:
        self.dt, self.steps, self._before = dt, 0, 0
        self.stroll.start(state, dt)
        self.stepper.start(state, dt)
        self.wish = {"speed": float(self.stroll.pace[0]), "turn": float(self.stroll.pace[1])}
        if self.stands:
            self.wish = {"speed": 0.0, "turn": 0.0}
        self.walking = not self.stands
        self.lowest, self.q_ref = self.stroll.lowest, np.array(self._acting.q_ref)
        self._told = {
            name: signal.values.copy() for name, signal in self.stroll.signals().items() if name in SHARED
        }

    @property
    def _acting(self) -> Stroll | Stepper:
        return self.stroll if self.walking else self.stepper

    def command(self, **wishes: float) -> None:
        """Another ``speed`` [m/s] or ``turn`` [rad/s]; no speed is a stand."""
        self.stroll.command(**wishes)
        self.wish |= wishes

    def update(self, state: State) -> Command:
        if state.t >= self.stop:
            self.wish["speed"] = self.stroll.wish[0] = 0.0
        steps = self._acting.steps
        command = self._acting.update(state)
        self.q_ref[:] = self._acting.q_ref
        landed = self._acting.steps > steps
        self.steps += landed
        told = self._acting.signals()
        for name, values in self._told.items():
            values[:] = told[name].values
        self._told["gait"][1] = self.steps
        stop = self.wish["speed"] < HALT
        if self.walking and stop and landed and self.stroll.pace[0] <= SLOW:
            self._stop(state)
        elif not self.walking:
            self._set_off(state, stop, landed)
        return command

    def around(self, usual: Solver, state: State, torque: Torque) -> Solver:
        return self.stepper.around(usual, state, torque)

    def _stop(self, state: State) -> None:
        self.walking, self._before = False, self.steps
        self.stepper.start(state, self.dt)

    def _set_off(self, state: State, stop: bool, landed: bool) -> None:
        """A few plain steps out of a stand, then the stroll goes on from the foot that has just landed."""
        speed, turn = (0.0, 0.0) if stop else (min(self.wish["speed"], OFF), self.wish["turn"])
        self.stepper.command(speed=speed, side=0.0, turn=turn)
        if stop or not landed:
            self._before = self.steps if stop else self._before
        elif self.steps - self._before >= FIRST:
            step = self.stepper.gait.step
            assert step is not None
            self.stroll.enter(state, self.dt, step.swing, speed, turn)
            self.walking = True

    def signals(self) -> dict[str, Signal]:
        own = self.stroll.signals()
        return own | {name: own[name]._replace(values=values) for name, values in self._told.items()}

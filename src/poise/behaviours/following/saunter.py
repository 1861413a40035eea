"""Saunter: stroll as people do, stop and stand when told to, catch oneself while standing, and set off again."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from poise.behaviours.following.stroll import GRIP, Stroll
from poise.behaviours.stepping.roam import Roam
from poise.behaviours.stepping.stepper import Stepper
from poise.control.behaviour import Behaviour, Signal, Solver, Torque, check_wishes
from poise.control.contact import Grip
from poise.control.solve import Command
from poise.dynamics.state import State

HALT = 0.25  # [m/s]: a wish for less is no stroll, nor is one to the side
FASTEST, VEERS = 1.8, 60.0  # [m/s], [deg/s] that a stroll goes and turns at the most
SLOW = 0.45  # [m/s]: from this speed on a stroller stops
OFF = 0.5  # [m/s] at which a stand is left,
FIRST = 2  # steps, before it becomes a stroll
SHARED = ("gait", "soles", "xi", "footprint")  # series that strollers and steppers have


@dataclass
class Saunter(Behaviour):
    """A stroll and a stepper under one roof: a stand, a way to the side or back, a turn on the spot are stepped."""

    stroll: Stroll
    stepper: Stepper = field(default_factory=lambda: Stepper(Roam()))
    stands: bool = False  # whether it begins at a stand
    stop: float = math.inf  # [s] when it is to stop
    grip: Grip = GRIP

    def start(self, state: State, dt: float) -> None:
        self.dt, self.steps, self._before = dt, 0, 0
        self.stroll.start(state, dt)
        self.stepper.start(state, dt)
        speed, turn = (0.0, 0.0) if self.stands else self.stroll.pace.tolist()
        self.wish = {"speed": speed, "side": 0.0, "turn": math.degrees(turn)}
        self.walking = not self.stands
        self.lowest, self.q_ref = self.stroll.lowest, np.array(self._acting.q_ref)
        self._told = {
            name: signal.values.copy() for name, signal in self.stroll.signals().items() if name in SHARED
        }

    @property
    def _acting(self) -> Stroll | Stepper:
        return self.stroll if self.walking else self.stepper

    def command(self, **wishes: float) -> None:
        """``speed`` and ``side`` [m/s], ``turn`` [deg/s] from now on; all zero is standing still."""
        check_wishes("a walk", wishes, self.wish)
        self.wish |= wishes
        speed = min(self.wish["speed"], FASTEST) if self._strolls else 0.0
        self.stroll.command(speed=speed, turn=self._turn)

    @property
    def _turn(self) -> float:
        """That a stroll can make of the one wished for [deg/s]."""
        return min(max(self.wish["turn"], -VEERS), VEERS)

    @property
    def _strolls(self) -> bool:
        """Whether it is a stroll that is wished for."""
        return self.wish["speed"] >= HALT and not self.wish["side"]

    def update(self, state: State) -> Command:
        if state.t >= self.stop and any(self.wish.values()):
            self.command(speed=0.0, side=0.0, turn=0.0)
        steps = self._acting.steps
        command = self._acting.update(state)
        self.q_ref[:] = self._acting.q_ref
        landed = self._acting.steps > steps
        self.steps += landed
        told = self._acting.signals()
        for name, values in self._told.items():
            values[:] = told[name].values
        self._told["gait"][1] = self.steps
        if self.walking and not self._strolls and landed and self.stroll.pace[0] <= SLOW:
            self._stop(state)
        elif not self.walking:
            self._step_or_set_off(state, landed)
        return command

    def around(self, usual: Solver, state: State, torque: Torque) -> Solver:
        return self.stepper.around(self.stroll.around(usual, state, torque), state, torque)

    def _stop(self, state: State) -> None:
        self.walking, self._before = False, self.steps
        self.stepper.start(state, self.dt)

    def _step_or_set_off(self, state: State, landed: bool) -> None:
        """Where a stroll is wished for, a few plain steps, then it goes on from the foot that has just landed."""
        if not self._strolls:
            self.stepper.command(**self.wish)
            self._before = self.steps
            return
        speed, turn = min(self.wish["speed"], OFF), self._turn
        self.stepper.command(speed=speed, side=0.0, turn=turn)
        if landed and self.steps - self._before >= FIRST:
            step = self.stepper.gait.step
            assert step is not None
            self.stroll.enter(state, self.dt, step.swing, speed, math.radians(turn))
            self.walking = True

    def signals(self) -> dict[str, Signal]:
        own = self.stroll.signals()
        return own | {name: own[name]._replace(values=values) for name, values in self._told.items()}

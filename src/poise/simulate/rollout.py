"""Rollout: the only loop. Every take, trial and live session steps the world through it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Protocol

import mujoco
import numpy as np
from numpy.linalg import LinAlgError

from poise.worlds.world import Arena


class Delay:
    """Controls that act some steps after they were found, as nerves and motors have it; at once by default."""

    def __init__(self) -> None:
        self.steps, self._past = 0, deque[np.ndarray]()

    def set(self, steps: int) -> None:
        """From now on so many steps late; the controls that are on their way stay so."""
        self.steps = steps
        if not steps:
            self._past.clear()

    def __call__(self, ctrl: np.ndarray) -> np.ndarray:
        """The controls that act now, where these were found now."""
        if not self.steps:
            return ctrl
        self._past.append(ctrl.copy())
        while len(self._past) > self.steps + 1:
            self._past.popleft()
        return self._past[0]


class Driver(Protocol):
    """What finds the controls of a step: a ``Controller``, or what lies between it and the plant."""

    def __call__(self, model: mujoco.MjModel, data: mujoco.MjData, ready: bool = False) -> np.ndarray: ...


class Rollout:
    """An arena and its controller, stepped from outside.

    Between two steps the state is known and the torques are found, but not yet applied: what is seen then, and what
    is changed then (a push), belongs to the same instant.

    Args:
        look: Asked every ``every`` steps, the first time at once; true ends the rollout.
        broke: Told of arithmetic that failed on the way, which ends the rollout; without it such an error is raised.
    """

    def __init__(
        self,
        arena: Arena,
        controller: Driver,
        look: Callable[[], bool] | None = None,
        every: int = 1,
        broke: Callable[[Exception], None] | None = None,
    ):
        self.arena, self.controller, self.look, self.every = arena, controller, look, every
        self.broke = broke
        self.extra: np.ndarray | None = None  # controls added to those of the controller
        self.steps, self.over, self.delay = 0, False, Delay()
        self._sense()

    def advance(self, steps: int) -> int:
        """Take so many steps, fewer where the rollout ends; returns how many."""
        for done in range(steps):
            if self.over:
                return done
            self.arena.finish()
            self.steps += 1
            self._sense()
        return steps

    def _sense(self) -> None:
        """Kinematics, torques, and a look."""
        arena = self.arena
        try:
            arena.begin()
            found = self.controller(arena.model, arena.data, ready=True)
            arena.data.ctrl[:] = self.delay(found) if self.delay.steps else found
            if self.extra is not None:
                arena.data.ctrl[:] += self.extra
        except (ArithmeticError, LinAlgError) as error:
            if self.broke is None or self.steps == 0:
                raise
            self.over = True
            self.broke(error)
            return
        if self.look is not None and self.steps % self.every == 0:
            self.over = self.look()


def rollout(
    arena: Arena,
    controller: Driver,
    steps: int,
    look: Callable[[], bool] | None = None,
    every: int = 1,
) -> Rollout:
    """Run to the end, or until a look says so."""
    run = Rollout(arena, controller, look, every)
    run.advance(steps)
    return run

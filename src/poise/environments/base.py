"""What all environments share: a Session behind Gymnasium's reset and step, an observation, residual torques."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box

from poise.geometry import quat
from poise.simulate import Scene, Session

TICK = 0.05  # [s] of one step of an environment
KEPT = 2.0  # [s] that the session records
RESIDUAL = 0.1  # of its limit: most that a residual torque may add
NOISE = 0.01  # [rad] of every joint at the start
FELL = 10.0  # what a fall costs


class MomentumEnv(gymnasium.Env):
    """A scene, stepped by actions of -1 to 1.

    An observation is seen from above the middle of the feet, along the body's heading: centre of mass (3) [m], its
    velocity (3) [m/s], angular momentum over m h √(g h) (3), root orientation (4), joints and all velocities, and what
    the task adds.

    Args:
        residual: Whether the action also holds a torque for each actuator, up to a tenth of its limit.
        told: Options of the scene, ``character`` too; ``plant_mass`` stands for ``plant.mass``.
    """

    metadata = {"render_modes": []}  # noqa: RUF012 (as Gymnasium has it)

    def __init__(self, render_mode: str | None = None, residual: bool = False, **told: Any):
        self.render_mode, self.residual = render_mode, residual
        self._told = {
            key.replace("_", ".", 1) if key.startswith("plant_") else key: v for key, v in told.items()
        }
        self.session = Session(self.compose(0), keep=KEPT)
        self._limit = RESIDUAL * self.session.arena.model.actuator_ctrlrange[:, 1]
        width = len(self.levers) + (len(self._limit) if residual else 0)
        self.action_space = Box(-1.0, 1.0, (width,), np.float32)
        self._begin()
        self.observation_space = Box(-np.inf, np.inf, self._observe().shape, np.float32)

    levers: tuple[float, ...] = ()  # what an action of 1 means, in the task's own units

    @abstractmethod
    def compose(self, seed: int) -> Scene:
        """The scene of an episode."""

    @abstractmethod
    def act(self, levers: np.ndarray) -> None:
        """Tell the behaviour what an action means."""

    @abstractmethod
    def reward(self) -> tuple[float, bool]:
        """Of the last step, and whether the task is done."""

    def _begin(self) -> None:
        """Draw what an episode needs besides its scene."""

    def _extra(self) -> list[float]:
        """What the task adds to the observation."""
        return []

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict]:
        super().reset(seed=seed)
        self.session = Session(self.compose(int(self.np_random.integers(2**31))), keep=KEPT)
        self._begin()
        return self._observe(), {"time": 0.0}

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict]:
        given = np.clip(np.asarray(action, dtype=float), -1.0, 1.0)
        n = len(self.levers)
        self.act(given[:n] * self.levers)
        if self.residual:
            self.session.add_torques(given[n:] * self._limit)
        self.session.step(TICK)
        reward, done = self.reward()
        if self.session.fell:
            reward -= FELL
        info = {"time": self.session.time, "fell": self.session.fell}
        return (
            self._observe(),
            float(reward),
            bool(self.session.fell or self.session.over or done),
            False,
            info,
        )

    @property
    def effort(self) -> float:
        """Mean square of the torques over their limits."""
        data, model = self.session.arena.data, self.session.arena.model
        return float(np.mean((data.ctrl / model.actuator_ctrlrange[:, 1]) ** 2))

    @property
    def feet(self) -> np.ndarray:
        """Middle between the soles of the stance (3,) [m]."""
        state = self.session.state
        stance = [s.name in state.character.stance for s in state.character.supports]
        return state.x[stance].mean(axis=0)

    @property
    def heading(self) -> float:
        """Of the root about the vertical [rad]."""
        return float(quat.swing_twist(self.session.state.q[3:7])[1])

    def ahead(self, vector: np.ndarray) -> np.ndarray:
        """A vector (2 or 3,) along the body's heading and to its left."""
        c, s = np.cos(self.heading), np.sin(self.heading)
        return np.array([c * vector[0] + s * vector[1], c * vector[1] - s * vector[0], *vector[2:]])

    def _observe(self) -> np.ndarray:
        state = self.session.state
        h = float(state.character.com_rest[2])
        spin = state.H / (state.m * h * np.sqrt(9.81 * h))
        parts = [
            self.ahead(state.c - self.feet),
            self.ahead(state.c_dot),
            self.ahead(spin),
            state.q[3:],
            state.v,
        ]
        return np.concatenate([*parts, self._extra()]).astype(np.float32)

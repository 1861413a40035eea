"""What is seen of a running session: where its bodies are and would be, how it is doing, its newest record."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import mujoco
import numpy as np

from poise.control.controller import Controller, Status
from poise.dynamics.state import State
from poise.record import spin
from poise.simulate.take import Take
from poise.worlds.disturb import Push
from poise.worlds.world import Arena

LOWEST = 0.05  # [m] of the centre of mass, for the capture point of a body that lies


class Shadow:
    """Where the bodies of a world would be if the character had the pose that its behaviour follows."""

    def __init__(self, arena: Arena):
        self._tree, self._model, self._data = arena.tree, arena.model, mujoco.MjData(arena.model)

    def pose(self, arena: Arena, q_ref: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        """Positions (B, 3) [m] and rotations (B, 4) of all bodies; the root stays where it is. None without a pose."""
        if q_ref.shape != (self._tree.nq,) or not np.isfinite(q_ref[7:]).all():
            return None
        data, at = self._data, self._tree.qpos0
        data.qpos[:] = arena.data.qpos
        if np.isfinite(q_ref[3:7]).all():
            data.qpos[at + 3 : at + 7] = q_ref[3:7]
        data.qpos[at + 7 : at + self._tree.nq] = q_ref[7:]
        mujoco.mj_kinematics(self._model, data)
        return data.xpos, data.xquat


def capture_point(state: State) -> np.ndarray:
    """Where the body would come to rest over a point (2,), world [m]: ξ = c + ċ √(z/g)."""
    z = max(float(state.ground.height_of(state.c)), LOWEST)
    return state.c[:2] + state.L[:2] / state.m * math.sqrt(z / float(np.linalg.norm(state.g)))


class Sight:
    """The part of a session that only looks."""

    arena: Arena
    controller: Controller
    take: Take
    _shadow: Shadow

    @property
    def time(self) -> float:
        """[s] since the start."""
        return float(self.arena.data.time)

    @property
    def state(self) -> State:
        """The body now; arrays are overwritten by the next step."""
        return self.controller.state

    @property
    def status(self) -> Status:
        """How the body is doing: standing, stepping, fallen, and which limits act."""
        return self.controller.status

    @property
    def bodies(self) -> tuple[str, ...]:
        """Names of all bodies of the world, in order."""
        model = self.arena.model
        return tuple(model.body(b).name for b in range(model.nbody))

    @property
    def places(self) -> tuple[np.ndarray, np.ndarray]:
        """Positions (B, 3) [m] and rotations (B, 4) wxyz of all bodies now; overwritten by the next step."""
        return self.arena.data.xpos, self.arena.data.xquat

    @property
    def reference(self) -> tuple[np.ndarray, np.ndarray] | None:
        """The same with the pose that the behaviour follows, the root where it is; None where it follows none."""
        return self._shadow.pose(self.arena, self.controller.behaviour.q_ref)

    @property
    def capture_point(self) -> np.ndarray:
        """Where the body would come to rest (2,) [m]."""
        return capture_point(self.state)

    @property
    def spin(self) -> str:
        """``ZS`` or ``NZS``: whether the spin may stay zero; empty in flight."""
        return spin.word(self.row["support_points"], self.row["cmp"])

    @property
    def pushes(self) -> Sequence[Push]:
        """All pushes so far, and those of the scene that are still to come."""
        return tuple(self.arena.pushes)

    @property
    def lies(self) -> bool:
        """Whether the behaviour may lie on the ground, so that it cannot fall."""
        return self.controller.behaviour.lies

    @property
    def row(self) -> Mapping[str, np.ndarray]:
        """The newest record by the names of its series; arrays are overwritten by the next one."""
        return self.take.row

    @property
    def fell(self) -> bool:
        return self.take.fall_time is not None

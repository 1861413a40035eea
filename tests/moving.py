"""Fixtures of bodies in random motion, with no ground and no contact."""

from __future__ import annotations

import copy
from collections.abc import Callable

import mujoco
import numpy as np
import pytest

from poise.character import Character
from poise.dynamics.state import State

NAMES = ("adult", "insectoid", "chicken")


@pytest.fixture(params=NAMES)
def name(request: pytest.FixtureRequest) -> str:
    """Each built-in body in turn."""
    return request.param


@pytest.fixture
def moving() -> Callable[..., State]:
    """Factory of states at random q and v, kinematics run."""

    def make(name: str, seed: int, speed: float = 1.0) -> State:
        character = Character.named(name)
        model = copy.copy(character.model)  # the character's own is shared
        model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
        data = mujoco.MjData(model)
        rng = np.random.default_rng(seed)
        data.qpos[:] = character.q_rest
        data.qvel[:] = speed * rng.normal(size=model.nv)
        mujoco.mj_integratePos(model, data.qpos, 0.4 * rng.normal(size=model.nv), 1.0)
        mujoco.mj_forward(model, data)
        return State(character, model, data).update()

    return make


def later(state: State, v_dot: np.ndarray, t: float) -> State:
    """The state a short time later (or earlier) along v and v̇."""
    data = mujoco.MjData(state.model)
    data.qpos[:] = state.data.qpos
    mujoco.mj_integratePos(state.model, data.qpos, state.v + 0.5 * t * v_dot, t)
    data.qvel[:] = state.v + t * v_dot
    mujoco.mj_forward(state.model, data)
    return State(state.character, state.model, data).update()

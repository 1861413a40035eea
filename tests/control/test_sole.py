"""Objectives on soles: their rows agree with a central difference, and a reached target asks for nothing."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from poise.control.sole import RollingSole, SwingSole
from poise.dynamics.state import State


def difference(objective, state: State, v_dot: np.ndarray, eps: float = 1e-5) -> np.ndarray:
    """ẏ by central difference along (v, v̇)."""
    out = []
    for sign in (-1, 1):
        data = mujoco.MjData(state.model)
        data.qpos[:], data.qvel[:] = state.data.qpos, state.data.qvel + sign * eps * v_dot
        mujoco.mj_integratePos(state.model, data.qpos, np.array(state.data.qvel), sign * eps)
        mujoco.mj_forward(state.model, data)
        out.append(objective.measure(State(state.character, state.model, data).update()).y.copy())
    return (out[1] - out[0]) / (2 * eps)


def swing(state: State) -> SwingSole:
    zero = np.zeros(3)
    return SwingSole(
        0, state.x[0].copy(), zero, zero, state.R[0].copy(), zero, zero, 100.0, 20.0, (10.0, 5.0)
    )


def rolling(state: State) -> RollingSole:
    return RollingSole(1, np.array([0.13, 0, 0]), state.x[1].copy(), 0.3, 0.1, 100.0, 20.0, (10.0, 5.0))


@pytest.mark.parametrize("make", [swing, rolling])
def test_rate(moving, make):
    state = moving("adult", 3)
    objective = make(state)
    v_dot = np.random.default_rng(1).normal(size=state.nv)
    measure = objective.measure(state)
    np.testing.assert_allclose(
        measure.A @ v_dot + measure.bias, difference(objective, state, v_dot), atol=2e-4
    )


def test_target_reached_at_rest_asks_for_nothing(moving):
    state = moving("adult", 5, speed=0.0)
    np.testing.assert_allclose(swing(state).desired(state), 0.0, atol=1e-9)

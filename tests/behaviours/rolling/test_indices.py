"""Rotation indices: derivatives, rigid spin, and what the forms of the excursion do."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from moving import later
from poise.behaviours.rolling.indices import angular_momentum, angular_velocity, root_velocity

STEP = 1e-5  # [s] of the central difference


@pytest.mark.parametrize("body", ["adult", "baby"])
@pytest.mark.parametrize("index", [angular_momentum, angular_velocity, root_velocity])
def test_rate_is_matrix_times_acceleration_plus_bias(moving, body: str, index) -> None:
    state = moving(body, 4)
    v_dot = 3.0 * np.random.default_rng(1).normal(size=state.nv)
    here = index(state)
    rate = here.A @ v_dot + here.bias
    np.testing.assert_allclose(here.y, here.A @ state.v, atol=1e-10 * max(1.0, np.abs(here.y).max()))
    difference = (index(later(state, v_dot, STEP)).y - index(later(state, v_dot, -STEP)).y) / (2 * STEP)
    np.testing.assert_allclose(difference, rate, atol=2e-6 * max(1.0, np.abs(rate).max()))


def test_rigid_spin_is_the_angular_velocity(moving) -> None:
    state = moving("adult", 2, speed=0.0)
    omega = np.array([0.3, -2.0, 1.1])
    state.data.qvel[3:6] = state.root_R.T @ omega
    mujoco.mj_forward(state.model, state.data)
    state.update()
    for index in (angular_velocity, root_velocity):
        np.testing.assert_allclose(index(state).y, omega, atol=1e-9)

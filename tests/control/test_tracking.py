"""Differences of poses against the engine's own, and the law that follows them."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from poise.control.tracking import PoseError


def random_pose(state, seed: int, spread: float) -> np.ndarray:
    q = np.array(state.character.q_rest)
    mujoco.mj_integratePos(state.model, q, spread * np.random.default_rng(seed).normal(size=state.nv), 1.0)
    return q


@pytest.mark.parametrize("spread", [1e-10, 1e-3, 0.5, 2.0])
def test_difference_agrees_with_the_engine(moving, name: str, spread: float):
    state = moving(name, 0)
    q, q_ref = random_pose(state, 1, 0.5), random_pose(state, 1, 0.5)
    mujoco.mj_integratePos(state.model, q_ref, spread * np.random.default_rng(2).normal(size=state.nv), 1.0)
    expected, out = np.zeros(state.nv), np.zeros(state.nv)
    mujoco.mj_differentiatePos(state.model, expected, 1.0, q, q_ref)
    np.testing.assert_allclose(PoseError(state.tree)(q, q_ref, out), expected, atol=1e-9)


def test_either_quaternion_of_a_rotation_will_do(moving):
    state = moving("adult", 0)
    error = PoseError(state.tree)
    q, q_ref = random_pose(state, 1, 0.3), random_pose(state, 2, 0.3)
    first = error(q, q_ref, np.zeros(state.nv)).copy()
    other = q_ref.copy()
    other[3:7] *= -1
    np.testing.assert_allclose(error(q, other, np.zeros(state.nv)), first, atol=1e-12)


def test_the_law_closes_the_error(moving, name: str):
    """k (q_ref ⊖ q) + d (v_ref - v) + v̇_ref; on the reference only the feed-forward is left."""
    state = moving(name, 0)
    error, rng = PoseError(state.tree), np.random.default_rng(0)
    q_ref = random_pose(state, 3, 0.3)
    v_ref, v_dot_ref, k, d = rng.normal(size=(4, state.nv))
    gap = error(state.q, q_ref, np.zeros(state.nv)).copy()
    law = error.law(state.q, state.v, q_ref, v_ref, v_dot_ref, k, d, np.zeros(state.nv))
    np.testing.assert_allclose(law, k * gap + d * (v_ref - state.v) + v_dot_ref, atol=1e-12)
    on_it = error.law(state.q, state.v, state.q, state.v, v_dot_ref, k, d, np.zeros(state.nv))
    np.testing.assert_allclose(on_it, v_dot_ref, atol=1e-7)

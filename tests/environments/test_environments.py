"""Environments: Gymnasium's own checks, seeds, vectors, and actions that mean what they say."""

from __future__ import annotations

import importlib.util
import warnings
from pathlib import Path

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", reason="pip install 'poise[gym]'")
from gymnasium.utils.env_checker import check_env  # noqa: E402

from poise.environments import IDS  # noqa: E402
from poise.environments.base import FELL  # noqa: E402


@pytest.mark.parametrize("name", IDS)
def test_gymnasium_finds_nothing_wrong(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings(
            "ignore", message=".*Box observation space (min|max)imum value is.*infinity.*"
        )
        check_env(gymnasium.make(f"poise.environments:{name}").unwrapped)


@pytest.mark.parametrize("name", IDS)
def test_an_episode_repeats_by_its_seed(name):
    def run(seed):
        env = gymnasium.make(name)
        seen = [env.reset(seed=seed)[0]]
        for _ in range(4):
            observation, reward, *_ = env.step(0.5 * np.ones(env.action_space.shape, np.float32))
            seen.append(np.append(observation, reward))
        return np.concatenate(seen)

    np.testing.assert_array_equal(run(3), run(3))
    assert (run(3) != run(4)).any()


def test_several_at_once():
    env = gymnasium.make_vec("poise/Balance-v0", num_envs=3, vectorization_mode="sync")
    observations, _ = env.reset(seed=0)
    assert observations.shape == (3, *env.single_observation_space.shape)
    _, rewards, terminated, truncated, _ = env.step(env.action_space.sample())
    assert rewards.shape == (3,) and not terminated.any() and not truncated.any()


def test_leaning_leans():
    env = gymnasium.make("poise/Balance-v0").unwrapped
    env.reset(seed=1)
    for _ in range(16):
        observation, *_ = env.step(np.array([1.0, 0.0, 0.0]))
    assert 0.03 < observation[0] < 0.09 and abs(observation[1]) < 0.02


def test_walking_ahead_goes_ahead():
    env = gymnasium.make("poise/WalkTo-v0").unwrapped
    env.reset(seed=1)
    env.goal = env.session.state.c[:2] + np.array([2.0, 0.0])
    env._far = 2.0
    rewards = [env.step(np.array([0.6, 0.0, 0.0]))[1] for _ in range(60)]
    assert sum(rewards) > 0.8


def test_residual_torques_are_applied_and_may_fell_it():
    env = gymnasium.make("poise/Balance-v0", residual=True, character="adult").unwrapped
    env.reset(seed=0)
    assert env.action_space.shape == (3 + env.session.arena.model.nu,)
    action = np.zeros(env.action_space.shape)
    action[3:] = 1.0
    env.step(action)
    added = env.session.arena.data.ctrl - env.session.controller.solution.tau[6:]
    np.testing.assert_allclose(added, env._limit, rtol=1e-9)
    rewards = []
    while not rewards or rewards[-1] > -FELL / 2:
        rewards.append(env.step(action)[1])
        assert len(rewards) < 200
    assert env.session.fell


def test_a_constant_policy_beats_a_random_one():
    path = Path(__file__).parents[2] / "examples" / "04_own_loop" / "04_gymnasium.py"
    spec = importlib.util.spec_from_file_location("gymnasium_example", path)
    assert spec is not None and spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    env = gymnasium.make(example.TASK)
    assert example.returns(env, example.constant, 60) > example.returns(env, example.random, 60) + 1.0

"""What lies between a controller and its plant."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import poise
from poise.errors import BadInput
from poise.simulate import Session


def session(seconds: float = 1.0, **plant) -> Session:
    return Session(
        poise.scene("balance-push", seconds=seconds, **{f"plant.{k}": v for k, v in plant.items()})
    )


def torques(s: Session, steps: int) -> tuple[np.ndarray, np.ndarray]:
    """What was asked for and what was applied, a row a step."""
    asked, applied = [], []
    for _ in range(steps):
        asked.append(s.controller.solution.tau[6:].copy())
        applied.append(s.arena.data.ctrl.copy())
        s.step()
    return np.array(asked), np.array(applied)


def test_torques_arrive_late():
    s = session(delay=0.006)
    s.push("torso", (100.0, 0.0, 0.0))
    asked, applied = torques(s, 20)
    np.testing.assert_array_equal(applied[3:], asked[:-3])
    np.testing.assert_array_equal(applied[:3], np.tile(asked[0], (3, 1)))


def test_torques_lag():
    s = session(lag=0.01)
    s.push("torso", (100.0, 0.0, 0.0))
    asked, applied = torques(s, 20)
    share = 1.0 - np.exp(-0.2)
    np.testing.assert_allclose(applied[1:], applied[:-1] + share * (asked[1:] - applied[:-1]), atol=1e-9)


def test_a_slow_loop_holds_its_torques():
    s = session(rate=100.0)
    _, applied = torques(s, 20)
    assert len(np.unique(applied, axis=0)) <= 5


def test_noise_is_drawn_from_the_seed():
    def end(seed):
        told: dict[str, Any] = {"plant.noise": 0.1}
        return poise.simulate(poise.scene("stand", seconds=0.1, seed=seed, **told))["q"][-1]

    assert (end(1) == end(1)).all()
    assert (end(1) != end(2)).any()


def test_the_take_tells_of_the_plant_and_the_controller_of_its_model():
    s = session(mass=0.85)
    s.step(0.1)
    mass = s.scene.character.mass
    assert s.scene.mass == pytest.approx(0.85 * mass)
    assert s.take.state.m == pytest.approx(0.85 * mass) and s.state.m == pytest.approx(mass)
    np.testing.assert_allclose(s.row["linear_momentum"], 0.85 * mass * s.row["com_velocity"], atol=1e-12)


def test_a_saved_moment_comes_back_with_its_noise():
    s = session(mass=1.1, delay=0.004, noise=0.05, lag=0.01)
    s.step(0.1)
    mark = s.save()
    s.step(0.1)
    first = s.arena.data.qpos.copy()
    s.restore(mark)
    np.testing.assert_allclose(s.state.q, s.arena.data.qpos)
    s.step(0.1)
    np.testing.assert_array_equal(s.arena.data.qpos, first)


def test_a_scene_without_physics_has_no_plant():
    told: dict[str, Any] = {"plant.mass": 0.9}
    with pytest.raises(BadInput, match="plant"):
        poise.scene("kinematic-steps", **told)

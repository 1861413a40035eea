"""Torques that act late, found for the state in which they will act."""

from __future__ import annotations

import math
from typing import Any

import mujoco
import numpy as np
import pytest

import poise
from poise.control.ahead import WILD, Ahead
from poise.errors import BadInput
from poise.simulate import Session

LATE = 0.03  # [s]


def pushed(direction: float, size: float = 0.3, **told: Any) -> poise.Recording:
    """A push [m/s] on a body whose torques are late."""
    force = size * poise.Character.named("adult").mass / 0.1
    push = f"torso:{force * math.cos(direction)},{force * math.sin(direction)},0@0.5+0.1"
    options = {"plant.delay": LATE, **told}
    return poise.simulate(poise.scene("reactive-step", push=push, seconds=3.0, after_fall=0.0, **options))


def test_what_is_foreseen_comes():
    """With nobody pushing, the controller sees the plant as it will be when its torques act."""
    options: dict[str, Any] = {"plant.delay": 0.01, "control.predict": 0.01}
    session = Session(poise.scene("squat", seconds=2.0, **options))
    seen, came = [], []
    for _ in range(400):
        session.step()
        seen.append(session.state.q.copy())
        came.append(session.take.state.q.copy())
    late = round(0.01 / session.scene.world.dt)
    moved = np.abs(np.array(came[late:]) - np.array(came[:-late])).max()
    np.testing.assert_allclose(seen[:-late], came[late:], atol=0.01 * moved)


def test_late_torques_lose_their_sting():
    sides = [2 * math.pi * k / 5 for k in range(5)]
    assert sum(pushed(side).fell for side in sides) >= 4
    told: dict[str, Any] = {"control.predict": LATE}
    assert sum(not pushed(side, **told).fell for side in sides) >= 4


def test_a_moment_of_it_comes_back_bit_for_bit():
    told: dict[str, Any] = {"plant.delay": 0.01, "plant.mass": 1.1, "control.predict": 0.01}
    session = Session(poise.scene("balance-push", seconds=2.0, **told))
    session.step(0.1)
    session.push("torso", (150.0, 0.0, 0.0))
    session.step(0.1)
    mark, seen = session.save(), session.state.q.copy()
    session.step(0.2)
    first = session.take.state.q.copy()
    session.restore(mark)
    np.testing.assert_array_equal(session.state.q, seen)
    session.step(0.2)
    np.testing.assert_array_equal(session.take.state.q, first)


def test_refused():
    with pytest.raises(BadInput, match=r"give 0 to 0\.2"):
        poise.Control(predict=1.0)
    with pytest.raises(BadInput, match="paper"):
        poise.Control("paper", predict=0.01)


def test_a_blow_up_is_not_foreseen():
    """From there on a step of the engine takes hundreds of times as long, and what comes is no number."""
    model = poise.Character.named("adult").model
    data = mujoco.MjData(model)
    ahead = Ahead(model, 10 * model.opt.timestep)
    ahead.send(0.0, np.zeros(model.nu))
    data.qvel[:] = 2 * WILD
    ahead.carry(data)
    assert ahead.data.time == 0.0
    np.testing.assert_array_equal(ahead.data.qvel, data.qvel)
    data.qvel[:] = 0.0
    ahead.carry(data)
    assert ahead.data.time == pytest.approx(10 * model.opt.timestep)

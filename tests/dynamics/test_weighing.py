"""The mass that the ground feels."""

from __future__ import annotations

from typing import Any

import pytest

import poise
from poise.dynamics.weighing import Weighing, weigh
from poise.simulate import Session

PUSH = "torso:180,0,0@1.0+0.1"  # 0.28 m/s for the light body


@pytest.mark.parametrize("mode", ["robust", "fast"])
def test_a_body_that_is_lighter_than_its_model_keeps_its_balance(mode):
    told = {"plant.mass": 0.85, "control.mode": mode}
    scene = poise.scene("balance-push", push=PUSH, seconds=3.5, after_fall=0.0, **told)
    session = Session(scene)
    session.step(3.5)
    assert not session.fell
    assert session.state.scale.factor[0] == pytest.approx(0.85, abs=0.01)


def test_without_weighing_its_heels_rise_and_it_falls():
    told = {"plant.mass": 0.85, "control.weigh": False}
    take = poise.simulate(poise.scene("balance-push", push=PUSH, seconds=3.5, after_fall=0.0, **told))
    assert take.fell


@pytest.mark.parametrize("scene", ["balance-push", "walk"])
def test_a_body_as_heavy_as_its_model_is_left_alone(scene):
    session = Session(poise.scene(scene, seconds=2.0))
    session.step(2.0)
    assert session.state.scale.factor[0] == 1.0
    assert session.state.scale.found[0] == pytest.approx(1.0, abs=0.01)


def test_a_heavy_body_is_given_stronger_torques_within_its_limits():
    told: dict[str, Any] = {"plant.mass": 1.2}
    session = Session(poise.scene("stand", seconds=2.0, **told))
    session.step(2.0)
    controller = session.controller
    assert session.state.scale.factor[0] == pytest.approx(1.2, abs=0.02)
    limit = session.arena.model.actuator_ctrlrange[:, 1]
    assert controller._torque[1][6:] * session.state.scale.factor[0] == pytest.approx(limit)


def test_where_forces_are_not_measured_the_model_is_believed():
    scale = Weighing()
    scale.begin(0.002)
    for _ in range(2000):
        weigh(scale, 0.0, 0.0, 70.0, 70.0 * 9.81)
    assert scale.factor[0] == 1.0


def test_a_fall_is_not_a_loss_of_mass():
    scale, speed, dt = Weighing(), 0.0, 0.002
    scale.begin(dt)
    for _ in range(500):
        weigh(scale, 687.0, 0.0, 70.0, 70.0 * 9.81)
    for _ in range(100):  # free flight
        speed -= 9.81 * dt
        weigh(scale, 0.0, speed, 70.0, 70.0 * 9.81)
    assert scale.factor[0] == 1.0 and scale.found[0] == pytest.approx(1.0, abs=0.02)

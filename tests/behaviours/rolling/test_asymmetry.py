"""Torques that are unlike on the two sides, and what they leave alone."""

from __future__ import annotations

import numpy as np
import pytest

import poise
from poise.behaviours.rolling.asymmetry import Mirror
from poise.behaviours.rolling.joints import Joints
from poise.behaviours.rolling.steer import Steering
from poise.character import Character
from poise.errors import BadInput


@pytest.fixture
def body() -> Character:
    return Character.named("adult")


def test_what_is_alike_on_both_sides_goes(body: Character) -> None:
    dof, torque = Joints(body).place, np.zeros(body.model.nv - 6)
    for name in ("hip_y_l", "hip_y_r", "spine_low_y"):
        torque[dof(name)] = 30.0
    torque[dof("hip_x_l")], torque[dof("hip_x_r")] = 8.0, -8.0  # both outwards
    Mirror(body).lessen(torque, 0.0)
    assert (torque == 0.0).all()


def test_what_is_unlike_stays_and_no_more(body: Character) -> None:
    rng, mirror = np.random.default_rng(0), Mirror(body)
    torque = rng.normal(size=body.model.nv - 6)
    once = torque.copy()
    mirror.lessen(once, 0.0)
    twice = once.copy()
    mirror.lessen(twice, 0.0)
    assert twice == pytest.approx(once)  # a projection
    assert 0 < np.linalg.norm(once) < np.linalg.norm(torque)
    dof = Joints(body).place("spine_low_z")
    whole, half = torque.copy(), torque.copy()
    mirror.lessen(whole, 1.0)
    mirror.lessen(half, 0.5)
    assert whole == pytest.approx(torque) and half == pytest.approx(0.5 * (torque + once))
    assert once[dof] == torque[dof]  # a twist of the trunk is nothing but aside


def test_steering_aside_costs_a_roll_no_speed_uphill() -> None:
    takes = [
        poise.simulate(poise.scene("roll-incline", seconds=4, seed=50, acts=a)).metrics
        for a in ("aside", "all")
    ]
    aside, everything = (float(m["speed_ms"] or 0) for m in takes)
    assert aside > 1.7 and aside > everything + 0.2
    assert float(takes[0]["heading_drift_deg"] or 0) < 10


def test_unknown_part_is_named() -> None:
    with pytest.raises(BadInput, match="aside"):
        Steering(acts="sideways")

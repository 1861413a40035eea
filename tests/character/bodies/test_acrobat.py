"""The acrobat: hands that carry, a handstand at rest, a gymnast's limits."""

from __future__ import annotations

import numpy as np
import pytest

from poise.behaviours.stepping.legs import Legs
from poise.character import load
from poise.geometry import quat


@pytest.fixture(scope="module")
def body():
    return load("acrobat")


def test_it_stands_on_its_hands(body):
    assert body.stance == ("hand_l", "hand_r") == tuple(s.name for s in body.supports)
    data = body.posed(body.q_rest)
    assert data.body("foot_l").xpos[2] > 1.8 and data.body("head").xpos[2] < 0.6
    np.testing.assert_allclose(body.com_rest[:2], 0.0, atol=0.002)


def test_palms_are_down_with_the_fingers_forward(body):
    data = body.posed(body.q_rest)
    for name in body.stance:
        hand = data.body(name).xmat.reshape(3, 3)
        np.testing.assert_allclose(
            hand @ quat.to_matrix(np.array(body.support(name).frame)), np.eye(3), atol=1e-4
        )
        thumb = hand[:, 0]  # the hand's x
        assert thumb[1] * data.body(name).xpos[1] < 0  # points to the other hand


def test_it_is_the_adult_but_for_strength_and_range(body):
    adult = load("adult")
    np.testing.assert_allclose(body.model.body_mass, adult.model.body_mass)
    limit = {
        a: body.model.actuator(a).ctrlrange[1] for a in ("shoulder_l_x", "elbow_l", "wrist_l_x", "knee_l")
    }
    assert limit == {"shoulder_l_x": 150.0, "elbow_l": 100.0, "wrist_l_x": 60.0, "knee_l": 250.0}


def test_arms_are_its_legs_and_legs_its_arms(body):
    legs = Legs(body)
    assert legs.left.bodies == ("upper_arm_l", "forearm_l", "hand_l")
    assert legs.left.side == 1 and legs.right.side == -1
    np.testing.assert_allclose(legs.left.half, [0.0725, 0.05], atol=1e-9)
    np.testing.assert_allclose(legs.left.ankle, [-0.0525, 0.0, 0.04], atol=1e-9)
    assert legs.left.flex == legs.right.flex == pytest.approx(np.deg2rad(-20))
    assert {"thigh_l", "foot_r"} <= set(body.arms) and "hand_l" not in body.arms

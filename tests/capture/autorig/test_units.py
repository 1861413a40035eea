"""Parts of the auto-rig on numbers made up: limits, hinges, weights, soles."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poise.capture.anatomy.parts import kind_of
from poise.capture.autorig import hinges, limits, masses
from poise.capture.autorig.plan import joint_name
from poise.character.bodies import adult
from poise.character.build import ball
from poise.character.character import SwingTwist
from poise.geometry import quat

seeds = st.integers(0, 2**31)


@settings(max_examples=60, deadline=None)
@given(seeds, st.floats(0.05, 1.2))
def test_widened_limits_hold_the_clip(seed: int, size: float):
    rng = np.random.default_rng(seed)
    motion = quat.from_rotvec(size * rng.normal(size=(50, 3)) + rng.normal(size=3) * 0.3)
    for usual in (
        ball((-20, 30), (-15, 45), (-25, 25)),
        ball((-125, 125), (-125, 125), (-110, 110), centre=(45, -50)),
    ):
        wide = limits.widened(usual, motion)
        assert isinstance(wide, SwingTwist)
        swing, twist = np.array([wide.reach(q) for q in motion]).T
        assert swing.max() <= 1.0 + 1e-9 and twist.max() <= 1.0 + 1e-9
        assert wide.swing_x[0] <= usual.swing_x[0] and wide.twist[1] >= usual.twist[1]


def test_limits_are_not_widened_for_nothing():
    usual = ball((-20, 30), (-15, 45), (-25, 25))
    assert limits.widened(usual, quat.from_rotvec(np.array([[0.1, 0.1, 0.0], [-0.1, 0.2, 0.1]]))) == usual
    assert limits.widened((0.0, 2.0), np.array([0.5, 1.0])) == (0.0, 2.0)
    wide = limits.widened((0.0, 2.0), np.array([-0.2, 2.2]))
    assert wide == pytest.approx((-0.2 - limits.MARGIN, 2.2 + limits.MARGIN))


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_a_hinge_is_found_and_taken_out(seed: int):
    """Rotations about one axis after a fixed rotation: the axis comes back, and only the hinge remains."""
    rng = np.random.default_rng(seed)
    axis = rng.normal(size=3)
    axis /= np.linalg.norm(axis)
    fixed = quat.normalize(rng.normal(size=4))
    relative = quat.multiply(quat.from_rotvec(rng.uniform(-1, 1, (30, 1)) * axis), fixed)
    fit = hinges.fit(relative, rng.normal(size=3), rng.normal(size=3), rng.normal(size=3))
    assert fit.good and abs(fit.axis @ axis) > 1 - 1e-6
    left = quat.multiply(relative, quat.conjugate(fit.offset))
    again = quat.from_rotvec(hinges.angle(left, fit.axis)[:, None] * fit.axis)
    np.testing.assert_allclose(quat.difference(left, again), 0.0, atol=1e-6)


def test_a_ball_is_no_hinge():
    relative = quat.from_rotvec(0.3 * np.random.default_rng(0).normal(size=(40, 3)))
    down = np.array([0.0, 0.0, -1.0])
    assert not hinges.fit(relative, down, down, down).good


def test_weight_of_average_people():
    assert masses.weight(1.75) == pytest.approx(adult.MASS)
    assert masses.weight(1.60) == pytest.approx(62.7, abs=0.1)
    assert 15 < masses.weight(1.0) < 25  # a child of five


@pytest.mark.parametrize(
    ("body", "joint", "kind"),
    [("pelvis", "root", "pelvis"), ("torso", "spine_mid", "spine"), ("shin_l", "knee_l", "shin"),
     ("fore_foot_r", "fore_ankle_r", "foot"), ("neck_2", "neck_mid", "neck"), ("tarsus_2_l", "hock_2_l", "tarsus"),
     ("tail_3", "tail_3", "tail"), ("clavicle_l", "clavicle_l", "clavicle"), ("wing", "wing", "")],
)  # fmt: skip
def test_names_of_bodies(body: str, joint: str, kind: str):
    assert joint_name(body) == joint and kind_of(body) == kind

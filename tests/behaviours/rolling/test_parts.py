"""Springs, placing, measures and attitude of a roll."""

from __future__ import annotations

import math

import numpy as np
import pytest

from poise.behaviours.rolling.course import TRUNK, Course, Facing
from poise.behaviours.rolling.joints import Joints, errors
from poise.behaviours.rolling.measures import every_revolution, longest
from poise.behaviours.rolling.on_ground import lowest, place
from poise.behaviours.rolling.springs import gains, spring_torque
from poise.character import Character


def test_springs_are_stable_at_large_steps_and_within_limits(moving) -> None:
    state = moving("adult", 1)
    n = state.nv
    kp, kd = gains(state.character)
    low, high = np.full(n, -60.0), np.full(n, 60.0)
    A, a, tau = np.zeros((n, n)), np.zeros(n), np.zeros(n)
    zero, error, joints = np.zeros(n - 6), np.zeros(n - 6), Joints(state.character)
    errors(joints, state.q[7:], joints.q(zero), error)
    assert spring_torque(
        state.M, state.bias, zero, state.v, error, kp, 100 * kd, zero, low, high, 1 / 60, A, a, tau
    )
    assert (np.abs(tau) <= 60.0).all() and (tau[:6] == 0).all()
    free = np.full(n, 1e9)
    spring_torque(
        state.M, state.bias, zero, state.v, error, kp, 100 * kd, zero, -free, free, 1 / 60, A, a, tau
    )
    after = state.v + np.linalg.solve(state.M, tau - state.bias) / 60
    assert np.abs(after[6:]).max() < np.abs(state.v[6:]).max()  # however strong, damping does not overshoot


@pytest.mark.parametrize("style", ["forward", "backward", "sideways"])
@pytest.mark.parametrize("slope", [0.0, 0.2])
def test_placed_on_the_ground_at_its_phase(style: str, slope: float) -> None:
    body, course, facing = Character.named("adult"), Course(slope), Facing.of(style)
    pose = np.zeros(body.model.nv - 6)
    q, v = place(body, pose, facing, course, 0.7, 0.0, 1.5, 4.0)
    data = body.posed(q)
    assert lowest(body.model, data, course.n) == pytest.approx(0.0, abs=1e-9)
    R = np.mean([data.body(name).xmat.reshape(3, 3) for name in TRUNK], axis=0)
    np.testing.assert_allclose(R @ facing.lateral, [0, 1, 0], atol=1e-9)
    u = R @ facing.front
    assert math.atan2(u @ course.t, u @ course.n) == pytest.approx(0.7)
    np.testing.assert_allclose(quat_rate(q, v), [0, 4, 0], atol=1e-9)


def quat_rate(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Angular velocity of the root in the world."""
    from poise.geometry import quat

    return quat.rotate(q[3:7], v[3:6])


def test_revolutions_are_counted_between_pauses() -> None:
    dt = 0.01
    rolling, still = np.arange(300) * 0.05, np.full(200, 15.0)
    phase = np.concatenate([rolling, still, 15.0 + np.arange(500) * 0.05])
    assert longest(phase, dt) == pytest.approx(25.0, abs=0.7)
    assert longest(rolling, dt) == pytest.approx(rolling[-1])
    assert longest(np.zeros(500), dt) < 0.01


def test_back_must_touch_in_every_revolution() -> None:
    phase = np.linspace(0, 4 * math.pi + 0.1, 400)
    touched = (phase % (2 * math.pi)) < 1.0
    assert every_revolution(phase, touched)
    assert not every_revolution(phase, touched & (phase < 6))


def test_the_tumbler_is_the_adult() -> None:
    assert Character.named("tumbler").spec_xml == Character.named("adult").spec_xml


def test_the_baby_is_hinged_symmetric_and_of_the_size_it_says() -> None:
    body = Character.named("baby")
    assert body.mass == pytest.approx(8.5) and body.height == pytest.approx(0.76, abs=0.02)
    assert body.model.nv == 32 and body.model.nu == 26 == body.model.nq - 7
    assert abs(body.com_rest[1]) < 1e-9
    for left, right in body.pairs:
        np.testing.assert_allclose(body.model.body(left).mass, body.model.body(right).mass)
    head = float(body.model.body("head").mass[0]) / body.mass
    assert head > 0.2

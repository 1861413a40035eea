"""The clamps of eq. 15-16 and the angular rate of eq. 9."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from poise.control.momentum import AngularMomentum, LinearMomentum, angular_rate, clamp_force

numbers = st.floats(-5000.0, 5000.0)
vectors = st.tuples(numbers, numbers, numbers).map(np.array)
directions = vectors.filter(lambda v: np.linalg.norm(v) > 1.0).map(lambda v: v / np.linalg.norm(v))
WEIGHT = np.array([0.0, 0.0, -735.0])


def clamped(rate: np.ndarray, normal: np.ndarray, low: float, high: float, mu: float) -> np.ndarray:
    out = rate.copy()
    clamp_force(out, WEIGHT, normal, low, high, mu)
    return out


@given(vectors, directions, st.floats(0.0, 500.0), st.floats(500.0, 3000.0), st.floats(0.0, 2.0))
def test_the_ground_can_give_what_is_left(rate, normal, low, high, mu):
    force = clamped(rate, normal, low, high, mu) - WEIGHT
    push = normal @ force
    tangent = np.linalg.norm(force - push * normal)
    assert low - 1e-6 <= push <= high + 1e-6  # eq. 15
    assert tangent <= mu * push + 1e-6  # eq. 16


@given(vectors, directions, st.floats(0.0, 500.0), st.floats(500.0, 3000.0), st.floats(0.0, 2.0))
def test_clamping_twice_is_clamping_once(rate, normal, low, high, mu):
    once = clamped(rate, normal, low, high, mu)
    np.testing.assert_allclose(clamped(once, normal, low, high, mu), once, atol=1e-6)


@given(directions, st.floats(100.0, 1000.0), st.floats(0.0, 0.99), directions)
def test_what_is_possible_is_left_alone(normal, push, share, aside):
    tangent = np.cross(normal, aside)
    rate = WEIGHT + push * normal + 0.8 * push * share * tangent
    np.testing.assert_allclose(clamped(rate, normal, 50.0, 1500.0, 0.8), rate, atol=1e-9)


@given(vectors, directions, st.floats(0.0, 2.0))
def test_the_direction_of_the_tangent_is_kept(rate, normal, mu):
    before, after = rate - WEIGHT, clamped(rate, normal, 100.0, 1500.0, mu) - WEIGHT
    before, after = before - normal * (normal @ before), after - normal * (normal @ after)
    assert np.linalg.norm(np.cross(before, after)) <= 1e-6 * (
        1 + np.linalg.norm(before) * np.linalg.norm(after)
    )
    assert before @ after >= -1e-6


def test_standing_still_needs_no_clamp():
    np.testing.assert_array_equal(
        clamped(np.zeros(3), np.array([0.0, 0.0, 1.0]), 147.0, 1323.0, 0.8), np.zeros(3)
    )


@given(vectors, vectors, vectors)
def test_angular_rate_is_the_moment_of_the_ground_force(p, c, rate):
    out = np.zeros(3)
    angular_rate(p, c, rate, WEIGHT, out)
    expected = np.cross(p - c, rate - WEIGHT)
    np.testing.assert_allclose(out, expected, atol=1e-9 * (1 + np.abs(expected).max()) + 1e-7)


def test_weights_do_not_depend_on_the_size_of_the_body(moving):
    """Rows are c̈ / h and Ḣ / (m h²): scaled by mass and height, so that one preset serves every body."""
    for name in ("adult", "chicken"):
        state = moving(name, 0)
        h = float(state.character.com_rest[2])
        linear = LinearMomentum(np.zeros(3), (1.0, 2.0, 3.0), h).weights(state) * (state.m * h) ** 2
        angular = AngularMomentum(np.zeros(3), (1.0, 2.0, 3.0), h).weights(state) * (state.m * h * h) ** 2
        np.testing.assert_allclose(linear, [1.0, 2.0, 3.0])
        np.testing.assert_allclose(angular, [1.0, 2.0, 3.0])

"""Threats arrive where they are aimed, and are seen as they are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poise.behaviours.anticipation.damage import damage, result, weights
from poise.behaviours.anticipation.threat import Threat, blurred, see, sight_of
from poise.behaviours.anticipation.training import MIRROR, threats_of
from poise.errors import BadInput

threats = st.builds(
    Threat,
    st.floats(-179, 179),
    st.floats(0.1, 1.8),
    st.floats(-0.5, 0.5),
    st.floats(3, 14),
    distance=st.floats(2, 12),
)


@settings(max_examples=40, deadline=None)
@given(threats, st.floats(-3, 3), st.floats(0.0, 0.9))
def test_a_ball_is_seen_as_it_was_thrown(threat, heading, part):
    ball, t = threat.ball((0.3, -0.2), heading), part * threat.seconds
    place = np.array(ball.place) + t * np.array(ball.velocity) - [0, 0, 4.905 * t * t]
    speed = np.array(ball.velocity) - [0, 0, 9.81 * t]
    sight = see(place, speed, np.array([0.3, -0.2]), heading)
    assert sight.height == pytest.approx(threat.height, abs=1e-6)
    assert sight.offset == pytest.approx(threat.offset, abs=1e-6)
    assert sight.time == pytest.approx(threat.seconds - t, abs=1e-6)
    assert abs((sight.bearing - threat.bearing + 180) % 360 - 180) < 1e-6
    ahead = sight.point(0.0, np.array([0.3, -0.2]), heading)
    assert ahead[2] == pytest.approx(threat.height, abs=1e-6)


@pytest.mark.parametrize(
    ("field", "value"),
    [("height", 3.0), ("speed", 80.0), ("mass", 0.0), ("bearing", 1e6), ("offset", float("nan"))],
)
def test_out_of_range_is_refused(field, value):
    with pytest.raises(BadInput, match=f"ball {field}"):
        Threat(**{field: value})


def test_noise_moves_what_is_seen_and_no_noise_does_not():
    sight, rng = sight_of(Threat(30, 1.2)), np.random.default_rng(0)
    seen = np.array([[s.height, s.offset] for s in (blurred(sight, 0.1, rng) for _ in range(400))])
    assert np.allclose(seen.mean(axis=0), [sight.height, sight.offset], atol=0.02)
    assert np.allclose(seen.std(axis=0), 0.1, atol=0.02)


def test_mirrored_features_are_those_of_the_mirrored_threat():
    a, b = sight_of(Threat(40, 1.0, 0.1)), sight_of(Threat(-40, 1.0, -0.1))
    np.testing.assert_allclose(a.features * MIRROR, b.features, atol=1e-9)


def test_training_and_test_threats_are_disjoint():
    train, test = threats_of(1000, 300), threats_of(2000, 500)
    assert not set(train) & set(test) and threats_of(1000, 5) == train[:5]


def test_damage_weighs_by_part():
    assert damage({"head": 10.0}) == 10.0 and damage({"hand_l": 10.0}) == pytest.approx(1.0)
    assert damage({}) == 0.0 and (weights(["tentacle"]) > 0).all()


@pytest.mark.parametrize(
    ("energy", "what"),
    [({}, "avoided"), ({"hand_l": 5.0}, "blocked"), ({"head": 5.0}, "hit"), ({"hand_l": 8.0, "chest": 0.5}, "blocked"),
     ({"hand_l": 5.0, "chest": 2.0}, "hit"), ({"head": 0.1}, "avoided")],
)  # fmt: skip
def test_results(energy, what):
    assert result(energy, 10.0) == what

"""The speed profiles of a step have the areas, ends and symmetry that the paper draws."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poise.behaviours.example_steps.profile import Timing, com_path, fall, foot_progress

TIMING = Timing(0.0, 0.4, 0.9, 1.3)
spans = st.floats(0.1, 1.0)


def test_foot_goes_from_start_to_end_and_rests_outside_the_swing():
    t = np.linspace(-0.2, 1.5, 500)
    way = foot_progress(t, TIMING)
    assert way[0] == 0 and way[-1] == pytest.approx(1.0)
    assert np.all(np.diff(way) >= -1e-12)
    assert np.all(way[t <= 0.4] == 0) and np.allclose(way[t >= 0.9], 1)


def test_foot_speed_is_the_gaussian_of_equation_3_1():
    t = np.linspace(0.45, 0.85, 400)
    speed = np.gradient(foot_progress(t, TIMING), t)
    x = (t - 0.0) / (0.5 / 0.48)  # time in which the swing lasts 0.48
    ideal = np.exp(-((x - x.mean()) ** 2) / (2 * 0.08**2))
    assert np.corrcoef(speed, ideal)[0, 1] > 0.999


@given(spans, spans, spans, st.floats(0.01, 0.3), st.floats(0.01, 0.3))
def test_areas_of_the_three_phases_are_the_ways_to_the_pivot_and_back(push, swing, land, towards, away):
    timing = Timing(0.0, push, push + swing, push + swing + land)
    f = fall(timing, towards, away)
    turn = f.up / -f.fall
    assert 0.5 * f.up * (push + turn) == pytest.approx(towards, rel=1e-6)
    assert 0.5 * -f.down * (land + swing - turn) == pytest.approx(away, rel=1e-6)
    assert f.push > 0 > f.fall and f.landing > 0


def test_centre_of_mass_leaves_and_arrives_at_rest_and_turns_at_the_pivot_side():
    start, pivot, end = np.array([0.0, 0.1]), np.zeros(2), np.array([0.2, 0.1])
    t = np.linspace(0, 1.3, 400)
    path = com_path(t, TIMING, start, pivot, end)
    assert np.allclose(path[0], start) and np.allclose(path[-1], end)
    speed = np.linalg.norm(np.gradient(path, t, axis=0), axis=1)
    assert speed[0] < 0.02 and speed[-1] < 0.02 < 0.1 < speed.max()
    assert path[:, 1].min() == pytest.approx(
        0.05, abs=1e-3
    )  # a Bézier curve goes half-way to its middle point


@pytest.mark.parametrize("end", [(0.0, -0.1), (0.0, 0.4), (0.3, 0.0)])
def test_any_three_points_give_a_finite_path(end):
    path = com_path(np.linspace(0, 1.3, 50), TIMING, np.array([0.0, 0.1]), np.zeros(2), np.array(end))
    assert np.isfinite(path).all() and np.allclose(path[-1], end, atol=1e-9)

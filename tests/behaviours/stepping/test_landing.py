"""The landing plan: steady gaits stay steady, boxes hold, a quintic arrives."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poise.behaviours.stepping.landing import plan_landing, steady_offset
from poise.behaviours.stepping.swing import approach

WEIGHTS = np.array([1.0, 5.0, 1000.0, 2.0])
OMEGA = 3.1


def plan(xi, t=0.0, u0=(0.4, 0.2), T0=0.5, box=((-0.5, 0.1), (0.7, 0.6)), b0=None):
    step, following = np.array(u0), np.array([u0[0], -u0[1]])
    b = steady_offset(step, following, math.exp(OMEGA * T0)) if b0 is None else np.array(b0)
    out = np.zeros(3)
    cost = plan_landing(
        np.asarray(xi, float), np.zeros(2), np.zeros(2), t, OMEGA, step, b, T0, (0.25, 0.8), np.array(box), WEIGHTS,
        50.0, out,
    )  # fmt: skip
    return out, cost


def test_a_steady_gait_asks_for_its_own_step():
    step, back = np.array([0.4, 0.2]), np.array([0.4, -0.2])
    start = steady_offset(
        back, step, math.exp(OMEGA * 0.5)
    )  # where ξ begins when the last step was the other one
    out, cost = plan(start)
    np.testing.assert_allclose(out, [0.4, 0.2, 0.5], atol=0.01)
    assert cost < 0.05


@given(st.floats(-0.3, 0.3), st.floats(-0.3, 0.3))
def test_landing_stays_in_its_box(x: float, y: float):
    out, _ = plan((x, y))
    assert -0.5 <= out[0] <= 0.7 and 0.1 <= out[1] <= 0.6 and 0.25 <= out[2] <= 0.8


def test_a_push_moves_the_landing_its_way():
    start = steady_offset(np.array([0.0, -0.2]), np.array([0.0, 0.2]), math.exp(OMEGA * 0.5))
    calm, _ = plan(start, u0=(0.0, 0.2))
    ahead, _ = plan(start + np.array([0.08, 0.0]), u0=(0.0, 0.2))
    aside, _ = plan(start + np.array([0.0, 0.05]), u0=(0.0, 0.2))
    assert ahead[0] > calm[0] + 0.05 and aside[1] > calm[1] + 0.03


@pytest.mark.parametrize("speed", [0.0, -0.2])
def test_the_quintic_arrives_in_time(speed: float):
    x, v, a, dt = 0.3, 0.5, -1.0, 0.005
    for i in range(80):
        x, v, a = approach(x, v, a, 1.0, 0.4 - i * dt, dt, speed)
    assert x == pytest.approx(1.0, abs=1e-3) and v == pytest.approx(speed, abs=0.02)

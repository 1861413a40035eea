"""At rest: band-limited, by the seed alone, a target that the laws follow."""

from __future__ import annotations

import numpy as np
import pytest

import poise
from poise.behaviours.balance.idle import BAND, AtRest, Idle, Turns, Waves


@pytest.mark.parametrize(
    "course", [Waves.spread(np.random.default_rng(3), 0.003), Turns((3, 18), 6.0, 1.5, 0.2)]
)
def test_rates_are_those_of_the_value(course):
    for t in np.linspace(0.5, 60.0, 200):
        h = 1e-4
        a, (_, v, acc), b = course(t - h), course(t), course(t + h)
        assert v == pytest.approx((b[0] - a[0]) / (2 * h), abs=1e-5)
        assert acc == pytest.approx((b[1] - a[1]) / (2 * h), abs=1e-2)


def test_sway_is_band_limited_and_as_large_as_it_should_be():
    waves = Waves.spread(np.random.default_rng(5), 0.003)
    assert all(BAND[0] <= w / (2 * np.pi) <= BAND[1] for _, w, _ in waves.sines)
    x = np.array([waves(t)[0] for t in np.arange(0.0, 2000.0, 0.5)])
    assert np.sqrt(np.mean(x**2)) == pytest.approx(0.003, rel=0.1)


def test_begins_and_ends_smoothly_and_is_the_seeds():
    body = poise.scene("stand").character
    one, same, other = (AtRest(body, Idle(seed), 0.01) for seed in (1, 1, 2))
    for k in range(500):
        for rest in (one, same, other):
            rest.advance(0.01 * k)
        assert k > 0 or np.abs(one.sway).max() < 1e-7
    np.testing.assert_array_equal(one.pose, same.pose)
    assert not np.allclose(one.sway, other.sway)
    for k in range(30):
        one.advance(5.0 + 0.01 * k, rests=False)
    assert not one.sway.any() and not one.pose.any()


def test_a_body_at_rest_sways_by_millimetres_and_can_be_lived_again():
    scene = poise.scene("stand", seconds=3.0, seed=4)
    session = poise.Session(scene)
    session.step(2.0)
    mark = session.save()
    session.step(1.0)
    q = session.state.q.copy()
    session.restore(mark)
    session.step(1.0)
    np.testing.assert_array_equal(session.state.q, q)
    still = poise.simulate(poise.scene("stand", seconds=2.0, idle=False))
    sway, statue = (float(take.metrics["sway_m"] or 0.0) for take in (session.recording(), still))
    assert 0.0001 < sway < 0.006 and statue < 1e-5

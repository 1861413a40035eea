"""Blows: the ground's impulse on the parts of a body adds up to its weight."""

from __future__ import annotations

import pytest

import poise


def test_a_body_that_stands_gets_its_weight_through_its_feet():
    take = poise.simulate(poise.scene("reactive-step", push=[], seconds=1.0, life=True))
    blow, names = take["blow"][-1], take.series["blow"].names
    feet = sum(x for n, x in zip(names, blow) if n.startswith("foot"))
    assert feet == pytest.approx(75.0 * 9.81 * take.time[-1], rel=0.02)
    assert sum(blow) == pytest.approx(feet)

"""Presses: what soles press with adds up to the weight, and knocks are told."""

from __future__ import annotations

import numpy as np
import pytest

import poise
from poise.simulate import Scene, simulate
from poise.worlds import World


def test_both_soles_bear_the_weight_where_the_pressure_is():
    take = poise.simulate(poise.scene("walk", speed=0.0, seconds=0.6))
    force, cp = take["sole_force"][20:], take["sole_cp"][20:].reshape(-1, 2, 2)
    assert force.sum(axis=1) == pytest.approx(take["contact_force"][20:, 2])
    both = (force[:, :, None] * cp).sum(axis=1) / force.sum(axis=1)[:, None]
    assert both == pytest.approx(take["cp"][20:, :2], abs=2e-3)
    assert np.all(take["knock"] == 0.0)


def test_a_body_that_lies_knocks():
    body = poise.Character.named("adult")
    q = np.array(body.q_rest)
    q[3:7], q[2] = (0.7071, 0.0, 0.7071, 0.0), 0.3
    take = simulate(Scene("", body, World(presses=True), poise.behaviours.Balance(), seconds=0.6, q_start=q))
    hardest = take["knock"][take["knock"][:, 0].argmax()]
    assert hardest[0] > 50.0 and sorted(hardest[1:])[0] == -1  # of the body with the ground

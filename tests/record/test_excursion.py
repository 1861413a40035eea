"""The anchored excursion follows the root where the integral of AV drifts away."""

from __future__ import annotations

import numpy as np
import pytest

import poise
from poise.geometry import quat
from poise.record.excursion import anchored


def test_anchored_stays_with_a_root_that_does_not_turn() -> None:
    steps = np.tile([0.0, 0.5 / 60, 0.0], (120, 1))  # limbs turn, the root does not
    root = np.tile([1.0, 0.0, 0.0, 0.0], (121, 1))
    found = anchored(steps, np.full(120, 1 / 60), root)
    assert np.linalg.norm(quat.to_rotvec(found[-1])) < 0.05


def test_rigid_turn_is_the_rotation_itself() -> None:
    steps = np.tile([0.01, -0.02, 0.005], (100, 1))
    root = np.array([quat.from_rotvec(k * steps[0]) for k in range(101)])
    found = anchored(steps, np.full(100, 0.01), root)
    np.testing.assert_allclose(np.abs((found * root).sum(axis=1)), 1.0, atol=1e-9)


def test_every_physics_take_has_the_indices() -> None:
    take = poise.simulate(poise.scene("balance-push", seconds=0.5))
    assert take["angular_excursion"].shape == (len(take), 3)
    assert take["excursion_anchored"].shape == (len(take), 4)
    peak = np.abs(take["angular_velocity"]).max()
    assert peak > 0 and take["angular_excursion"][0] == pytest.approx(np.zeros(3))


def test_root_excursion_counts_whole_turns() -> None:
    take = poise.simulate(poise.scene("roll-forward", seconds=3, seed=53))
    phase, root = take["roll"][:, 0], take["root_excursion"]
    turned = phase[-1] - phase[0]
    assert turned > 2 * np.pi  # a quaternion alone would have forgotten the whole turn
    assert root[-1, 1] == pytest.approx(turned, abs=1.0)  # the pelvis swings about the trunk's mean

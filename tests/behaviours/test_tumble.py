"""Rolls that begin and end standing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import poise
from poise.behaviours.tumble import DIVE, LEAN, RISE, ROLL, SQUAT, STAND, STANDS
from poise.character import Character
from poise.errors import BadInput
from replicas import most


def tumbled(seed: int, seconds: float = 6.0, **options: Any):
    return poise.simulate(poise.scene("roll-forward", seconds=seconds, seed=seed, **options))


def test_stands_rolls_and_stands() -> None:
    take = tumbled(60, stand="both", rolls=1)
    states = list(dict.fromkeys(take["tumble"][:, 0].astype(int)))
    assert states == [STAND, LEAN, DIVE, ROLL, SQUAT, RISE, STANDS]
    assert take.metrics["stands"] and take["com"][-1, 2] > 0.9
    assert 0.8 < float(take.metrics["revolutions_total"] or 0) < 1.2
    assert take.metrics["solver_failures"] == 0


def test_torques_stay_within_their_limits() -> None:
    take = tumbled(61, 4.0, stand="end", rolls=1)
    high = Character.named("adult").model.actuator_ctrlrange[:, 1]
    assert (np.abs(take["tau"]) <= high + 1e-6).all()


@pytest.mark.parametrize(("scene", "options"), [("roll-backward", {}), ("roll-incline", {})])
def test_other_rolls_say_that_they_cannot(scene: str, options: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match="stand"):
        poise.scene(scene, stand="both", **options)


@pytest.mark.slow
@pytest.mark.parametrize("options", [{"stand": "both"}, {"stand": "end"}, {"stand": "both", "walk": 0.8}])
def test_it_ends_standing(options: dict[str, Any]) -> None:
    takes = [tumbled(seed, 9.0, rolls=2, **options) for seed in range(62, 67)]
    assert most(takes, lambda take: bool(take.metrics["stands"]) and take["com"][-1, 2] > 0.9)

"""The styles roll: a few revolutions in the fast tests, twelve seconds in the slow ones."""

from __future__ import annotations

import pytest

import poise

SHORT = 3.0  # [s]


@pytest.mark.parametrize(
    ("scene", "least"), [("roll-forward", 1.8), ("roll-backward", 1.8), ("roll-sideways", 1.8)]
)
def test_it_rolls(scene: str, least: float) -> None:
    found = poise.simulate(poise.scene(scene, seconds=SHORT, seed=45)).metrics
    assert found["revolutions"] >= least
    assert found["back_every_revolution"] and found["solver_failures"] == 0


@pytest.mark.slow
@pytest.mark.parametrize("scene", ["roll-backward", "roll-sideways"])
@pytest.mark.parametrize("seed", [46, 47])
def test_it_rolls_on_and_keeps_to_its_line(scene: str, seed: int) -> None:
    found = poise.simulate(poise.scene(scene, seconds=12.0, seed=seed)).metrics
    assert found["revolutions"] >= 9 and found["air_time_share"] <= 0.05
    assert found["heading_drift_deg"] <= 10 and found["lateral_drift_m"] <= 0.5

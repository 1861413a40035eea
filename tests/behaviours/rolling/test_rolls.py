"""The styles roll: a few revolutions in the fast tests, twelve seconds in the slow ones."""

from __future__ import annotations

import pytest

import poise

SHORT = 3.0  # [s]


def roll(scene: str, seconds: float, seed: int) -> dict[str, float]:
    found = poise.simulate(poise.scene(scene, seconds=seconds, seed=seed)).metrics
    return {name: float(value) for name, value in found.items() if isinstance(value, (int, float))}


@pytest.mark.parametrize("scene", ["roll-forward", "roll-backward", "roll-sideways"])
def test_it_rolls(scene: str) -> None:
    found = roll(scene, SHORT, 45)
    assert found["revolutions"] >= 1.8 and found["back_every_revolution"]
    assert found["solver_failures"] == 0


@pytest.mark.slow
@pytest.mark.parametrize("scene", ["roll-backward", "roll-sideways"])
@pytest.mark.parametrize("seed", [46, 47])
def test_it_rolls_on_and_keeps_to_its_line(scene: str, seed: int) -> None:
    found = roll(scene, 12.0, seed)
    assert found["revolutions"] >= 9 and found["air_time_share"] <= 0.05
    assert found["heading_drift_deg"] <= 10 and found["lateral_drift_m"] <= 0.5

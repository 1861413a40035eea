"""The styles roll: a few revolutions in the fast tests, twelve seconds in the slow ones."""

from __future__ import annotations

import numpy as np
import pytest

import poise
from replicas import most

SEEDS = range(45, 50)
SHORT = 3.0  # [s]


def roll(scene: str, seconds: float, seed: int) -> dict[str, float]:
    found = poise.simulate(poise.scene(scene, seconds=seconds, seed=seed)).metrics
    return {name: float(value) for name, value in found.items() if isinstance(value, (int, float))}


@pytest.mark.parametrize("scene", ["roll-forward", "roll-backward", "roll-sideways"])
def test_it_rolls(scene: str) -> None:
    takes = [roll(scene, SHORT, seed) for seed in SEEDS]
    assert most(takes, lambda found: found["revolutions"] >= 1.8 and bool(found["back_every_revolution"]))
    assert all(found["solver_failures"] == 0 for found in takes)


def test_left_and_right_of_a_forward_roll_are_no_twins() -> None:
    model = poise.Character.named("adult").model
    left, right = (int(model.joint(f"knee_{side}").qposadr[0]) for side in "lr")
    for seed in SEEDS:
        q = poise.simulate(poise.scene("roll-forward", seconds=SHORT, seed=seed))["q"]
        apart = np.degrees(np.abs(q[:, left] - q[:, right]))
        assert 2.0 < apart.mean() < 8.0


TABLE_1 = {  # speed [m/s] and spin [rev/s] of the paper's table, with the cycles searched for them
    "roll-forward": (1.2, 0.9, {"cycle": "tight", "acts": "all", "line": False}),
    "roll-sideways": (1.5, 1.0, {"cycle": "log"}),
}


@pytest.mark.slow
@pytest.mark.parametrize("scene", sorted(TABLE_1))
def test_rows_of_table_1_meet_their_speed_and_spin(scene: str) -> None:
    speed, spin, options = TABLE_1[scene]
    given = {"speed": speed, "spin": spin, "start.spread": 0.25, **options}
    takes = [poise.simulate(poise.scene(scene, seconds=12.0, seed=s, **given)).metrics for s in SEEDS]
    means = [sum(float(t[key] or 0.0) for t in takes) / len(takes) for key in ("speed_ms", "spin_rev_s")]
    assert means == pytest.approx([speed, spin], rel=0.15)


@pytest.mark.slow
@pytest.mark.parametrize("scene", ["roll-backward", "roll-sideways"])
def test_it_rolls_on_and_keeps_to_its_line(scene: str) -> None:
    takes = [roll(scene, 12.0, seed) for seed in SEEDS]
    on = lambda found: found["revolutions"] >= 9 and found["air_time_share"] <= 0.05  # noqa: E731
    straight = lambda found: found["heading_drift_deg"] <= 10 and found["lateral_drift_m"] <= 0.5  # noqa: E731
    assert most(takes, lambda found: on(found) and straight(found))

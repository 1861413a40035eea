"""Gears below the slowest cycle, and the start from rest."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import poise
from poise.behaviours.rolling.cycle import named
from poise.behaviours.rolling.joints import Joints
from poise.behaviours.rolling.speeds import BRAKE, LET_GO, SHORT, TAKES, WINDOW, Gears
from poise.character import Character

DT = 1 / 60


@pytest.fixture
def gears():
    def make(speed: float) -> Gears:
        return Gears([named("forward-slow"), named("forward")], Character.named("adult"), speed, DT)

    return make


def test_brakes_only_below_the_slowest_cycle(gears) -> None:
    slow, fast = named("forward-slow").speed, named("forward").speed
    assert gears(fast).brake == gears(slow).brake == 0.0
    full = BRAKE * (1.0 - LET_GO[0]) / (LET_GO[1] - LET_GO[0])  # at the speed that is asked for
    assert gears(slow - TAKES).brake == pytest.approx(full)
    assert gears(slow - 0.5 * TAKES).brake == pytest.approx(0.5 * full)


def test_lets_go_of_the_brake_when_slow(gears) -> None:
    box, wanted = gears(1.1), 1.1
    for i in range(round(SHORT / DT) + 1):
        box.update(0.8 * LET_GO[0] * wanted * i * DT)
    assert box.mix < 0 and box.brake == 0.0


def test_pose_below_the_slowest_cycle_is_its_own(gears) -> None:
    braked, own = np.zeros((2, Joints(Character.named("adult")).size))
    gears(1.0).pose(0.3, braked)
    gears(named("forward-slow").speed).pose(0.3, own)
    assert braked == pytest.approx(own)


def test_too_fast_for_long_it_brakes_more(gears) -> None:
    box = gears(1.3)
    before = box.mix
    for i in range(round(2 * WINDOW / DT)):
        box.update(1.6 * i * DT)
    assert -1.0 <= box.mix < before


def test_begins_at_rest() -> None:
    rest: dict[str, Any] = {"start.speed": 0.0, "start.spin": 0.0}
    take = poise.simulate(poise.scene("roll-forward", seconds=4, seed=51, **rest))
    assert np.abs(take["v"][0]).max() < 1.5  # what the seed draws, no more
    assert float(take.metrics["revolutions"] or 0) > 2
    tipping = take["roll"][:, 7] > 0
    assert tipping[0] and not tipping[-1]


def test_slow_roll_is_slower() -> None:
    speeds = [
        float(
            poise.simulate(poise.scene("roll-forward", seconds=5, seed=52, speed=v)).metrics["speed_ms"] or 0
        )
        for v in (1.1, 1.7)
    ]
    assert speeds[0] < 1.45 < speeds[1]

"""The baby: over and still, too weak, and again after a rest."""

from __future__ import annotations

import numpy as np
import pytest

import poise
from poise.behaviours.rolling.measures import turned_over
from poise.behaviours.rolling.roll_over import DONE, PATIENCE, REST, RollOver
from replicas import most

SEEDS = range(31, 36)


def test_it_gets_over_and_stays() -> None:
    takes = [poise.simulate(poise.scene("roll-over", seconds=4, seed=seed)) for seed in SEEDS]
    assert most(
        takes,
        lambda take: bool(take.metrics["prone"]) and float(take.metrics["com_speed_final_ms"] or 0) < 0.05,
    )
    assert all(np.degrees(take["roll"][0, 0]) < 15 for take in takes)  # it began on its back


def test_too_weak_it_tries_more_than_once() -> None:
    takes = [poise.simulate(poise.scene("roll-over", seconds=8, seed=seed, strength=0.35)) for seed in SEEDS]
    assert most(
        takes,
        lambda take: not take.metrics["prone"],
        lambda take: float(take.metrics["excursion_peak_deg"] or 0) >= 30,
        tries_twice,
    )


def tries_twice(take: poise.Recording) -> bool:
    first, second = take.time < PATIENCE, take.time > PATIENCE + REST
    return all(np.ptp(np.degrees(take["roll"][part, 0])) > 10 for part in (first, second))


def test_an_attempt_ends_in_a_rest_unless_it_is_nearly_over() -> None:
    roll = RollOver()
    roll.dt, roll._clock, roll._resting = 0.1, 0.0, False
    paces = [roll._pace(0.1) for _ in range(round((PATIENCE + REST) / 0.1) + 2)]
    assert paces[0] is not None and paces[-1] is not None
    rest = [p is None for p in paces]
    assert sum(rest) == pytest.approx(REST / 0.1, abs=1)
    assert max(p for p in paces if p is not None) <= DONE
    roll._resting = True
    assert roll._pace(0.9) == pytest.approx(0.9)


def test_prone_is_judged_over_the_last_second() -> None:
    class Take(dict):
        time = np.arange(0, 3, 0.01)

    phase = np.full((300, 1), np.pi)
    take = Take(roll=phase, tau=np.zeros((300, 1)), v=np.zeros((300, 1)))
    assert turned_over(take)["prone"]  # type: ignore[arg-type]
    phase[250] = 1.0
    assert not turned_over(take)["prone"]  # type: ignore[arg-type]

"""What may be absent from a take, and what is a number always."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import poise
from poise.record.series import ABSENT, unsound

DOCS = Path(__file__).parents[2] / "docs" / "reliability.md"
FEW = ("walk", "life", "roll-forward", "react", "anticipate", "kinematic-steps", "ofc-walk")


def spoilt(take: poise.Recording, name: str, value: float) -> poise.Recording:
    """The same take with one number of a series replaced."""
    values = take[name].copy()
    values[-1, 0] = value
    return replace(take, series={**take.series, name: take.series[name]._replace(values=values)})


def test_nan_is_an_answer_of_named_series_alone(take):
    assert unsound(take) == []
    for name in take.series:
        assert unsound(spoilt(take, name, np.nan)) == ([] if name in ABSENT else [name])
        assert unsound(spoilt(take, name, np.inf)) == [name]
    assert unsound(replace(take, time=take.time + np.nan)) == ["time"]


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=() if n in FEW else pytest.mark.slow) for n in sorted(poise.SCENES)]
)
def test_every_other_number_of_a_take_is_finite(name):
    shoved = poise.scene(name, seconds=0.3, push="torso:400,300,0@0.05+0.1")
    assert unsound(poise.simulate(shoved)) == []


def test_the_series_that_may_be_absent_are_told():
    text = DOCS.read_text()
    assert all(f"`{name}`" in text for name in ABSENT)

"""Protective steps: out of a ball's way where there is time for it, in physics and without."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import poise
from foreign_files import metric
from poise.behaviours.anticipation.choices import IN_TIME, choice, first_away
from poise.behaviours.anticipation.moves import ACTS, step_away
from poise.behaviours.anticipation.threat import Threat, sight_of
from poise.behaviours.anticipation.trial import Range, still
from poise.character import Character

SLOW: dict[str, Any] = {"ball.height": 1.2, "ball.speed": 4.0}  # a second to get away


@cache
def place() -> Range:
    return Range(Character.named("adult"))


@pytest.mark.parametrize(
    ("bearing", "aside", "way"), [(0, 0.1, 90), (0, -0.1, -90), (90, 0.1, 180), (45, -0.1, -45)]
)
def test_it_goes_across_the_ball_s_way_to_the_side_where_the_ball_does_not_pass(bearing, aside, way):
    assert step_away(sight_of(Threat(bearing, 1.2, aside))).direction == way


@pytest.mark.parametrize("bearing", [90.0, -90.0])
def test_straight_ahead_it_goes_aside_as_well_and_from_the_ball(bearing):
    aside = -0.1 if bearing > 0 else 0.1  # the ball passes behind
    move = step_away(sight_of(Threat(bearing, 1.2, aside)))
    assert abs(move.direction) == 45 and move.direction * bearing < 0 and move in ACTS


@pytest.mark.parametrize("bearing", [0, 180, -45])
def test_a_step_saves_the_body_and_it_stands_afterwards(bearing):
    threat = Threat(bearing, 1.2, 0.05, speed=4.0)
    seen, without = (place().throw(threat, c, after=1.2) for c in (choice("step"), still))
    assert seen.damage < 0.1 * without.damage and seen.steps >= 1 and not seen.fell


def test_a_step_needs_time():
    near, far = sight_of(Threat(0, 1.2, speed=8.0)), sight_of(Threat(0, 1.2, speed=4.0))
    choose, usual = first_away(choice("learned")), choice("learned")
    assert near.time < IN_TIME < far.time
    assert choose(near) == usual(near) and choose(far) == step_away(far)


@pytest.mark.parametrize("physics", [True, False])
def test_a_take_tells_of_the_step(physics):
    take = poise.simulate(poise.scene("anticipate", steps=True, physics=physics, seconds=2.6, **SLOW))
    assert str(take.metrics["chosen"]).startswith("step away") and not take.fell
    assert metric(take, "damage_j") < 0.2 * metric(take, "damage_without_j")
    assert np.linalg.norm(take["q"][-1, :2] - take["q"][0, :2]) > 0.2
    if not physics:
        assert metric(take, "foot_skate_m") < 0.005

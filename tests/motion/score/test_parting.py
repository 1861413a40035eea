"""Legs that pass each other keep apart in a score, and where they do nothing is moved."""

from __future__ import annotations

import numpy as np
import pytest

from poise.character import Character
from poise.motion.gait import FLAT, walk
from poise.motion.score import parting
from poise.scenes.react import _soles, scored

ROOM = 0.2  # in heights: more than the legs of a plain walk have


@pytest.fixture(scope="module")
def score():
    return scored(walk(Character.named("adult"), FLAT, steps=4))


def test_swings_go_round_the_leg_that_stands(score):
    soles, rows = _soles(score.clip)[0], np.array(score.tables.soles)
    moved = parting.part(score.clip, soles, score.prints, rows, ROOM)
    assert moved.any()
    by = rows[0, :, :2] - score.tables.soles[0, :, :2]
    assert by[:, 1].max() > 0.005 and np.abs(by[:, 0]).max() < 1e-3  # to the left, and not along its way
    for p in score.prints[0]:
        assert not by[p.first : p.last + 1].any()


def test_legs_that_are_far_enough_apart_stay_as_they_are(score):
    rows = np.array(score.tables.soles)
    assert not parting.part(score.clip, _soles(score.clip)[0], score.prints, rows, 1e-3).any()
    np.testing.assert_array_equal(rows, score.tables.soles)

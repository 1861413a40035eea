"""Trotting on four legs."""

from __future__ import annotations

import numpy as np
import pytest

import poise
from foreign_files import biped, metric, quadruped, write
from poise.behaviours.trotting import Quad
from poise.behaviours.trotting.limbs import stands_on_four
from poise.character import Character
from poise.errors import BadInput


@pytest.fixture(scope="module")
def dog(tmp_path_factory) -> Character:
    return Character.from_mjcf(write(tmp_path_factory.mktemp("dog"), quadruped()))


def test_diagonal_feet_belong_together(dog):
    quad = Quad(dog)
    for pair in quad.pairs:
        assert quad.place[list(pair)].mean(axis=0) == pytest.approx([0, 0], abs=1e-3)
    assert (quad.place[0] > 0).all()  # left front


def test_two_legs_do_not_trot(tmp_path):
    body = Character.from_mjcf(write(tmp_path, biped()))
    assert not stands_on_four(body)
    with pytest.raises(BadInput, match="a trot needs four feet"):
        Quad(body)


def test_a_walk_on_four_legs_is_a_trot(dog):
    take = poise.simulate(poise.scene("walk", dog, [], 5.0, speed=0.4))
    assert not take.fell
    assert metric(take, "speed_ms") == pytest.approx(0.4, rel=0.1)
    assert metric(take, "stray_m") < 0.1
    feet = take["feet"][take.time > 1.0].astype(bool)
    pairs = {tuple(row) for row in feet[feet.sum(axis=1) == 2]}
    assert pairs == {(True, False, False, True), (False, True, True, False)}


def test_a_trot_takes_a_push(dog):
    push = poise.Push("torso", (0.0, 0.2 * dog.mass / 0.1, 0.0), 3.0, 0.1)
    take = poise.simulate(poise.scene("walk", dog, [push], 6.0, speed=0.4))
    assert not take.fell
    last = take["com_velocity"][take.time > 5.0].mean(axis=0)
    assert last[0] == pytest.approx(0.4, rel=0.2) and abs(last[1]) < 0.1


def test_it_stops_where_told(dog):
    take = poise.simulate(poise.scene("walk", dog, [], 4.0, speed=0.3, stop=2.0))
    assert not take.fell
    assert np.abs(take["com_velocity"][-50:, 0]).mean() < 0.1

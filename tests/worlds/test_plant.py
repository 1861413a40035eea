"""A plant that is not the model."""

from __future__ import annotations

import numpy as np
import pytest

from poise.character import Character
from poise.errors import BadInput
from poise.worlds.plant import EXACT, Plant
from poise.worlds.world import Arena, World


def test_the_plant_weighs_and_slides_otherwise():
    arena = Arena(World(plant=Plant(mass=0.85, inertia=1.2, friction=0.5)), Character.named("adult"))
    true, nominal = arena.model, arena.nominal
    np.testing.assert_allclose(true.body_mass[1:], 0.85 * nominal.body_mass[1:])
    np.testing.assert_allclose(true.body_inertia[1:], 0.85 * 1.2 * nominal.body_inertia[1:])
    np.testing.assert_allclose(true.geom_friction[:, 0], 0.5 * nominal.geom_friction[:, 0])
    assert true.body_subtreemass[0] == pytest.approx(0.85 * nominal.body_subtreemass[0])


def test_an_exact_plant_is_the_model():
    arena = Arena(World(), Character.named("adult"))
    assert arena.nominal is arena.model
    assert not EXACT.hidden and not EXACT.slow


def test_what_is_hidden_and_what_is_late():
    assert Plant(noise=0.1).hidden and not Plant(noise=0.1).slow
    assert Plant(delay=0.01).slow and Plant(lag=0.01).slow and not Plant(rate=200.0).hidden


@pytest.mark.parametrize("wrong", [{"mass": 0.0}, {"delay": -0.01}, {"rate": 5.0}, {"noise": float("nan")}])
def test_nonsense_is_refused(wrong):
    with pytest.raises(BadInput, match=r"plant\."):
        Plant(**wrong)

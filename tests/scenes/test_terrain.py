"""Terrain as an option of any physics scene: names, numbers, refusals, and bodies that stand and walk on it."""

from __future__ import annotations

import math
from typing import Any, cast

import numpy as np
import pytest

import poise
from poise.errors import BadInput
from poise.worlds.terrain import Slope, Stairs, Uneven

UP = {"terrain": "slope", "terrain.angle": 5.0}
DOWN = {"terrain": "slope", "terrain.angle": -5.0}
UNEVEN = {"terrain": "uneven", "terrain.height": 0.03}


def stood(name: str, seconds: float, **options) -> int:
    """How many of five replicas do not fall."""
    takes = [
        poise.simulate(
            poise.scene(name, seconds=seconds, seed=seed, pose_noise=0.01, after_fall=0.0, **options)
        )
        for seed in range(5)
    ]
    return sum(not take.fell for take in takes)


def test_any_physics_scene_takes_a_terrain_by_name() -> None:
    for name in ("stand", "reactive-step", "walk", "roll-forward"):
        assert poise.scene(name, **UP).world.terrain == Slope(math.radians(5.0))
    asked = {"terrain": "stairs", "terrain.drop": -0.03, "terrain.run": 0.5}
    assert poise.scene("walk", **asked).world.terrain == Stairs(-0.03, 0.5)
    assert poise.scene("roll-uneven", **cast(Any, {"terrain.seed": 4})).world.terrain == Uneven(0.06, seed=4)
    assert poise.scene("roll-uneven", terrain="flat").world.terrain is None


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(BadInput, match="flat, slope, stairs, uneven"):
        poise.scene("walk", terrain="lava")
    with pytest.raises(BadInput, match=r"terrain\.angle"):
        poise.scene("walk", terrain="slope", **cast(Any, {"terrain.height": 1.0}))
    with pytest.raises(BadInput, match="platform"):
        poise.scene("platform", **UP)
    with pytest.raises(BadInput, match="no physics scene"):
        poise.scene("kinematic-steps", **UP)


def test_a_level_slope_is_the_floor_bit_for_bit() -> None:
    level: Any = {"terrain": "slope", "terrain.angle": 0.0}
    floor: Any = {"style": "plain"}
    plain, same = (poise.simulate(poise.scene("walk", seconds=3.0, **o)) for o in (floor, level))
    np.testing.assert_array_equal(plain["q"], same["q"])
    np.testing.assert_array_equal(plain["tau"], same["tau"])


@pytest.mark.parametrize("terrain", [UP, UNEVEN], ids=["up", "uneven"])
def test_a_walk_goes_on_over_terrain(terrain) -> None:
    assert stood("walk", 5.0, speed=0.8, **terrain) >= 4


def test_a_push_is_stopped_on_a_slope() -> None:
    assert stood("balance-push", 4.0, **DOWN) >= 4


@pytest.mark.slow
@pytest.mark.parametrize("speed", [0.5, 0.8])
@pytest.mark.parametrize(
    "terrain", [UP, DOWN, UNEVEN, *({"terrain": "stairs", "terrain.drop": drop} for drop in (-0.03, 0.03))]
)
def test_long_walks_over_terrain(terrain, speed) -> None:
    assert stood("walk", 20.0, speed=speed, **terrain) >= 4


@pytest.mark.slow
@pytest.mark.parametrize("terrain", [UP, DOWN], ids=["up", "down"])
def test_a_step_recovers_on_a_slope(terrain) -> None:
    assert stood("reactive-step", 6.0, **terrain) >= 4

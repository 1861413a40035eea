"""Terrain as real geometry: a ball rests on it, rolls down it, and bad sizes are refused."""

from __future__ import annotations

import math

import mujoco
import numpy as np
import pytest

from poise.character import Character
from poise.errors import BadInput
from poise.worlds import Arena, World
from poise.worlds.terrain import Slope, Stairs, Terrain, Uneven


def dropped(terrain: Terrain, x: float, height: float = 0.3) -> float:
    """Where a small heavy ball comes to rest above a place [m]."""
    spec = mujoco.MjSpec()
    terrain.add(spec, 1.0)
    body = spec.worldbody.add_body(pos=[x, 0, height])
    body.add_joint(type=mujoco.mjtJoint.mjJNT_SLIDE, axis=[0, 0, 1])
    body.add_geom(type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[0.01, 0, 0], mass=1.0)
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, nstep=1500)
    return float(data.xpos[1, 2])


def test_stairs_go_down_step_by_step() -> None:
    stairs = Stairs(0.1, run=0.6, first=1.5)
    for x, top in ((0.0, 0.0), (1.4, 0.0), (1.8, -0.1), (2.4, -0.2)):
        assert dropped(stairs, x) == pytest.approx(top + 0.01, abs=0.003)


def test_slope_is_a_tilted_plane() -> None:
    tilt = Slope(math.radians(8))
    assert dropped(tilt, 1.0) == pytest.approx(math.tan(math.radians(8)) + 0.01, abs=0.004)


def test_uneven_ground_is_flat_at_the_start_and_as_high_as_asked() -> None:
    bumps = Uneven(0.06)
    assert dropped(bumps, 0.0) == pytest.approx(0.01, abs=0.003)
    heights = bumps.heights()
    assert np.ptp(heights) == pytest.approx(1.0, abs=0.02)
    np.testing.assert_array_equal(heights, Uneven(0.06).heights())
    assert (heights != Uneven(0.06, seed=1).heights()).any()


def test_bad_sizes_and_contact_models_are_refused() -> None:
    for bad in (lambda: Slope(2.0), lambda: Uneven(0.0), lambda: Stairs(0.0), lambda: Stairs(0.1, run=0.0)):
        with pytest.raises(BadInput):
            bad()
    with pytest.raises(BadInput, match="flat ground"):
        World(contact="lcp", terrain=Slope(0.1))


def test_contacts_with_every_step_count() -> None:
    body = Character.named("adult")
    arena = Arena(World(terrain=Stairs(0.1, first=-3.0, run=10.0)), body)
    q = body.q_rest.copy()
    q[2] -= 0.105
    arena.reset(q)
    arena.begin()
    assert 0.0 < arena.contact.penetration() < 0.02

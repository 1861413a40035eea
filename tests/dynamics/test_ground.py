"""The ground by place: heights as the engine's rays find them, and how a sole lies on them."""

from __future__ import annotations

import math

import mujoco
import numpy as np
import pytest

from poise.character import Character
from poise.dynamics.relief import Relief, top_at
from poise.dynamics.state import State
from poise.worlds import Arena, World
from poise.worlds.terrain import Slope, Stairs, Terrain, Uneven

HALF = np.array([0.13, 0.05])


class Tilted:
    """A box that leans, on a plane."""

    def add(self, spec: mujoco.MjSpec, friction: float) -> None:
        spec.worldbody.add_geom(
            name="ground", type=mujoco.mjtGeom.mjGEOM_PLANE, size=[40, 40, 0.1], pos=[0, 0, -0.1]
        )
        body = spec.worldbody.add_body(pos=[4.0, 0.0, 0.0], quat=[0.95, 0.2, 0.1, 0.2])
        body.add_geom(name="ground_1", type=mujoco.mjtGeom.mjGEOM_BOX, size=[2.0, 1.0, 0.3])


@pytest.mark.parametrize("terrain", [Slope(0.1), Uneven(0.1, 0.5), Stairs(0.1), Stairs(-0.07, 0.4), Tilted()])
def test_heights_are_those_of_the_engines_rays(terrain: Terrain) -> None:
    spec = mujoco.MjSpec()
    terrain.add(spec, 1.0)
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    relief, down, hit = Relief(model, False), np.array([0.0, 0.0, -1.0]), np.zeros(1, np.int32)
    for x, y in np.random.default_rng(0).uniform((-3, -5), (20, 5), (300, 2)):
        ray = mujoco.mj_ray(model, data, np.array([x, y, 50.0]), down, None, 1, -1, hit, None)
        assert top_at(relief, x, y, np.inf) == pytest.approx(50.0 - ray, abs=1e-9)


def on(terrain: Terrain | None) -> State:
    """The adult at rest in a world."""
    body = Character.named("adult")
    arena = Arena(World(terrain=terrain), body)
    arena.reset(np.array(body.q_rest))
    arena.begin()
    return State(body, arena.model, arena.data).update()


def test_level_ground_is_one_plane_for_all() -> None:
    for state in (on(None), on(Slope(0.0))):
        ground = state.ground
        assert not ground.rough and ground.base is ground.point
        assert ground.height_at(3.0, -2.0) == 0.0
        assert ground.lie(1.0, 2.0, 0.3, HALF) == (0.0, 0.0, 0.0)
        np.testing.assert_array_equal(ground.axes, np.tile(np.eye(3), (len(ground.axes), 1, 1)))


def test_a_sole_lies_along_a_slope_whatever_way_it_points() -> None:
    angle = 0.1
    state = on(Slope(angle))
    ground, n = state.ground, np.array([-math.sin(angle), 0.0, math.cos(angle)])
    for heading, pitch, roll in ((0.0, -angle, 0.0), (math.pi, angle, 0.0), (math.pi / 2, 0.0, -angle)):
        z, *tilt = ground.lie(2.0, 1.0, heading, HALF)
        assert z == pytest.approx(2.0 * math.tan(angle))
        assert tilt == pytest.approx([pitch, roll], abs=1e-9)
    for s, x in enumerate(state.x):
        np.testing.assert_allclose(ground.axes[s].T @ ground.axes[s], np.eye(3), atol=1e-12)
        np.testing.assert_allclose(ground.axes[s][:, 2], n, atol=1e-9)
        assert ground.under[s, 2] == pytest.approx(x[0] * math.tan(angle))


def test_a_sole_on_the_edge_of_a_step_lies_on_it_or_leans_against_it() -> None:
    ground = on(Stairs(-0.05, first=1.5)).ground
    assert ground.lie(1.0, 0.0, 0.0, HALF) == (0.0, 0.0, 0.0)
    z, pitch, _ = ground.lie(1.55, 0.0, 0.0, HALF)  # its middle on the step, its heel over the edge
    assert z == pytest.approx(0.05) and pitch == pytest.approx(0.0)
    z, pitch, _ = ground.lie(1.4, 0.0, 0.0, HALF)  # its toes on the step
    assert 0.0 < z < 0.05 and pitch < -0.1
    assert ground.highest(np.array([1.0, 0.0]), np.array([1.6, 0.0])) == pytest.approx(0.05)


def test_what_is_overhead_is_no_ground() -> None:
    state = on(Tilted())
    ground = state.ground
    assert top_at(ground.relief, 4.0, 0.0, np.inf) > 0.25
    ground.base[2] = -0.4
    assert ground.height_at(4.0, 0.0) == pytest.approx(-0.1)

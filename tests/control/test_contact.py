"""Wrench limits of a sole against forces at its corners, and how planted supports are held."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
from scipy.optimize import linprog

from poise.character import Character
from poise.control.cones import FACETS, _turning_rows
from poise.control.contact import SUNK, Grip, Supports
from poise.dynamics.state import State


def standing(name: str = "adult", lift: float = 0.0, pitch: float = 0.0) -> State:
    """At rest, with the whole body lifted or pitched as one piece."""
    character = Character.named(name)
    data = mujoco.MjData(character.model)
    data.qpos[:] = character.q_rest
    data.qpos[2] += lift
    turn = np.zeros(character.model.nv)
    turn[4] = pitch
    mujoco.mj_integratePos(character.model, data.qpos, turn, 1.0)
    mujoco.mj_forward(character.model, data)
    return State(character, character.model, data).update()


def planted(state: State, mu: float = 0.8) -> Supports:
    supports = Supports(state, mu=mu)
    supports.plant(state, np.ones(len(state.character.supports), dtype=bool))
    supports.accelerate(state)
    supports.cones(state)
    return supports


def wrench(points: np.ndarray, forces: np.ndarray) -> np.ndarray:
    return np.concatenate([forces.sum(axis=0), np.cross(points, forces).sum(axis=0)])


@pytest.mark.parametrize("seed", range(5))
def test_forces_at_the_corners_are_possible(name: str, seed: int):
    """Any friction-cone forces well inside the corners add up to a wrench that the rows admit."""
    state = standing(name)
    supports, rng = planted(state), np.random.default_rng(seed)
    for s in range(len(supports.active)):
        corners = (state.corners[s, : state.corner_count[s]] - state.x[s]) @ supports.frames[s]
        push = rng.uniform(0.0, 300.0, len(corners))
        angle = 2 * np.pi * rng.uniform()  # one direction of sliding: no torsion beyond what the corners make
        aside = 0.3 * supports.mu * push
        forces = np.column_stack([aside * np.cos(angle), aside * np.sin(angle), push])
        assert (supports.G[s] @ wrench(0.6 * corners, forces) <= 1e-9).all()


def test_a_sole_that_rolls_over_its_toes_presses_with_what_is_ahead_of_its_middle():
    state = standing("adult")
    supports = planted(state)
    flat = int(supports.used[0])
    supports.rolls[0] = 1.0
    supports.cones(state)
    assert 0 < supports.used[0] < flat
    assert (supports.polygon[0, : supports.used[0], 0] > 0.0).all()


def test_impossible_wrenches_are_refused(name: str):
    state = standing(name)
    supports = planted(state, mu=0.5)
    G = supports.G[0]
    corners = (state.corners[0, : state.corner_count[0]] - state.x[0]) @ supports.frames[0]
    up = np.array([0.0, 0.0, 100.0])
    assert (G @ wrench(np.zeros((1, 3)), up[None]) <= 0).all()
    assert (G @ wrench(np.zeros((1, 3)), -up[None]) > 0).any()  # pulls
    for angle in np.linspace(0, 2 * np.pi, 17):
        slide = up + 51.0 * np.array([np.cos(angle), np.sin(angle), 0.0])
        assert (G @ wrench(np.zeros((1, 3)), slide[None]) > 0).any()  # slides
    for corner in corners:
        assert (G @ wrench(1.05 * corner[None], up[None]) > 0).any()  # beyond the sole
    twist = np.array([0.0, 0.0, 100.0, 0.0, 0.0, 100.0])
    assert (G @ twist > 0).any() and (G @ (twist * [1, 1, 1, 1, 1, -1]) > 0).any()  # turns


def bearable(corners: np.ndarray, mu: float, w: np.ndarray) -> bool:
    """Whether forces at the corners with |fx|, |fy| ≤ μ fz add up to a wrench: a linear program as the oracle."""
    n = len(corners)
    A = np.zeros((6, 3 * n))
    for i, p in enumerate(corners):
        A[:3, 3 * i : 3 * i + 3] = np.eye(3)
        A[3:, 3 * i : 3 * i + 3] = np.cross(p, np.eye(3)).T
    one = np.array([[1, 0, -mu], [-1, 0, -mu], [0, 1, -mu], [0, -1, -mu], [0, 0, -1.0]])
    G = np.kron(np.eye(n), one)
    return linprog(np.zeros(3 * n), G, np.zeros(len(G)), A, w, bounds=(None, None)).status == 0


@pytest.mark.parametrize("seed", range(20))
def test_turning_is_bounded_as_forces_at_the_corners_bound_it(seed: int):
    """The closed form of Caron et al. against a linear program, just inside and just outside the bound."""
    rng, mu = np.random.default_rng(seed), 0.6
    X, Y, middle = rng.uniform(0.05, 0.15), rng.uniform(0.03, 0.1), rng.uniform(-0.1, 0.1, 2)
    box = middle + np.array([[-X, -Y], [X, -Y], [X, Y], [-X, Y]])
    corners = np.column_stack([box, np.zeros(4)])
    push = rng.uniform(10.0, 200.0, 4)
    w = wrench(corners, np.column_stack([rng.uniform(-0.5, 0.5, (4, 2)) * mu * push[:, None], push]))
    G = np.zeros((2 * FACETS + 4, 6))
    _turning_rows(mu, box, 4, 1e-3, G)
    rows = G[FACETS : 2 * FACETS]
    slack = -(rows @ w) / np.abs(rows[:, 5])
    most, least = slack[rows[:, 5] > 0].min(), slack[rows[:, 5] < 0].min()
    assert most > 0 and least > 0
    for sign, room in ((1, most), (-1, least)):
        turn = np.array([0, 0, 0, 0, 0, sign * room])
        assert bearable(corners, mu, w + 0.999 * turn) and not bearable(corners, mu, w + 1.001 * turn)


def test_pyramid_lies_inside_the_cone():
    """No admitted force leaves the round friction cone, so the world's friction is never overestimated."""
    supports = planted(standing(), mu=0.6)
    G = supports.G[0]
    for angle in np.linspace(0, 2 * np.pi, 200):
        aside = np.array([np.cos(angle), np.sin(angle), 0.0, 0.0, 0.0, 0.0])
        up = np.array([0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
        rise, load = G @ aside, -(G @ up)
        reach = (load[rise > 1e-9] / rise[rise > 1e-9]).min()
        assert 0.8 * 0.6 < reach <= 0.6 + 1e-12


def test_a_tilted_foot_presses_with_its_lower_edge():
    state = standing(pitch=0.3)  # toes down
    supports = planted(state)
    toes = (state.corners[0, :4] - state.x[0]) @ supports.frames[0]
    front, back = toes[:, 0].max(), toes[:, 0].min()
    up = np.array([[0.0, 0.0, 100.0]])
    assert supports.used[0] == 2
    assert (supports.G[0] @ wrench(np.array([[front, 0.0, 0.0]]), up) <= 1e-9).all()
    assert (supports.G[0] @ wrench(np.array([[front - 0.05, 0.0, 0.0]]), up) > 0).any()
    assert (supports.G[0] @ wrench(np.array([[back, 0.0, 0.0]]), up) > 0).any()


def test_where_it_was_put_down_means_zero_command(name: str):
    """At rest on its anchor, a planted support is asked to stay: no acceleration."""
    supports = planted(standing(name))
    assert np.abs(supports.rate).max() < 1e-9


def test_drift_is_pulled_back():
    state = standing()
    supports = planted(state)
    state.data.qpos[0] += 0.01
    mujoco.mj_forward(state.model, state.data)
    supports.accelerate(state.update())
    np.testing.assert_allclose(supports.rate[:, 0], -0.01 * supports.k, atol=1e-9)
    np.testing.assert_allclose(supports.rate[:, 1:], 0.0, atol=1e-9)


@pytest.mark.parametrize("axis", range(3))
def test_a_turned_sole_is_turned_back(axis: int):
    """Small rotations about each world axis are answered about that axis with stiffness k."""
    state = standing()
    supports = planted(state)
    turn = np.zeros(state.nv)
    turn[3 + axis] = 1e-4
    mujoco.mj_integratePos(state.model, state.data.qpos, turn, 1.0)
    mujoco.mj_forward(state.model, state.data)
    supports.accelerate(state.update())
    np.testing.assert_allclose(
        supports.rate[:, 3:], -1e-4 * supports.k * np.tile(np.eye(3)[axis], (2, 1)), atol=1e-6
    )


def test_anchors_follow_a_slipped_foot_at_a_distance():
    state = standing()
    supports = planted(state)
    state.data.qpos[1] += 0.05
    mujoco.mj_forward(state.model, state.data)
    supports.slide(state.update(), reach=0.02)
    gap = state.x - supports.anchor
    np.testing.assert_allclose(gap[:, 1], 0.02, atol=1e-12)
    before = supports.anchor.copy()
    supports.slide(state, reach=0.02)
    np.testing.assert_allclose(supports.anchor, before, atol=1e-12)


@pytest.mark.parametrize("lift", [0.01, -0.01])
def test_a_sole_put_down_off_the_floor_is_brought_to_it(lift: float):
    supports = planted(standing(lift=lift))
    assert (supports.anchor[:, 2] >= -SUNK).all() and (supports.anchor[:, 2] <= 0.0).all()
    assert (np.sign(supports.rate[:, 2]) == -np.sign(lift)).all()


def test_planting_again_takes_a_new_anchor_and_staying_keeps_the_old():
    state = standing()
    supports = planted(state)
    first = supports.anchor.copy()
    supports.plant(state, np.array([True, False]))
    state.data.qpos[0] += 0.1
    mujoco.mj_forward(state.model, state.data)
    supports.plant(state.update(), np.array([True, True]))
    np.testing.assert_array_equal(supports.anchor[0], first[0])
    np.testing.assert_allclose(supports.anchor[1], first[1] + [0.1, 0.0, 0.0], atol=1e-12)


def test_a_sole_in_the_air_cannot_push(name: str):
    supports = planted(standing(name, lift=0.05))
    assert supports.active.all() and len(supports.planted()) == len(supports.active)
    assert len(supports.pressing()) == 0 and not supports.used.any()
    assert len(planted(standing(name)).pressing()) == len(supports.active)


@pytest.mark.parametrize(("hover", "presses"), [(0.0, False), (0.01, True)])
def test_a_sole_that_bounced_is_counted_on_if_asked(hover: float, presses: bool):
    state = standing(lift=0.006)
    supports = Supports(state, grip=Grip(hover=hover))
    supports.plant(state, np.ones(len(state.character.supports), dtype=bool))
    supports.cones(state)
    assert bool(len(supports.pressing())) is presses

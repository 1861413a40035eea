"""The compiled parts of following against the plain functions that they stand for."""

from __future__ import annotations

import math

import numpy as np
import pytest

from poise.behaviours.following import paths
from poise.behaviours.following.view import View
from poise.geometry import quat
from poise.motion.score import columns as cols

RNG = np.random.default_rng(3)


@pytest.fixture
def view() -> View:
    view = View()
    view.face(0.7)
    view.look(np.array([0.3, -0.2]), np.array([1.1, 0.4]), 1.0)
    return view


def turned(view: View, u: np.ndarray) -> np.ndarray:
    """A vector (2,) or (3,) turned about the vertical, by a quaternion."""
    return quat.rotate(view.quat, np.append(u[:2], u[2:] if len(u) == 3 else 0.0))[: len(u)]


@pytest.mark.parametrize("u", [np.array([0.2, 0.9]), np.array([0.2, 0.9, -0.4])], ids=["plane", "space"])
def test_a_view_turns_about_the_vertical_and_moves_its_anchor(view: View, u: np.ndarray):
    np.testing.assert_allclose(view.vector(u), turned(view, u), atol=1e-12)
    away = np.append(u[:2] - view.anchor, u[2:])
    there = np.append(view.there, np.zeros(len(u) - 2))
    np.testing.assert_allclose(view.point(u), there + turned(view, away), atol=1e-12)


def test_a_row_in_the_world_is_that_of_its_columns(view: View):
    tables = RNG.normal(size=(3, 19)), RNG.normal(size=(3, 22))
    body, sole = (0.5 * (table[0] + table[1]) for table in tables)
    seen, led = view.body_at(tables[0], 0.5), view.sole_at(tables[1], 0.5)
    for columns in (cols.C, cols.P):
        np.testing.assert_allclose(seen[columns], view.point(body[columns]), atol=1e-12)
    for columns in (cols.V, cols.A, cols.H, cols.H_DOT, cols.SPIN):
        np.testing.assert_allclose(seen[columns], view.vector(body[columns]), atol=1e-12)
    np.testing.assert_allclose(led[cols.X], view.point(sole[cols.X]), atol=1e-12)
    for columns in (cols.X_DOT, cols.X_DDOT, cols.W, cols.W_DOT):
        np.testing.assert_allclose(led[columns], view.vector(sole[columns]), atol=1e-12)
    for columns in (cols.TURN, cols.TILT):
        np.testing.assert_allclose(led[columns], sole[columns], atol=1e-12)


def test_a_path_in_the_air(view: View):
    row, (offset, speed, acc) = RNG.normal(size=22), RNG.normal(size=(3, 4))
    aside, twist = RNG.normal(size=2), RNG.normal(size=3)
    out = paths.in_air(row, view.quat, offset, speed, acc, aside, 0.1, twist, 1.3)
    np.testing.assert_allclose(out[paths.X], row[cols.X] + offset[:3] + [*aside, -0.1], atol=1e-12)
    np.testing.assert_allclose(out[paths.V], 1.3 * row[cols.X_DOT] + speed[:3], atol=1e-12)
    np.testing.assert_allclose(out[paths.A], 1.3**2 * row[cols.X_DDOT] + acc[:3], atol=1e-12)
    np.testing.assert_allclose(out[paths.W], 1.3 * row[cols.W] + [0, 0, speed[3]], atol=1e-12)
    np.testing.assert_allclose(out[paths.W_DOT], 1.3**2 * row[cols.W_DOT], atol=1e-12)
    own = quat.from_rotvec(twist + np.array([0, 0, offset[3]]))
    axes = quat.to_matrix(quat.multiply(own, view.rotation(quat.normalize(row[cols.TURN]))))
    np.testing.assert_allclose(out[paths.TURN : paths.TURN + 3], axes, atol=1e-12)


def test_no_turn_leaves_the_axes_alone(view: View):
    row = RNG.normal(size=22)
    out = paths.in_air(row, view.quat, *np.zeros((3, 4)), np.zeros(2), 0.0, np.zeros(3), 1.0)
    axes = quat.to_matrix(view.rotation(quat.normalize(row[cols.TURN])))
    np.testing.assert_allclose(out[paths.TURN : paths.TURN + 3], axes, atol=1e-12)


def test_a_sole_on_its_toes_lies_flat_about_them():
    pitch, heading, half = 0.4, 0.3, 0.13
    R = quat.to_matrix(quat.from_euler([heading, pitch], "zy"))
    toe = np.array([0.5, 0.2, 0.0])
    x = toe - R @ [half, 0.0, 0.0]  # the middle of a sole that stands on its toe edge
    place, found = paths.flat(R, x, half)
    assert found == pytest.approx(heading)
    np.testing.assert_allclose(
        place, toe[:2] - half * np.array([math.cos(heading), math.sin(heading)]), atol=1e-12
    )

"""Convex polygons: hull, distance, projection, insets."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from poise.geometry import polygon

coordinate = st.floats(-2, 2).map(lambda x: round(x, 3))
clouds = st.lists(st.tuples(coordinate, coordinate), min_size=1, max_size=12).map(np.array)
SQUARE = np.array([[0, 0], [2, 0], [2, 2], [0, 2.0]])


@settings(deadline=None)  # the first call compiles
@given(clouds)
def test_hull_holds_all_points_and_turns_left(points):
    hull = polygon.hull(points)
    assert {tuple(p) for p in hull} <= {tuple(p) for p in points}
    assert max(polygon.signed_distance(hull, p) for p in points) < 1e-9
    if len(hull) > 2:
        a, b, c = hull, np.roll(hull, -1, 0), np.roll(hull, -2, 0)
        turn = (b - a)[:, 0] * (c - b)[:, 1] - (b - a)[:, 1] * (c - b)[:, 0]
        assert np.all(turn > 0)


@settings(deadline=None)  # the first call compiles
@given(clouds, st.tuples(coordinate, coordinate).map(np.array))
def test_nearest_is_inside_and_no_point_is_nearer(points, target):
    hull = polygon.hull(points)
    near = polygon.nearest(hull, target)
    assert polygon.signed_distance(hull, near) < 1e-9
    assert np.allclose(polygon.nearest(hull, near), near, atol=1e-9)
    weights = np.random.default_rng(0).dirichlet(np.ones(len(hull)), 50)
    assert np.all(np.linalg.norm(weights @ hull - target, axis=1) >= np.linalg.norm(near - target) - 1e-9)


def test_square():
    assert polygon.signed_distance(SQUARE, np.array([1.0, 0.5])) == -0.5
    assert np.isclose(polygon.signed_distance(SQUARE, np.array([3.0, 3.0])), np.sqrt(2))
    assert np.allclose(polygon.nearest(SQUARE, np.array([1.0, 5.0])), [1, 2])
    assert np.allclose(polygon.centroid(SQUARE), [1, 1])
    assert np.allclose(polygon.hull(np.vstack([SQUARE, [[1, 1], [1, 0]]])), SQUARE)
    assert polygon.inside(SQUARE, np.array([1.0, 0.5]), 0.4) and not polygon.inside(
        SQUARE, np.array([1, 0.5]), 0.6
    )


def test_inset():
    small = polygon.inset(SQUARE, 0.25)
    assert np.allclose([polygon.signed_distance(SQUARE, p) for p in small], -0.25) and len(small) == 4
    assert np.allclose(polygon.inset(SQUARE, 3.0), [[1, 1]])


def test_project_reads_only_the_first_n():
    room = np.vstack([SQUARE, [[9, 9], [9, 9]]])
    out = np.empty(2)
    assert np.isclose(polygon.project(room, 4, np.array([3.0, 1.0]), out), 1) and np.allclose(out, [2, 1])


def test_point_and_segment():
    assert np.allclose(polygon.nearest(np.array([[1.0, 1.0]]), np.zeros(2)), [1, 1])
    segment = polygon.hull(np.array([[0, 0], [1, 0], [2, 0.0]]))
    assert len(segment) == 2 and np.allclose(polygon.nearest(segment, np.array([1.5, 2.0])), [1.5, 0])

"""The skin: closed over the joints, true to the shapes, each corner led by bodies that hang together."""

from __future__ import annotations

import numpy as np
import pytest

import poise
from poise.draw.distance import Shape
from poise.draw.skin import Skin, skin_of
from poise.formats import skeletal

SIZE = np.array([0.2, 0.3, 0.5])
KINDS = ("sphere", "capsule", "cylinder", "box", "ellipsoid")


def shape(kind: str) -> Shape:
    turn = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    return Shape(kind, SIZE, np.array([1.0, 2.0, 3.0]), turn, np.ones(3), 0)


@pytest.fixture(scope="module")
def world() -> skeletal.Bodies:
    return skeletal.bodies(poise.simulate(poise.scene("stand", seconds=0.05)))


@pytest.fixture(scope="module")
def skin(world: skeletal.Bodies) -> Skin:
    found = skin_of(world)
    assert found is not None
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_a_surface_lies_on_its_shape_and_faces_out(kind: str):
    made = shape(kind)
    points, faces = made.surface(0.03)
    np.testing.assert_allclose(made.distance(points), 0.0, atol=1e-9)
    assert made.distance(made.at[None])[0] < 0 and faces.max() == len(points) - 1
    a, b, c = (points[faces[:, k]] for k in range(3))
    out = np.cross(b - a, c - a)
    assert (np.sum(out * ((a + b + c) / 3 - made.at), axis=1) > 0).all()


@pytest.mark.parametrize("kind", ["sphere", "capsule", "cylinder", "box"])
def test_distances_are_distances(kind: str):
    made, rng = shape(kind), np.random.default_rng(2)
    x = made.at + rng.normal(size=(100, 3))
    surface = made.surface(0.02)[0]
    away = np.linalg.norm(x[:, None] - surface, axis=2).min(axis=1)
    np.testing.assert_allclose(np.abs(made.distance(x)), away, atol=0.06)


def test_corners_lie_near_the_shapes_that_they_cover(skin: Skin, world: skeletal.Bodies):
    assert skin.covers == frozenset(range(len(world.own)))
    assert np.isfinite(skin.vertices).all() and skin.faces.max() == len(skin.vertices) - 1
    np.testing.assert_allclose(np.linalg.norm(skin.normals, axis=1), 1.0, atol=1e-6)
    for j, b in enumerate(world.own):
        own = skin.vertices[skin.joints[:, 0] == j]
        points = np.concatenate([m.vertices for m, _ in world.shapes(int(b))]) + skin.rest[j]
        assert (own > points.min(axis=0) - 0.04).all() and (own < points.max(axis=0) + 0.04).all()


def test_a_corner_follows_bodies_that_hang_together(skin: Skin, world: skeletal.Bodies):
    np.testing.assert_allclose(skin.weights.sum(axis=1), 1.0)
    assert (np.diff(skin.weights, axis=1) <= 1e-12).all()  # the first counts most
    parents = [int(np.searchsorted(world.own, world.model.body_parentid[b])) for b in world.own]
    both = (skin.weights[:, 1] > 0.01) & (skin.joints[:, 0] != skin.joints[:, 1])
    assert both.sum() > 200
    for a, b in skin.joints[both][:, :2]:
        kin = parents[a] == b or parents[b] == a or parents[a] == parents[b]
        assert kin or parents[parents[a]] == b or parents[parents[b]] == a


def test_soles_stay_where_they_are(skin: Skin, world: skeletal.Bodies):
    low = min(
        (m.vertices[:, 2] + skin.rest[j, 2]).min()
        for j, b in enumerate(world.own)
        for m, _ in world.shapes(int(b))
    )
    assert skin.vertices[:, 2].min() == pytest.approx(low, abs=0.004)


def test_the_page_is_smaller_than_a_megabyte_with_it(tmp_path):
    path = tmp_path / "take.html"
    poise.simulate(poise.scene("stand", seconds=1.0)).save(path)
    assert '"skin":{"vertices"' in path.read_text(encoding="utf-8") and path.stat().st_size < 1 << 20

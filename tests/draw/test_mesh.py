"""Triangles of shapes: closed, turned outwards, of the right size."""

import mujoco
import numpy as np
import pytest

import bodies
from poise.draw import mesh

SHAPES = {
    "ellipsoid": (mesh.ellipsoid(np.array([0.1, 0.2, 0.3])), 4 / 3 * np.pi * 0.1 * 0.2 * 0.3),
    "capsule": (mesh.capsule(0.1, 0.3), np.pi * 0.01 * (0.6 + 4 / 3 * 0.1)),
    "ball": (mesh.capsule(0.1, 0.0), 4 / 3 * np.pi * 0.001),
    "cylinder": (mesh.cylinder(0.1, 0.3), np.pi * 0.01 * 0.6),
    "box": (mesh.box(np.array([0.1, 0.2, 0.3])), 8 * 0.1 * 0.2 * 0.3),
}


def volume(shape: mesh.Mesh) -> float:
    a, b, c = (shape.vertices[shape.faces[:, k]] for k in range(3))
    return float(np.sum(a * np.cross(b, c)) / 6)


@pytest.mark.parametrize("name", SHAPES)
def test_shapes_enclose_their_volume_and_face_outwards(name):
    shape, expected = SHAPES[name]
    assert 0.94 * expected < volume(shape) < 1.0001 * expected  # corners lie on the surface
    a, b, c = (shape.vertices[shape.faces[:, k]] for k in range(3))
    flat = np.cross(b - a, c - a)
    assert (np.linalg.norm(flat, axis=1) > 1e-9).all()  # no empty triangle
    assert (np.sum(flat * shape.normals[shape.faces[:, 0]], axis=1) > 0).all()
    assert np.allclose(np.linalg.norm(shape.normals, axis=1), 1)


@pytest.mark.parametrize("name", SHAPES)
def test_shapes_are_closed(name):
    shape, _ = SHAPES[name]
    _, which = np.unique(np.round(shape.vertices, 9), axis=0, return_inverse=True)
    faces = which.reshape(-1)[shape.faces]
    edges = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    there, back = {tuple(e) for e in edges.tolist()}, {tuple(e[::-1]) for e in edges.tolist()}
    assert there == back and len(there) == len(edges)


def test_geoms_are_placed_in_their_body():
    model = mujoco.MjModel.from_xml_string(bodies.ODD)
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    for g in range(model.ngeom):
        shape = mesh.of_geom(model, g)
        if model.geom_type[g] == mujoco.mjtGeom.mjGEOM_PLANE:
            assert shape is None
            continue
        assert shape is not None
        centre, half = model.geom_aabb[g, :3], model.geom_aabb[g, 3:]
        turn = np.empty(9)
        mujoco.mju_quat2Mat(turn, model.geom_quat[g])
        local = (shape.vertices - model.geom_pos[g]) @ turn.reshape(3, 3) - centre
        assert np.allclose(np.abs(local).max(axis=0), half, rtol=0.02)


def test_fine_meshes_are_simplified():
    ball = mesh.ellipsoid(np.ones(3))
    rng = np.random.default_rng(0)
    many = np.concatenate(
        [ball.vertices + rng.normal(scale=1e-6, size=ball.vertices.shape) for _ in range(30)]
    )
    faces = np.concatenate([ball.faces + k * len(ball.vertices) for k in range(30)])
    vertices, left = mesh.simplified(many, faces, most=400)
    assert len(vertices) <= 400 and left.max() < len(vertices)
    assert np.abs(np.linalg.norm(vertices, axis=1) - 1).max() < 0.2


def test_a_terrain_has_its_heights():
    xml = """<mujoco><asset><hfield name="hills" nrow="3" ncol="4" size="2 1 .5 .1"
      elevation="0 0 0 0  0 1 .5 0  0 0 0 0"/></asset>
      <worldbody><geom type="hfield" hfield="hills"/></worldbody></mujoco>"""
    model = mujoco.MjModel.from_xml_string(xml)
    shape = mesh.of_geom(model, 0)
    assert shape is not None
    assert shape.vertices[:, 2].max() == pytest.approx(0.5) and shape.normals[:, 2].min() > 0.5
    assert np.abs(shape.vertices[:, 0]).max() == 2 and np.abs(shape.vertices[:, 1]).max() == 1

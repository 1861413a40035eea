"""A character's place inside a model, and models that hold none."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from poise.character import Character
from poise.dynamics.tree import Tree, find_root
from poise.errors import BadInput


def test_ranges_cover_the_body_alone(name: str):
    character = Character.named(name)
    tree = Tree(character.model)
    assert (tree.nv, tree.nq, tree.nbody) == (
        character.model.nv,
        character.model.nq,
        character.model.nbody - 1,
    )
    assert tree.names == character.body_names
    assert tree.mass == pytest.approx(character.mass)
    assert tree.parent[0] == -1 and (tree.parent[1:] < np.arange(1, tree.nbody)).all()


def test_affects_is_what_moves_a_body(moving, name: str):
    state = moving(name, 0)
    J = np.zeros((6, state.nv))
    for b in range(state.tree.nbody):
        mujoco.mj_jacBody(state.model, state.data, J[:3], J[3:], state.tree.body0 + b)
        np.testing.assert_array_equal(state.tree.affects[b], np.abs(J).max(axis=0) > 0)


def test_heaviest_floating_tree_is_the_character():
    spec = mujoco.MjSpec.from_string(Character.named("adult").spec_xml)
    ball = spec.worldbody.add_body(name="ball", pos=[3, 0, 0])
    ball.add_freejoint()
    ball.add_geom(type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[0.1, 0, 0])
    model = spec.compile()
    assert model.body(find_root(model, None)).name == "pelvis"
    assert model.body(find_root(model, "ball")).name == "ball"


def test_unknown_root_is_refused_by_name():
    with pytest.raises(BadInput, match=r"'pelvi' not found.*did you mean 'pelvis'"):
        Tree(Character.named("adult").model, "pelvi")


def test_a_root_must_float():
    model = mujoco.MjModel.from_xml_string(
        "<mujoco><worldbody><body name='door'><joint/><geom size='.1'/></body></worldbody></mujoco>"
    )
    with pytest.raises(BadInput, match="no body with a free joint"):
        Tree(model)
    with pytest.raises(BadInput, match="'door' has no free joint"):
        Tree(model, "door")

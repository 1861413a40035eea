"""State against the engine's own matrices, in a model of its own and among other bodies."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from poise.character import Character
from poise.dynamics.state import State
from poise.errors import BadInput


@pytest.mark.parametrize("seed", range(2))
def test_mass_and_bias_agree_with_the_engine(moving, name: str, seed: int):
    state = moving(name, seed)
    M = np.zeros((state.nv, state.nv))
    mujoco.mj_fullM(state.model, state.data, M)
    np.testing.assert_array_equal(state.M, M)
    force = np.random.default_rng(seed).normal(0.0, 20.0, state.nv)
    force[:6] = 0.0
    state.data.qfrc_applied[:] = force
    state.model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    mujoco.mj_forward(state.model, state.data)
    np.testing.assert_allclose(state.M @ state.data.qacc + state.bias, force, atol=1e-8)


def test_point_jacobian_agrees_with_the_engine(moving, name: str):
    state = moving(name, 0)
    J = np.zeros((6, state.nv))
    for body, local in state.character.effectors.values():
        measure = state.point(body, local)
        x = state.place(body, local)
        mujoco.mj_jac(state.model, state.data, J[:3], J[3:], x, state.model.body(body).id)
        np.testing.assert_allclose(measure.A, J, atol=1e-13)
        np.testing.assert_allclose(measure.y, J @ state.v, atol=1e-12)


def test_supports_are_the_points_of_the_character(moving, name: str):
    state = moving(name, 1)
    for s, support in enumerate(state.character.supports):
        corners = np.array([state.place(support.body, p) for p in support.points])
        np.testing.assert_allclose(state.corners[s, : state.corner_count[s]], corners, atol=1e-13)
        np.testing.assert_allclose(state.x[s], corners.mean(axis=0), atol=1e-13)
        centre = state.point(support.body, support.points.mean(axis=0))
        np.testing.assert_allclose(state.J[s], centre.A, atol=1e-13)
        np.testing.assert_allclose(state.J_bias[s], centre.bias, atol=1e-12)
        np.testing.assert_allclose(state.J_v[s], centre.y, atol=1e-12)


def test_composite_inertia_turns_the_frozen_body(moving, name: str):
    """Turned as one rigid piece about its centre of mass, the body has H = I ω."""
    state = moving(name, 2)
    inertia = state.composite_inertia
    assert np.linalg.eigvalsh(inertia).min() > 0
    for w in np.eye(3):
        v = np.zeros(state.nv)
        v[:3], v[3:6] = np.cross(w, state.xpos[0] - state.c), state.root_R.T @ w
        np.testing.assert_allclose(state.A_H @ v, inertia @ w, atol=1e-11 * np.abs(inertia).max())


def test_other_bodies_in_the_model_change_nothing(moving):
    """The character's numbers are its own, wherever its degrees of freedom begin."""
    alone = moving("adult", 3)
    spec = mujoco.MjSpec.from_string(alone.character.spec_xml)
    slab = spec.worldbody.add_body(name="slab", pos=[3, 0, 0])
    slab.add_joint(type=mujoco.mjtJoint.mjJNT_SLIDE, axis=[1, 0, 0])
    slab.add_geom(type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[0.1, 0, 0])
    ball = spec.worldbody.add_body(name="ball", pos=[-3, 0, 0])
    ball.add_freejoint()
    ball.add_geom(type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[0.1, 0, 0])
    model = spec.compile()
    data = mujoco.MjData(model)
    state = State(alone.character, model, data)
    data.qvel[:] = 2.0
    data.qpos[state.tree.qs], data.qvel[state.tree.dofs] = alone.q, alone.v
    mujoco.mj_forward(model, data)
    state.update()
    assert state.nv == alone.nv and state.m == pytest.approx(alone.m)
    for name in ("M", "bias", "A_G", "G_bias", "G", "J", "J_bias", "x", "corners", "c"):
        np.testing.assert_allclose(getattr(state, name), getattr(alone, name), atol=1e-10, err_msg=name)


def test_update_is_repeatable_and_touches_no_input(moving):
    state = moving("adult", 4)
    q, v = state.q.copy(), state.v.copy()
    first = {k: getattr(state, k).copy() for k in ("M", "bias", "A_G", "G_bias", "G", "J", "J_bias", "x")}
    state.update()
    for key, value in first.items():
        np.testing.assert_array_equal(getattr(state, key), value)
    np.testing.assert_array_equal(state.q, q)
    np.testing.assert_array_equal(state.v, v)


def test_contact_wrench_is_what_the_engine_applied():
    """At rest on a floor, the contact wrench about c carries the weight and the moment of its pressure."""
    character = Character.named("adult")
    spec = mujoco.MjSpec.from_string(character.spec_xml)
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[5, 5, 0.1])
    model = spec.compile()
    data = mujoco.MjData(model)
    data.qpos[:] = character.q_rest
    data.qpos[2] -= 0.001
    mujoco.mj_forward(model, data)
    state = State(character, model, data).update()
    force, moment, each = np.zeros(3), np.zeros(3), np.zeros(6)
    for k in range(data.ncon):
        mujoco.mj_contactForce(model, data, k, each)
        f = data.contact[k].frame.reshape(3, 3).T @ each[:3]
        f *= 1.0 if model.geom_bodyid[data.contact[k].geom[1]] else -1.0
        force += f
        moment += np.cross(data.contact[k].pos - state.c, f)
    assert data.ncon >= 4 and force[2] > 100
    np.testing.assert_allclose(state.f, [*force, *moment], atol=1e-6 * force[2])


def test_unknown_body_is_refused_by_name(moving):
    with pytest.raises(BadInput, match=r"'toe' not found.*pelvis"):
        moving("adult", 0).point("toe", (0, 0, 0))


@pytest.fixture
def slab() -> State:
    """The adult beside a slab that can slide and tilt; the slab is its ground."""
    character = Character.named("adult")
    spec = mujoco.MjSpec.from_string(character.spec_xml)
    body = spec.worldbody.add_body(name="slab", pos=[0.2, 0.1, -0.3])
    for kind, axis in [(mujoco.mjtJoint.mjJNT_SLIDE, [1, 0, 0]), (mujoco.mjtJoint.mjJNT_HINGE, [0, 1, 0])]:
        body.add_joint(type=kind, axis=axis)
    body.add_geom(
        type=mujoco.mjtGeom.mjGEOM_BOX, size=[1, 1, 0.05], pos=[0, 0, 0.02], contype=0, conaffinity=0
    )
    model = spec.compile()
    model.opt.gravity[:] = 0.0
    return State(character, model, mujoco.MjData(model), ground="slab")


def test_moving_ground_is_sensed(slab: State):
    """Plane, velocity and acceleration of the ground's material against finite differences."""
    data, model = slab.data, slab.model
    i, j = model.body("slab").dofadr[0], model.jnt_qposadr[model.body("slab").jntadr[0]]
    local, dt = np.array([0.4, -0.3, 0.07]), 1e-4

    def move(t: float) -> np.ndarray:
        data.time = t
        data.qpos[j : j + 2] = [0.1 * np.sin(3 * t), 0.2 * np.sin(2 * t)]
        data.qvel[i : i + 2] = [0.3 * np.cos(3 * t), 0.4 * np.cos(2 * t)]
        mujoco.mj_forward(model, data)
        slab.update()
        return data.body("slab").xpos + data.body("slab").xmat.reshape(3, 3) @ local

    before, x = move(0.5 - dt), move(0.5)
    ground = slab.ground
    assert ground.height_of(x) == pytest.approx(0.0, abs=1e-12)
    assert ground.normal @ data.body("slab").xmat.reshape(3, 3)[:, 2] == pytest.approx(1.0)
    velocity, acceleration = ground.motion_at(x)
    after = move(0.5 + dt)
    np.testing.assert_allclose(velocity[:3], (after - before) / (2 * dt), atol=1e-6)
    np.testing.assert_allclose(velocity[3:], [0, 0.4 * np.cos(1.0), 0], atol=1e-12)
    np.testing.assert_allclose(acceleration[:3], (after - 2 * x + before) / dt**2, atol=1e-3)
    np.testing.assert_allclose(acceleration[3:], [0, -0.8 * np.sin(1.0), 0], atol=1e-3)


def test_still_ground_is_the_floor(moving):
    ground = moving("adult", 0).ground
    velocity, acceleration = ground.motion_at(np.ones(3))
    assert not velocity.any() and not acceleration.any()
    assert ground.height_of(np.array([5.0, 2.0, 0.3])) == pytest.approx(0.3)

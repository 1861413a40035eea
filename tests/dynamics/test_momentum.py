"""Momenta against the engine, against Pinocchio, and against the laws of free flight."""

from __future__ import annotations

from itertools import pairwise

import mujoco
import numpy as np
import pytest

from poise.dynamics.momentum import average_velocity, centre_of_pressure, moment_pivot
from poise.dynamics.state import State

UP = np.array([0.0, 0.0, 1.0])


def relative(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.linalg.norm(np.asarray(a) - b) / np.linalg.norm(b))


@pytest.mark.parametrize("seed", range(3))
def test_momentum_agrees_with_the_engine(moving, name: str, seed: int):
    state = moving(name, seed)
    mujoco.mj_subtreeVel(state.model, state.data)
    assert relative(state.L, state.m * state.data.subtree_linvel[1]) < 1e-12
    assert relative(state.H, state.data.subtree_angmom[1]) < 1e-12
    assert relative(state.c_dot, state.data.subtree_linvel[1]) < 1e-12


@pytest.mark.parametrize("seed", range(3))
def test_matrix_agrees_with_the_engine_column_by_column(moving, name: str, seed: int):
    """A_G e_i is the momentum of the unit velocity e_i."""
    state = moving(name, seed)
    A = state.A_G.copy()
    columns = np.zeros_like(A)
    for i in range(state.nv):
        state.data.qvel[:] = np.eye(state.nv)[i]
        mujoco.mj_fwdVelocity(state.model, state.data)
        mujoco.mj_subtreeVel(state.model, state.data)
        columns[:3, i] = state.m * state.data.subtree_linvel[1]
        columns[3:, i] = state.data.subtree_angmom[1]
    np.testing.assert_allclose(A, columns, atol=1e-12 * np.abs(columns).max())


@pytest.mark.parametrize("seed", range(3))
def test_free_flight(moving, name: str, seed: int):
    """Whatever the motors do: L̇ = m g and Ḣ = 0."""
    state = moving(name, seed)
    state.data.ctrl[:] = np.random.default_rng(seed).normal(0.0, 30.0, state.model.nu)
    mujoco.mj_forward(state.model, state.data)
    rate = state.A_G @ state.data.qacc + state.G_bias
    scale = state.m * 9.81
    assert np.abs(rate[:3] - state.m * state.g).max() < 1e-9 * scale
    assert np.abs(rate[3:]).max() < 1e-9 * scale


def drift(state: State, dt: float, seconds: float = 0.05) -> float:
    """How much H changes over a free flight integrated with a step [kg m²/s]."""
    model, data = state.model, mujoco.MjData(state.model)
    model.opt.timestep, model.opt.integrator = dt, mujoco.mjtIntegrator.mjINT_EULER
    data.qpos[:], data.qvel[:] = state.data.qpos, state.data.qvel
    mujoco.mj_forward(model, data)
    follower = State(state.character, model, data)
    before = follower.update().H.copy()
    for _ in range(round(seconds / dt)):
        mujoco.mj_step(model, data)
    mujoco.mj_forward(model, data)
    return float(np.linalg.norm(follower.update().H - before))


def test_drift_of_angular_momentum_falls_with_the_step(moving, name: str):
    """The engine conserves H only as well as it integrates; a wrong H would drift by itself at any step."""
    state = moving(name, 5, speed=0.5)
    errors = [drift(state, dt) for dt in (2e-3, 1e-3, 5e-4)]
    assert errors[0] < 0.05 * np.linalg.norm(state.H) + 1e-2
    for coarse, fine in pairwise(errors):
        assert 1.6 < coarse / fine < 2.5  # first order: halves with the step


@pytest.mark.parametrize("seed", range(2))
def test_root_rows_are_the_rates_of_momentum(moving, name: str, seed: int):
    """The six root rows of M v̇ + bias, moved to the centre of mass, are L̇ - m g and Ḣ."""
    state = moving(name, seed)
    v_dot = np.random.default_rng(seed).normal(0.0, 10.0, state.nv)
    root = (state.M @ v_dot + state.bias)[:6]
    rate = state.A_G @ v_dot + state.G_bias
    R, r = state.root_R, state.c - state.xpos[0]
    np.testing.assert_allclose(root[:3], rate[:3] - state.m * state.g, atol=1e-9 * state.m)
    np.testing.assert_allclose(R @ root[3:] - np.cross(r, root[:3]), rate[3:], atol=1e-9 * state.m)


@pytest.mark.parametrize("seed", range(2))
def test_centroidal_map_agrees_with_pinocchio(moving, name: str, seed: int):
    pin = pytest.importorskip("pinocchio", reason="Pinocchio (pin) is not installed: no second opinion")
    state = moving(name, seed)
    other = pinocchio_model(pin, state.model)
    data = other.createData()
    q, T, T_dot_v = pinocchio_motion(state)
    v = T @ state.v
    pin.dccrba(other, data, q, v)
    pin.centerOfMass(other, data, q, v)
    np.testing.assert_allclose(data.com[0], state.c, atol=1e-12)
    assert relative(state.A_G, data.Ag @ T) < 1e-12
    assert relative(state.G, data.Ag @ v) < 1e-12
    assert relative(state.G_bias, data.dAg @ v + data.Ag @ T_dot_v) < 1e-10


def pinocchio_model(pin, model: mujoco.MjModel):
    """The same tree, joint by joint: free-flyer, spherical and revolute joints at the bodies' origins."""
    out = pin.Model()
    for b in range(1, model.nbody):
        j = model.body_jntadr[b]
        kind = mujoco.mjtJoint(model.jnt_type[j])
        if kind == mujoco.mjtJoint.mjJNT_FREE:
            joint = pin.JointModelFreeFlyer()
        elif kind == mujoco.mjtJoint.mjJNT_BALL:
            joint = pin.JointModelSpherical()
        else:
            joint = pin.JointModelRevoluteUnaligned(model.jnt_axis[j])
        assert not model.jnt_pos[j].any() and model.body_jntnum[b] == 1  # what the bodies promise
        pose = pin.SE3(rotation(model.body_quat[b]), model.body_pos[b])
        parent = model.body_parentid[b]
        k = out.addJoint(int(parent), joint, pose if parent else pin.SE3.Identity(), model.body(b).name)
        R = rotation(model.body_iquat[b])
        inertia = pin.Inertia(
            model.body_mass[b], model.body_ipos[b], R @ np.diag(model.body_inertia[b]) @ R.T
        )
        out.appendBodyToJoint(k, inertia, pin.SE3.Identity())
    return out


def rotation(quat: np.ndarray) -> np.ndarray:
    R = np.zeros(9)
    mujoco.mju_quat2Mat(R, quat)
    return R.reshape(3, 3)


def pinocchio_motion(state: State) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """q with quaternions xyzw; T with v_pin = T v, whose root velocity is in the root's own axes; Ṫ v."""
    q = np.array(state.q)
    for j in range(state.model.njnt):
        at = state.model.jnt_qposadr[j]
        kind = mujoco.mjtJoint(state.model.jnt_type[j])
        at += 3 if kind == mujoco.mjtJoint.mjJNT_FREE else 0
        if kind in (mujoco.mjtJoint.mjJNT_FREE, mujoco.mjtJoint.mjJNT_BALL):
            q[at : at + 4] = np.roll(q[at : at + 4], -1)
    T = np.eye(state.nv)
    T[:3, :3] = state.root_R.T
    T_dot_v = np.zeros(state.nv)
    T_dot_v[:3] = -np.cross(state.v[3:6], state.root_R.T @ state.v[:3])
    return q, T, T_dot_v


@pytest.mark.parametrize("seed", range(4))
def test_centre_of_pressure_leaves_only_torsion(seed: int):
    """(p - c) × f accounts for the whole moment but its part along the normal, on any plane."""
    rng = np.random.default_rng(seed)
    c, point, moment = rng.normal(size=(3, 3))
    normal = rng.normal(size=3)
    normal /= np.linalg.norm(normal)
    force = 500 * normal + 50 * rng.normal(size=3)
    p = centre_of_pressure(c, force, moment, point, normal)
    assert abs(normal @ (p - point)) < 1e-12
    rest = moment - np.cross(p - c, force)
    assert np.linalg.norm(np.cross(normal, rest)) < 1e-10


def test_pressure_of_point_forces_is_their_mean():
    corners = np.array([[0.1, 0.1, 0.0], [0.1, -0.1, 0.0], [-0.1, 0.0, 0.0]])
    push = np.array([100.0, 200.0, 300.0])
    c = np.array([0.02, 0.01, 0.9])
    force = np.array([0.0, 0.0, push.sum()])
    moment = np.cross(corners - c, push[:, None] * UP).sum(axis=0)
    p = centre_of_pressure(c, force, moment, np.zeros(3), UP)
    np.testing.assert_allclose(p, push @ corners / push.sum(), atol=1e-12)


def test_pivot_is_under_the_centre_of_mass_when_the_force_is_vertical():
    c = np.array([0.3, -0.2, 1.0])
    np.testing.assert_allclose(moment_pivot(c, 700 * UP, np.zeros(3), UP), [0.3, -0.2, 0.0], atol=1e-12)
    tilted = moment_pivot(c, np.array([70.0, 0.0, 700.0]), np.zeros(3), UP)
    np.testing.assert_allclose(tilted, [0.2, -0.2, 0.0], atol=1e-12)


def test_no_contact_has_no_pressure():
    assert np.isnan(centre_of_pressure(np.zeros(3), np.zeros(3), np.ones(3), np.zeros(3), UP)).all()
    assert np.isnan(moment_pivot(np.zeros(3), -UP, np.zeros(3), UP)).all()


def test_average_velocity_turns_the_frozen_body_with_its_spin(moving):
    """I ω = H; a body without inertia has no such ω."""
    state, out = moving("adult", 3), np.empty(3)
    average_velocity(state.data.crb[state.tree.body0], state.H, out)
    np.testing.assert_allclose(state.composite_inertia @ out, state.H, atol=1e-9)
    average_velocity(np.zeros(10), state.H, out)
    assert np.isnan(out).all()

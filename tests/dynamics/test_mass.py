"""Inverse and hybrid dynamics against the equation of motion they invert."""

from __future__ import annotations

import mujoco
import numpy as np

from poise.control.hybrid import root_acceleration
from poise.dynamics.mass import inverse_dynamics


def test_inverse_dynamics_agrees_with_the_engine(moving, name: str):
    state = moving(name, 0)
    v_dot = np.random.default_rng(0).normal(0.0, 10.0, state.nv)
    tau = np.zeros(state.nv)
    inverse_dynamics(state.M, state.bias, v_dot, tau)
    state.model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    state.data.qacc[:] = v_dot
    mujoco.mj_inverse(state.model, state.data)
    np.testing.assert_allclose(tau, state.data.qfrc_inverse, atol=1e-9 * np.abs(tau).max())


def test_hybrid_dynamics_solves_the_root_and_keeps_the_joints(moving, name: str):
    """Given joint accelerations and a ground force, the root's six rows of the equation of motion hold."""
    state = moving(name, 1)
    rng = np.random.default_rng(1)
    v_dot, force, tau = rng.normal(0.0, 10.0, state.nv), rng.normal(0.0, 50.0, state.nv), np.zeros(state.nv)
    joints = v_dot[6:].copy()
    root_acceleration(state.M, state.bias, force, v_dot)
    np.testing.assert_array_equal(v_dot[6:], joints)
    inverse_dynamics(state.M, state.bias, v_dot, tau)
    np.testing.assert_allclose(tau[:6], force[:6], atol=1e-8)

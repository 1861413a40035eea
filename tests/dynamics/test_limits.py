"""Joint limits: gradients by finite difference, sides, and stops that only push inward."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from poise.character import Character
from poise.dynamics.limits import JointLimits, stop_torques
from poise.dynamics.tree import Tree
from poise.geometry import quat


def limits_of(name: str) -> tuple[JointLimits, Tree, Character]:
    character = Character.named(name)
    tree = Tree(character.model)
    return JointLimits(tree, character), tree, character


def pose(character: Character, seed: int, spread: float) -> np.ndarray:
    q = np.array(character.q_rest)
    mujoco.mj_integratePos(
        character.model, q, spread * np.random.default_rng(seed).normal(size=character.model.nv), 1.0
    )
    return q


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("spread", [0.3, 0.8])
def test_gradients(name: str, seed: int, spread: float):
    """Swing, twist and hinge rows near or beyond their limit change along v as their gradient says."""
    limits, tree, character = limits_of(name)
    q = pose(character, seed, spread)
    limits.update(q)
    excess, gradient = limits.excess.copy(), limits.gradient.copy()
    dof, width = limits.dof.copy(), limits.width.copy()
    v = np.random.default_rng(seed + 10).normal(size=tree.nv)
    step, change = 1e-6, []
    for sign in (1, -1):
        moved = q.copy()
        mujoco.mj_integratePos(character.model, moved, v, sign * step)
        limits.update(moved)
        change.append(limits.excess.copy())
    rate = (change[0] - change[1]) / (2 * step)
    near = excess > -0.3  # far inside, a ball joint's gradient is not refreshed
    expected = np.array([gradient[r, : width[r]] @ v[dof[r] : dof[r] + width[r]] for r in range(limits.size)])
    assert near.any()
    np.testing.assert_allclose(rate[near], expected[near], atol=1e-5 * max(1.0, np.abs(rate[near]).max()))


def test_rest_is_inside_every_limit(name: str):
    limits, _, character = limits_of(name)
    limits.update(character.q_rest)
    assert limits.size >= 2 * len(character.limits)
    assert limits.excess.max() <= 1e-9


def test_excess_is_zero_on_the_limit_and_signed():
    """Each half axis of a swing ellipse, both ends of a twist, both ends of a hinge."""
    limits, _, character = limits_of("adult")
    joint = character.joint("hip_l")
    at, dof = character.model.jnt_qposadr[joint], character.model.jnt_dofadr[joint]
    rows = np.flatnonzero(limits_rows(limits, character.q_rest, dof))
    limit = character.limits["hip_l"]
    ends = [(limit.swing_x, 0, 0), (limit.swing_y, 1, 0), (limit.twist, 2, 1)]
    for bounds, axis, row in ends:
        for bound in bounds:
            for share, sign in ((0.98, -1), (1.0, 0), (1.02, 1)):
                q = character.q_rest.copy()
                q[at : at + 4] = quat.from_rotvec(share * bound * np.eye(3)[axis])
                limits.update(q)
                value = limits.excess[rows[row]]
                assert abs(value) < 1e-9 if sign == 0 else np.sign(value) == sign
    knee = character.joint("knee_l")
    low, high = character.model.jnt_range[knee]
    rows = np.flatnonzero(limits_rows(limits, character.q_rest, character.model.jnt_dofadr[knee]))
    q = character.q_rest.copy()
    q[character.model.jnt_qposadr[knee]] = high + 0.1
    limits.update(q)
    assert sorted(limits.excess[rows]) == pytest.approx([low - high - 0.1, 0.1])


def limits_rows(limits: JointLimits, q: np.ndarray, dof: int) -> np.ndarray:
    limits.update(q)
    return limits.dof == dof


def test_agrees_with_the_reach_of_the_character():
    """Excess and the body's own measure of its limits agree on what is inside."""
    limits, _, character = limits_of("adult")
    joints = list(character.limits)
    for seed in range(10):
        q = pose(character, seed, 0.8)
        limits.update(q)
        for name in joints:
            joint = character.joint(name)
            at, dof = character.model.jnt_qposadr[joint], character.model.jnt_dofadr[joint]
            swing, twist = character.limits[name].reach(q[at : at + 4])
            rows = np.flatnonzero(limits.dof == dof)
            assert (limits.excess[rows[0]] > 0) == (swing > 1), name
            assert (limits.excess[rows[1]] > 0) == (twist > 1), name


def test_either_quaternion_of_a_rotation_will_do():
    limits, _, character = limits_of("adult")
    q = pose(character, 1, 0.8)
    limits.update(q)
    excess, gradient = limits.excess.copy(), limits.gradient.copy()
    for name in character.limits:
        at = character.model.jnt_qposadr[character.joint(name)]
        q[at : at + 4] *= -1
    limits.update(q)
    np.testing.assert_array_equal(limits.excess, excess)
    np.testing.assert_array_equal(limits.gradient, gradient)


def stop(limits: JointLimits, v: np.ndarray, inertia: np.ndarray, rate: float = 100.0) -> np.ndarray:
    tau = np.full(len(v), np.nan)
    stop_torques(limits.excess, limits.dof, limits.width, limits.gradient, v, inertia, rate, tau)
    return tau


@pytest.mark.parametrize("seed", range(5))
def test_stops_push_back_inside_and_never_outward(name: str, seed: int):
    """Along the gradient of a broken limit the stop's torque is never positive, at any speed."""
    limits, tree, character = limits_of(name)
    limits.update(pose(character, seed, 0.9))
    rng = np.random.default_rng(seed)
    inertia, v = rng.uniform(0.1, 1.0, tree.nv), 10.0 * rng.normal(size=tree.nv)
    assert (limits.excess > 0).any()
    for row in np.flatnonzero(limits.excess > 0):
        alone = JointLimits(tree, character)
        for key in ("excess", "dof", "width", "gradient"):
            setattr(alone, key, getattr(limits, key)[row : row + 1])
        tau = stop(alone, v, inertia)
        span = slice(limits.dof[row], limits.dof[row] + limits.width[row])
        assert limits.gradient[row, : limits.width[row]] @ tau[span] <= 0.0
        tau[span] = 0.0
        assert not tau.any()  # other joints feel nothing
        still = stop(alone, np.zeros(tree.nv), inertia)
        assert limits.gradient[row, : limits.width[row]] @ still[span] < 0.0


def test_no_stop_inside_the_limits(name: str):
    limits, tree, character = limits_of(name)
    q = np.array(character.q_rest)
    limits.update(q)
    limits.excess[:] = np.minimum(limits.excess, -1e-6)
    tau = stop(limits, 100.0 * np.ones(tree.nv), np.ones(tree.nv))
    assert not tau.any()

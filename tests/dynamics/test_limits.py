"""Joint limits: gradients by finite difference, sides, and stops that only push inward."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from poise.character import Character
from poise.dynamics.limits import FADE, JointLimits, ball_rows, stop_torques
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
    gradient = limits.gradient.copy()
    dof, width = limits.dof.copy(), limits.width.copy()
    v = np.random.default_rng(seed + 10).normal(size=tree.nv)
    step, change = 1e-6, []
    for sign in (1, -1):
        moved = q.copy()
        mujoco.mj_integratePos(character.model, moved, v, sign * step)
        limits.update(moved)
        change.append(limits.excess.copy())
    rate = (change[0] - change[1]) / (2 * step)
    expected = np.array([gradient[r, : width[r]] @ v[dof[r] : dof[r] + width[r]] for r in range(limits.size)])
    np.testing.assert_allclose(rate, expected, atol=1e-7 * max(1.0, np.abs(rate).max()))


def rotations(count: int, seed: int) -> np.ndarray:
    """Random rotations, half of them within 1e-12 to 0.3 rad of half a turn of swing."""
    rng = np.random.default_rng(seed)
    q = quat.normalize(rng.normal(size=(count, 4)))
    near = q[: count // 2]
    near[:, [0, 3]] *= 10.0 ** rng.uniform(-12, -0.5, size=(len(near), 1))
    return quat.normalize(q) * np.where(rng.random((count, 1)) < 0.5, 1.0, -1.0)


def rows_of(q: np.ndarray, sides: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Excess (2,) of swing and twist and their gradient (2, 3)."""
    excess, gradient = np.empty(2), np.empty((2, 3))
    ball_rows(*(q if q[0] >= 0 else -q), sides, excess, gradient)
    return excess, gradient


SIDES = np.array([-0.6, 0.4, -2.2, 0.9, -1.4, 0.5])  # [rad] a narrow, lopsided joint


def test_gradients_have_a_bound_at_any_rotation_and_match_the_excess():
    """Also at half a turn of swing, where neither its direction nor the twist has a meaning."""
    rng = np.random.default_rng(1)
    mean, least = 0.25 * (SIDES[1] - SIDES[0] + SIDES[3] - SIDES[2]), 0.4
    bound = mean / least * (1 + 1.5 * np.pi) + 0.5 * np.pi / FADE, 1 / FADE + 1.5 * np.pi
    smooth = 0
    for q in rotations(4000, 0):
        excess, gradient = rows_of(q, SIDES)
        assert np.isfinite(excess).all()
        assert (np.linalg.norm(gradient, axis=1) <= bound).all()
        v, step = rng.normal(size=3), 1e-7
        ahead, back = (rows_of(quat.multiply(q, quat.from_rotvec(s * step * v)), SIDES) for s in (1.0, -1.0))
        assert np.abs(ahead[0] - back[0]).max() < 3 * max(bound) * step * np.linalg.norm(
            v
        )  # no jump anywhere
        if np.abs(ahead[1] - back[1]).max() < 1e-4 and np.hypot(q[0], q[3]) > 1e-4:
            smooth += 1
            np.testing.assert_allclose((ahead[0] - back[0]) / (2 * step), gradient @ v, atol=1e-6)
    assert smooth > 2000


@pytest.mark.parametrize(("rate", "dt"), [(100.0, 0.002)])
def test_stops_stay_bounded_at_any_rotation(rate: float, dt: float):
    """No torque beyond the joint's inertia times its deepest spring and damping; a step gains little speed."""
    limits, tree, character = limits_of("adult")
    at = character.model.jnt_qposadr[character.joint("shoulder_l")]
    rng = np.random.default_rng(2)
    for turn in rotations(500, 3):
        q, v = character.q_rest.copy(), 10.0 * rng.normal(size=tree.nv)
        q[at : at + 4] = turn
        limits.update(q)
        rows = np.flatnonzero(limits.excess > 0)
        inertia = rng.uniform(0.02, 0.1) * np.ones(tree.nv)
        tau = stop(limits, v, inertia, rate)
        for i in set(limits.dof[rows]):
            span = slice(i, i + limits.width[limits.dof == i][0])
            size = np.linalg.norm(tau[span]) / inertia[i]
            assert size < 2 * (2.0 * rate**2 * 0.1 + 2 * rate * np.linalg.norm(v[span]))
            after = v[span] + dt * tau[span] / inertia[i]
            assert np.linalg.norm(after) < np.linalg.norm(v[span]) + 2 * 2.0 * rate**2 * 0.1 * dt


def test_a_twist_beyond_half_a_turn_counts_the_nearer_way_round():
    low, high = SIDES[4:]
    middle = 0.5 * (low + high)
    for away in (np.pi - 1e-3, np.pi + 1e-3):
        excess, _ = rows_of(quat.from_rotvec([0.0, 0.0, middle + away]), SIDES)
        assert excess[1] == pytest.approx(np.pi - 1e-3 - 0.5 * (high - low))


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

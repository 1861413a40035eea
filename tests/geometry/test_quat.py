"""Rotations obey the axioms of their group, also at tiny angles and at half a turn."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from poise.errors import BadInput
from poise.geometry import quat

number = st.floats(-1, 1, allow_subnormal=False)
unit = (
    st.tuples(number, number, number, number).filter(lambda q: np.linalg.norm(q) > 1e-2).map(quat.normalize)
)
vector = st.tuples(*[st.floats(-4, 4, allow_subnormal=False)] * 3).map(np.array)


def same(a, b, atol=1e-9):
    """Equal as rotations: q and -q are one."""
    return np.allclose(np.abs(np.sum(a * b, axis=-1)), 1.0, atol=atol)


def oracle(q):
    return Rotation.from_quat(q, scalar_first=True)


@given(unit, unit, unit, vector)
def test_group_axioms(a, b, c, u):
    assert same(quat.multiply(a, quat.multiply(b, c)), quat.multiply(quat.multiply(a, b), c))
    assert same(quat.multiply(a, quat.conjugate(a)), quat.IDENTITY)
    assert np.allclose(quat.rotate(quat.multiply(a, b), u), quat.rotate(a, quat.rotate(b, u)), atol=1e-9)
    assert np.isclose(np.linalg.norm(quat.rotate(a, u)), np.linalg.norm(u))


@given(unit, vector)
def test_agrees_with_scipy(q, u):
    assert np.allclose(quat.rotate(q, u), oracle(q).apply(u), atol=1e-9)
    assert np.allclose(quat.to_matrix(q), oracle(q).as_matrix(), atol=1e-9)
    assert same(quat.from_matrix(quat.to_matrix(q)), q)


@given(unit)
def test_rotvec_round_trip(q):
    assert same(quat.from_rotvec(quat.to_rotvec(q)), q)
    assert np.linalg.norm(quat.to_rotvec(q)) <= np.pi + 1e-12


@pytest.mark.parametrize("angle", [0, 1e-200, 1e-15, 1e-8, 1e-3, np.pi - 1e-8, np.pi])
def test_rotvec_at_the_edges(angle):
    r = angle * np.array([[2, -3, 6.0], [0, 0, 7.0]]) / 7
    back = quat.to_rotvec(quat.from_rotvec(r))
    assert np.allclose(back, r, rtol=1e-6, atol=1e-300) or np.allclose(back, -r, rtol=1e-6)


@pytest.mark.parametrize("order", ["".join(p) for p in itertools.permutations("xyz")] + ["zxz", "xyx", "yzy"])
def test_euler_round_trip(order):
    q = quat.normalize(np.random.default_rng(1).normal(size=(200, 4)))
    angles = quat.to_euler(q, order)
    assert same(quat.from_euler(angles, order), q)
    assert np.allclose(
        quat.to_matrix(quat.from_euler(angles, order)),
        Rotation.from_euler(order.upper(), angles).as_matrix(),
        atol=1e-9,
    )
    lock = quat.from_euler(np.array([0.3, 0.0 if order[0] == order[2] else np.pi / 2, -0.8]), order)
    assert same(quat.from_euler(quat.to_euler(lock, order), order), lock)


@pytest.mark.parametrize("order", ["", "xyw", "xxy", "xy"])
def test_euler_refuses(order):
    with pytest.raises(BadInput, match="order"):
        quat.to_euler(quat.IDENTITY, order)


def test_from_euler_takes_any_number_of_letters():
    assert same(quat.from_euler(np.array([0.4]), "y"), quat.from_rotvec([0, 0.4, 0]))
    with pytest.raises(BadInput, match="2 angles"):
        quat.from_euler(np.zeros(2), "xyz")


@given(unit, unit, st.floats(0, 1))
def test_slerp_divides_the_way(a, b, s):
    part = quat.slerp(a, b, s)
    whole = np.linalg.norm(quat.difference(a, b))
    assert np.isclose(np.linalg.norm(quat.difference(a, part)), s * whole, atol=1e-7)
    assert same(quat.slerp(a, b, 1.0), b) and same(quat.slerp(a, b, 0.0), a)


@given(unit, unit)
def test_difference_takes_a_to_b(a, b):
    assert same(quat.multiply(a, quat.from_rotvec(quat.difference(a, b))), b)


@given(unit, st.sampled_from("xyz"))
def test_swing_twist_round_trip(q, axis):
    swing, twist = quat.swing_twist(q, axis)
    assert same(quat.from_swing_twist(swing, twist, axis), q)
    assert abs(twist) <= np.pi + 1e-12 and np.linalg.norm(swing) <= np.pi + 1e-12


def test_swing_twist_reads_what_was_put_in():
    rng = np.random.default_rng(0)
    swing, twist = rng.uniform(-1.5, 1.5, (100, 2)), rng.uniform(-3, 3, 100)
    s, t = quat.swing_twist(quat.from_swing_twist(swing, twist))
    assert np.allclose(s, swing) and np.allclose(t, twist)
    swing, twist = quat.swing_twist(quat.from_rotvec([np.pi, 0, 0]))
    assert np.allclose(swing, [np.pi, 0]) and twist == 0


def test_align_keeps_rotations_and_removes_flips():
    q = quat.from_rotvec(np.linspace(0, 9, 50)[:, None] * [0, 0, 1.0])
    q[::3] *= -1
    out = quat.align(q)
    assert same(out, q) and np.all(np.sum(out[1:] * out[:-1], axis=1) > 0.9)


def test_normalising_twice_changes_no_bit():
    q = quat.normalize(np.random.default_rng(2).normal(size=(20000, 4)))
    assert np.array_equal(quat.normalize(q), q)

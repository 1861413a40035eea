"""Programs over friction pyramids, against DAQP and against the conditions of an optimum."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from poise.behaviours.planned.cone import FACES, free_directions, project
from poise.solvers import qp

MU = 0.8


def faces(n: int) -> np.ndarray:
    A = np.zeros((FACES * n, 3 * n))
    for i in range(n):
        for j in range(FACES):
            A[FACES * i + j, 3 * i + j // 2] = 1.0 - 2.0 * (j % 2)
            A[FACES * i + j, 3 * i + 2] = MU
    return A


def draw(seed: int, n: int, size: float = 1.0):
    rng = np.random.default_rng(seed)
    B = rng.normal(size=(3 * n, 3 * n))
    return B @ B.T + 0.05 * np.eye(3 * n), size * rng.normal(size=3 * n)


@given(seed=st.integers(0, 10**6), n=st.integers(1, 8), size=st.sampled_from([1e-3, 1.0, 1e4]))
def test_conditions_of_the_optimum(seed: int, n: int, size: float):
    Q, r = draw(seed, n, size)
    F, active = np.empty((n, 3)), np.zeros(FACES * n, bool)
    assert project(Q, r, MU, active, F)
    A, f = faces(n), F.ravel()
    slope = Q @ f + r  # must be a non-negative combination of the active faces
    lam = np.linalg.lstsq(A[active].T, slope, rcond=None)[0] if active.any() else np.zeros(0)
    left = slope - (A[active].T @ lam if active.any() else 0.0)
    scale = np.abs(r).max()
    assert (A @ f >= -1e-9 * scale).all()
    assert np.abs(left).max() < 1e-6 * scale
    assert np.abs(f @ slope) < 1e-6 * scale * (np.abs(f).max() + 1)


@given(seed=st.integers(0, 10**6), n=st.integers(1, 8))
def test_equals_daqp_and_any_warm_start(seed: int, n: int):
    Q, r = draw(seed, n, 100.0)
    rows = FACES * n
    limits = np.zeros(rows), np.full(rows, 1e30), np.zeros(rows, dtype=np.int32)
    want = qp.Program().solve(Q, r, np.ascontiguousarray(faces(n)), *limits).x
    for guess in (False, True):
        F, active = np.empty((n, 3)), np.full(FACES * n, guess)
        assert project(Q, r, MU, active, F)
        np.testing.assert_allclose(F.ravel(), want, atol=1e-5 * np.abs(r).max())


def test_the_apex_and_nothing():
    F, active = np.empty((2, 3)), np.zeros(8, bool)
    assert project(np.eye(6), np.array([0, 0, 5.0, 0, 0, 3.0]), MU, active, F)  # pulled below the ground
    np.testing.assert_array_equal(F, 0.0)
    assert project(np.zeros((0, 0)), np.zeros(0), MU, np.zeros(0, bool), np.empty((0, 3)))
    assert not project(-np.eye(6), np.ones(6), MU, active, F)


@given(seed=st.integers(0, 10**6), n=st.integers(1, 6))
def test_free_directions_keep_the_active_faces(seed: int, n: int):
    Q, r = draw(seed, n, 100.0)
    F, active, basis = np.empty((n, 3)), np.zeros(FACES * n, bool), np.empty((3 * n, 3 * n))
    assert project(Q, r, MU, active, F)
    N = basis[:, : free_directions(active, F, MU, 100.0, basis)]
    np.testing.assert_allclose(N.T @ N, np.eye(N.shape[1]), atol=1e-12)
    np.testing.assert_allclose(faces(n)[active] @ N, 0.0, atol=1e-12)

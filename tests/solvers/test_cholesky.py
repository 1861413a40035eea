"""The compiled factorisation against numpy and scipy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import cholesky, solve_triangular

from poise.solvers.cholesky import add_rows, backward, factor, forward, forward_rows, update

SIZES = (1, 2, 6, 46)


def positive(n: int, seed: int = 0) -> np.ndarray:
    A = np.random.default_rng(seed).normal(size=(n + 3, n))
    return A.T @ A + 0.1 * np.eye(n)


@pytest.mark.parametrize("n", SIZES)
def test_factor(n: int):
    P = positive(n)
    L = P.copy()
    assert factor(L)
    np.testing.assert_allclose(np.tril(L), cholesky(P, lower=True), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("n", SIZES)
def test_triangular_solves(n: int):
    L = cholesky(positive(n), lower=True)
    X = np.random.default_rng(1).normal(size=(4, n))
    x = X[0].copy()
    forward(L, x)
    np.testing.assert_allclose(x, solve_triangular(L, X[0], lower=True), atol=1e-10)
    rows = X.copy()
    forward_rows(L, rows)
    np.testing.assert_allclose(rows.T, solve_triangular(L, X.T, lower=True), atol=1e-10)
    x = X[0].copy()
    backward(L, x)
    np.testing.assert_allclose(x, solve_triangular(L.T, X[0], lower=False), atol=1e-10)


@pytest.mark.parametrize("n", SIZES)
def test_forward_and_backward_solve_the_system(n: int):
    P, b = positive(n), np.random.default_rng(2).normal(size=n)
    L, x = P.copy(), b.copy()
    factor(L)
    forward(L, x)
    backward(L, x)
    np.testing.assert_allclose(x, np.linalg.solve(P, b), rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("n", SIZES)
def test_only_the_lower_triangle_is_read(n: int):
    """What the upper triangle holds is nobody's business: it keeps what was there before."""
    L = positive(n)
    clean, dirty = L.copy(), L.copy()
    dirty[np.triu_indices(n, 1)] = 1e6
    assert factor(clean) and factor(dirty)
    np.testing.assert_array_equal(np.tril(clean), np.tril(dirty))
    x, y = np.ones(n), np.ones(n)
    for L, z in ((clean, x), (dirty, y)):
        forward(L, z)
        backward(L, z)
    np.testing.assert_array_equal(x, y)


@pytest.mark.parametrize("n", SIZES)
def test_update_by_one_row(n: int):
    P, x = positive(n), np.random.default_rng(3).normal(size=n)
    L = cholesky(P, lower=True)
    update(L, x.copy())
    np.testing.assert_allclose(np.tril(L), cholesky(P + np.outer(x, x), lower=True), rtol=1e-9, atol=1e-12)


def test_update_by_nothing_changes_nothing():
    L = cholesky(positive(5), lower=True)
    before = L.copy()
    update(L, np.zeros(5))
    np.testing.assert_allclose(L, before, rtol=1e-12)


def test_normal_equations_of_weighted_rows():
    rng = np.random.default_rng(4)
    A, b, w = rng.normal(size=(7, 5)), rng.normal(size=7), rng.uniform(size=7)
    P, r = np.zeros((5, 5)), np.zeros(5)
    add_rows(P, r, A, b, w)
    np.testing.assert_allclose(np.tril(P), np.tril(A.T @ np.diag(w) @ A), atol=1e-12)
    np.testing.assert_allclose(r, -A.T @ (w * b), atol=1e-12)


def test_zero_weight_is_absence():
    rng = np.random.default_rng(5)
    A, b = rng.normal(size=(3, 4)), rng.normal(size=3)
    P, r = np.ones((4, 4)), np.ones(4)
    add_rows(P, r, A, b, np.zeros(3))
    np.testing.assert_array_equal(P, np.ones((4, 4)))
    np.testing.assert_array_equal(r, np.ones(4))


@pytest.mark.parametrize("bad", [np.diag([1.0, -1.0, 1.0]), np.zeros((3, 3)), np.ones((3, 3))])
def test_what_is_not_positive_definite_is_said(bad: np.ndarray):
    assert not factor(bad.copy())


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_what_is_not_finite_is_said(value: float):
    P = positive(4)
    P[2, 1] = P[1, 2] = value
    assert not factor(P)

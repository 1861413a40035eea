"""Products of fixed order against numpy's own."""

from __future__ import annotations

import numpy as np
import pytest

from poise.geometry.linear import norm, principal, solve, times

RNG = np.random.default_rng(0)


@pytest.mark.parametrize(("a", "b"), [
    ((3,), (3,)), ((4, 3), (3,)), ((3,), (3, 5)), ((4, 3), (3, 5)), ((7, 4, 3), (3,)), ((7, 4, 3), (3, 2)),
    ((3,), (7, 3, 2)),
    ((7, 4, 3), (7, 3, 2)),
], ids=str)  # fmt: skip
def test_times_is_matmul(a, b):
    x, y = RNG.normal(size=a), RNG.normal(size=b)
    np.testing.assert_allclose(times(x, y), x @ y, rtol=1e-13, atol=1e-13)
    assert np.shape(times(x, y)) == np.shape(x @ y)


def test_norm_is_that_of_numpy():
    x = RNG.normal(size=(5, 3))
    assert norm(x[0]) == pytest.approx(np.linalg.norm(x[0]), rel=1e-15)
    assert norm(x) == pytest.approx(np.linalg.norm(x), rel=1e-15)
    np.testing.assert_allclose(norm(x, axis=1), np.linalg.norm(x, axis=1), rtol=1e-15)
    assert norm(x, axis=-1, keepdims=True).shape == (5, 1)


def test_solve_eliminates():
    A, b, B = RNG.normal(size=(5, 5)), RNG.normal(size=5), RNG.normal(size=(5, 3))
    np.testing.assert_allclose(solve(A, b), np.linalg.solve(A, b), rtol=1e-10)
    np.testing.assert_allclose(solve(A, B), np.linalg.solve(A, B), rtol=1e-10)
    with pytest.raises(np.linalg.LinAlgError):
        solve(np.zeros((2, 2)), np.ones(2))


def test_principal_is_the_first_eigenvector():
    rows = RNG.normal(size=(6, 20, 4))
    S = np.einsum("kti,ktj->kij", rows, rows)
    found, wanted = principal(S), np.linalg.eigh(S)[1][..., -1]
    np.testing.assert_allclose(np.abs(np.einsum("ki,ki->k", found, wanted)), 1.0, atol=1e-12)

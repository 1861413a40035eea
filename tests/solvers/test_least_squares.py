"""Least squares with equality constraints against the dense optimality system."""

from __future__ import annotations

import numpy as np
import pytest

from poise.solvers.cholesky import factor
from poise.solvers.least_squares import constrained


def solve(A: np.ndarray, b: np.ndarray, w: np.ndarray, C: np.ndarray, d: np.ndarray) -> np.ndarray:
    """The whole problem at once; A must have full column rank."""
    P = (A * w[:, None]).T @ A
    if not factor(P):
        raise np.linalg.LinAlgError("the objectives leave some direction undetermined")
    x = np.zeros(A.shape[1])
    constrained(P, -(A * w[:, None]).T @ b, C, d, x, np.zeros_like(C), np.zeros((len(C), len(C))))
    return x


def kkt(A: np.ndarray, b: np.ndarray, w: np.ndarray, C: np.ndarray, d: np.ndarray) -> np.ndarray:
    """Minimiser of Σ w |A x - b|² on C x = d from one indefinite system."""
    n, m = A.shape[1], len(C)
    K = np.block([[A.T @ np.diag(w) @ A, C.T], [C, np.zeros((m, m))]])
    return np.linalg.solve(K, np.concatenate([A.T @ (w * b), d]))[:n]


def problem(n: int, m: int, seed: int):
    rng = np.random.default_rng(seed)
    A, b, w = rng.normal(size=(n + 4, n)), rng.normal(size=n + 4), rng.uniform(0.1, 10.0, n + 4)
    return A, b, w, rng.normal(size=(m, n)), rng.normal(size=m)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("n", "m"), [(3, 1), (10, 6), (46, 12)])
def test_agrees_with_the_dense_system(n: int, m: int, seed: int):
    given = problem(n, m, seed)
    x = solve(*given)
    expected = kkt(*given)
    np.testing.assert_allclose(x, expected, atol=1e-6 * np.abs(expected).max())
    np.testing.assert_allclose(given[3] @ x, given[4], atol=1e-6)


def test_no_constraint_means_no_rows():
    A, b, w, _, _ = problem(8, 0, 0)
    x = solve(A, b, w, np.zeros((0, 8)), np.zeros(0))
    root = np.sqrt(w)
    expected = np.linalg.lstsq(A * root[:, None], b * root, rcond=None)[0]
    np.testing.assert_allclose(x, expected, atol=1e-10)


def test_a_constraint_met_already_costs_nothing():
    A, b, w, C, _ = problem(8, 3, 1)
    free = solve(A, b, w, np.zeros((0, 8)), np.zeros(0))
    np.testing.assert_allclose(solve(A, b, w, C, C @ free), free, atol=1e-9)


def test_the_same_constraint_twice_is_solved():
    """Two feet on one plane constrain some directions twice."""
    A, b, w, C, d = problem(8, 3, 2)
    once = solve(A, b, w, C, d)
    twice = solve(A, b, w, np.vstack([C, C]), np.concatenate([d, d]))
    np.testing.assert_allclose(twice, once, atol=1e-5)


def test_undetermined_directions_are_said():
    A = np.array([[1.0, 0.0], [2.0, 0.0]])
    with pytest.raises(np.linalg.LinAlgError, match="undetermined"):
        solve(A, np.ones(2), np.ones(2), np.zeros((0, 2)), np.zeros(0))


def test_input_untouched():
    given = problem(6, 2, 3)
    copies = [a.copy() for a in given]
    solve(*given)
    for a, b in zip(given, copies):
        np.testing.assert_array_equal(a, b)

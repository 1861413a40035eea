"""The compiled active set against DAQP: random programs, dependent rows, soft rows, guesses, contradictions."""

from __future__ import annotations

import numpy as np
import pytest

from poise.solvers.active_set import FAILED, INFEASIBLE, minimise
from poise.solvers.qp import FREE, Program

RHO = 1e-4


def problem(seed: int):
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(1, 14)), int(rng.integers(2, 45))
    F = rng.normal(size=(n, n))
    P, r, A = F @ F.T + 1e-2 * np.eye(n), 3 * rng.normal(size=n), rng.normal(size=(m, n))
    if seed % 3 == 0:
        A[m // 2 :] = 2 * A[: m - m // 2]  # every row twice
    inside = A @ rng.normal(size=n)
    upper = inside + rng.uniform(0, 1, m) * (rng.random(m) < 0.7)
    lower = np.where(rng.random(m) < 0.5, -FREE, inside - rng.uniform(0, 1, m))
    return P, r, A, lower, upper, rng.random(m) < 0.2, rng


def mine(P, r, A, lower, upper, soft, sides):
    x = np.zeros(len(r))
    rounds = minimise(P.copy(), r, A.copy(), lower.copy(), upper.copy(), soft, RHO, sides, x)
    return x, rounds


@pytest.mark.parametrize("guess", [False, True])
def test_it_agrees_with_daqp(guess: bool):
    for seed in range(150):
        P, r, A, lower, upper, soft, rng = problem(seed)
        sides = np.zeros(len(A), dtype=np.int8)
        if guess:
            sides[:] = rng.integers(-1, 2, len(A)) * (rng.random(len(A)) < 0.3)
            sides[(lower <= -FREE) & (sides < 0)] = 0
        x, rounds = mine(P, r, A, lower, upper, soft, sides)
        sense = np.where(soft, 8, 0).astype(np.int32)
        other = Program(RHO).solve(P.copy(), r, A.copy(), lower.copy(), upper.copy(), sense)
        assert rounds > 0 and other.solved
        np.testing.assert_allclose(x, other.x, atol=1e-5 * max(1.0, np.abs(other.x).max()), err_msg=str(seed))


def test_the_answer_is_its_own_best_guess():
    P, r, A, lower, upper, soft, _ = problem(7)
    sides = np.zeros(len(A), dtype=np.int8)
    first, rounds = mine(P, r, A, lower, upper, soft, sides)
    assert rounds > 1 and sides.any()
    again, fewer = mine(P, r, A, lower, upper, soft, sides)
    assert fewer == 1
    np.testing.assert_allclose(again, first, atol=1e-9)


def test_what_cannot_be_solved_is_said():
    one, hard = np.array([[1.0], [1.0]]), np.zeros(2, dtype=bool)
    sides = np.zeros(2, dtype=np.int8)
    apart = np.array([1.0, -FREE]), np.array([FREE, -1.0])
    assert mine(np.eye(1), np.zeros(1), one, *apart, hard, sides)[1] == INFEASIBLE
    assert mine(-np.eye(1), np.zeros(1), one, *apart, hard, sides)[1] == FAILED
    x, rounds = mine(np.eye(1), np.zeros(1), one, *apart, ~hard, np.zeros(2, dtype=np.int8))
    assert rounds > 0 and abs(x[0]) < 1.0  # soft rows give way

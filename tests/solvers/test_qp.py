"""Quadratic programs: optimality conditions, a second solver, and problems that have no solution."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import nnls

from poise.solvers.qp import FREE, Program, Result


def solve(P, r, G, lower, upper) -> Result:
    """One program, cold."""
    return Program().solve(P, r, G, lower, upper, np.zeros(len(lower), dtype=np.int32))


def problem(n: int, m: int, seed: int, tight: float = 1.0) -> Any:
    """A convex program with a known feasible point; ``tight`` is how near the limits are to it."""
    rng = np.random.default_rng(seed)
    B = rng.normal(size=(n + 2, n))
    P, r, G = B.T @ B + 0.1 * np.eye(n), 5 * rng.normal(size=n), rng.normal(size=(m, n))
    inside = G @ rng.normal(size=n)
    lower, upper = inside - tight * rng.uniform(size=m), inside + tight * rng.uniform(size=m)
    lower[::3] = -FREE
    return P, r, G, lower, upper


def unexplained(P, r, G, lower, upper, x, near: float = 1e-6) -> float:
    """Part of the gradient that no limit at its bound, pushing inward, accounts for."""
    y = G @ x
    at_upper, at_lower = upper - y < near, y - lower < near
    pushes = np.hstack([G[at_upper].T, -G[at_lower].T])  # P x + r + pushes λ = 0, λ ≥ 0
    gradient = P @ x + r
    return float(nnls(pushes, -gradient)[1]) if pushes.size else float(np.linalg.norm(gradient))


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize(("n", "m"), [(2, 3), (6, 14), (12, 40)])
def test_meets_the_optimality_conditions(n: int, m: int, seed: int):
    given = problem(n, m, seed, tight=0.3)
    result = solve(*given)
    _, r, G, lower, upper = given
    y = G @ result.x
    assert result.solved
    assert (y <= upper + 1e-5).all() and (y >= lower - 1e-5).all()
    assert unexplained(*given, x=result.x, near=1e-5) < 1e-4 * np.linalg.norm(r)


def least_distance(P, r, G, lower, upper) -> np.ndarray:
    """The same minimiser by Lawson and Hanson's reduction to non-negative least squares (1974, ch. 23)."""
    L = np.linalg.cholesky(P)
    E = np.vstack([-G, G[lower > -FREE]]) @ np.linalg.inv(
        L.T
    )  # with y = Lᵀ x + L⁻¹ r: least |y| with E y ≥ h
    shift = np.linalg.solve(L, r)
    h = np.concatenate([-upper, lower[lower > -FREE]]) + E @ shift
    stacked = np.vstack([E.T, h])
    target = np.append(np.zeros(len(r)), 1.0)
    residual = stacked @ nnls(stacked, target)[0] - target
    return np.linalg.solve(L.T, -residual[:-1] / residual[-1] - shift)


@pytest.mark.parametrize("seed", range(10))
def test_agrees_with_another_method(seed: int):
    given = problem(6, 14, seed, tight=0.5)
    np.testing.assert_allclose(solve(*given).x, least_distance(*given), atol=1e-5)


def test_limits_that_do_not_act_change_nothing():
    P, r, G, _, _ = problem(6, 4, 0)
    x = solve(P, r, G, np.full(4, -1e6), np.full(4, 1e6)).x
    np.testing.assert_allclose(x, np.linalg.solve(P, -r), atol=1e-9)


def test_warm_programs_give_the_same_answer_as_cold_ones():
    """One workspace solves a sequence of problems of one size; its memory must not show."""
    program, sense = Program(), np.zeros(14, dtype=np.int32)
    for seed in range(20):
        given = problem(6, 14, seed, tight=0.3)
        warm = program.solve(*given, sense=sense)
        assert warm.solved
        np.testing.assert_allclose(warm.x, solve(*given).x, atol=1e-6)


def infeasible():
    G = np.array([[1.0, 0.0], [1.0, 0.0]])
    return np.eye(2), np.zeros(2), G, np.array([1.0, -FREE]), np.array([FREE, -1.0])


def test_infeasible_programs_say_so():
    result = solve(*infeasible())
    assert not result.solved and "infeasible" in result.status


def test_soft_limits_give_way():
    P, r, G, lower, upper = infeasible()
    result = Program().solve(P, r, G, lower, upper, np.array([8, 8], dtype=np.int32))
    assert result.solved and np.isfinite(result.x).all()
    assert abs(result.x[0]) < 1.0  # neither x ≥ 1 nor x ≤ -1 wins


@pytest.mark.parametrize("break_it", ["indefinite", "nan cost", "inf cost"])
def test_bad_programs_give_a_status_and_the_next_is_solved(break_it: str):
    """A failure neither raises nor spoils the workspace for the problem after it."""
    program, sense = Program(), np.zeros(4, dtype=np.int32)
    good = problem(3, 4, 0)
    assert program.solve(*good, sense=sense).solved
    bad: Any = [a.copy() for a in good]
    if break_it == "indefinite":
        bad[0] = -np.eye(3)
    elif break_it == "nan cost":
        bad[1][0] = np.nan
    else:
        bad[0][1, 1] = np.inf
    result = program.solve(*bad, sense=sense)
    assert not result.solved and result.status and np.isfinite(result.x).all()
    again = program.solve(*good, sense=sense)
    assert again.solved
    np.testing.assert_allclose(again.x, solve(*good).x, atol=1e-7)


def test_infeasible_after_feasible_and_back():
    program, sense = Program(), np.zeros(2, dtype=np.int32)
    P, r, G, lower, upper = infeasible()
    open_ = np.full(2, FREE)
    assert program.solve(P, r, G, -open_, open_, sense).solved
    assert not program.solve(P, r, G, lower, upper, sense).solved
    assert program.solve(P, r, G, -open_, open_, sense).solved

"""Dot products of fixed order against the order they promise."""

from __future__ import annotations

import numpy as np
import pytest

from poise.compiled import compiled
from poise.solvers.dot import dot, dots


@compiled
def three(a, b, c, other, n):
    return dots((a, b, c), other, n)


def promised(a: np.ndarray, b: np.ndarray) -> float:
    """Four lanes, then together, then the rest, one by one."""
    whole = len(a) - len(a) % 4
    lanes, rest = np.zeros(4), 0.0
    for k in range(0, whole, 4):
        lanes += a[k : k + 4] * b[k : k + 4]
    for k in range(whole, len(a)):
        rest += a[k] * b[k]
    return float(((lanes[0] + lanes[2]) + (lanes[1] + lanes[3])) + rest)


@pytest.mark.parametrize("n", [0, 1, 3, 4, 7, 8, 46])
def test_the_order_is_the_promised_one(n: int):
    a, b = np.random.default_rng(n).normal(size=(2, 50))
    assert dot(a, b, n) == promised(a[:n], b[:n])


def test_several_rows_are_each_as_one():
    a, b, c, other = np.random.default_rng(1).normal(size=(4, 13))
    assert three(a, b, c, other, 13) == tuple(dot(row, other, 13) for row in (a, b, c))


def test_rows_with_gaps_give_the_same():
    a, b = np.random.default_rng(2).normal(size=(2, 40))
    assert dot(a[::2], b[::2], 20) == dot(a[::2].copy(), b[::2].copy(), 20)

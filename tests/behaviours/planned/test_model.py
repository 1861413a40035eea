"""The abstract model: laws of motion, and derivatives against differences."""

from __future__ import annotations

import numpy as np
import pytest

from poise.behaviours.planned.model import curvature, jacobians, rate, step, wrench

H, M, G = 1 / 120, 71.5, np.array([0, 0, -9.81])


def draw(seed: int, n: int = 5):
    rng = np.random.default_rng(seed)
    x = rng.normal(0, [0.3] * 3 + [60] * 3 + [3] * 3 + [8] * 3)
    return x, rng.normal(0, 0.4, (n, 3)), rng.normal(0, 200, (n, 3))


def moved(x, points, F, h=H):
    out = np.empty(12)
    step(x, points, F, h, M, G, out)
    return out


def test_flight_keeps_angular_momentum_and_falls():
    x, points, F = draw(0)
    out = moved(x, points[:0], F[:0])
    np.testing.assert_allclose(out[9:], x[9:], atol=1e-12)
    np.testing.assert_allclose(out[3:6] - x[3:6], H * M * G, atol=1e-9)
    np.testing.assert_allclose(out[:3], x[:3] + H * x[3:6] / M + 0.5 * H**2 * G, atol=1e-12)


def test_wrench_is_force_and_moment():
    x, points, F = draw(1)
    out = np.empty(6)
    wrench(points, F, x[:3], out)
    np.testing.assert_allclose(out[:3], F.sum(axis=0))
    np.testing.assert_allclose(out[3:], np.cross(points - x[:3], F).sum(axis=0))


@pytest.mark.parametrize("seed", range(3))
def test_the_midpoint_rule_is_of_second_order(seed: int):
    """Against many small steps of the continuous equation: half the frame, an eighth of the error."""
    x, points, F = draw(seed)

    def true(h: float) -> np.ndarray:
        now, d, n = x.copy(), np.empty(12), 4000
        for _ in range(n):
            rate(now, points, F, M, G, d)
            middle = now + 0.5 * h / n * d
            rate(middle, points, F, M, G, d)
            now = now + h / n * d
        return now

    errors = [np.abs(moved(x, points, F, h) - true(h)).max() for h in (0.02, 0.01)]
    assert errors[1] < 0.2 * errors[0]


@pytest.mark.parametrize("seed", range(5))
def test_first_derivatives(seed: int):
    """The map is bilinear: a central difference of any size is exact up to rounding."""
    x, points, F = draw(seed)
    n = len(F)
    fx, fF = np.empty((12, 12)), np.empty((12, 3 * n))
    jacobians(x, points, F, H, M, fx, fF)
    for i in range(12):
        e = np.zeros(12)
        e[i] = 1.0
        want = (moved(x + e, points, F) - moved(x - e, points, F)) / 2
        np.testing.assert_allclose(fx[:, i], want, atol=1e-9)
    for j in range(3 * n):
        d = np.zeros((n, 3))
        d[j // 3, j % 3] = 10.0
        want = (moved(x, points, F + d) - moved(x, points, F - d)) / 20
        np.testing.assert_allclose(fF[:, j], want, atol=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_second_derivatives(seed: int):
    """∂²(V · x⁺)/∂F∂x by differences of fF; those by x twice and by F twice are zero."""
    x, points, F = draw(seed)
    V = np.random.default_rng(seed + 100).normal(0, 1, 12)
    n = len(F)
    block = np.empty((3, 12))
    curvature(V, H, M, block)

    def by_force(x: np.ndarray, F: np.ndarray) -> np.ndarray:
        fx, fF = np.empty((12, 12)), np.empty((12, 3 * n))
        jacobians(x, points, F, H, M, fx, fF)
        return V @ fF

    for i in range(12):
        e = np.zeros(12)
        e[i] = 0.5
        change = by_force(x + e, F) - by_force(x - e, F)
        np.testing.assert_allclose(change, np.tile(block[:, i], n), atol=1e-9)
    np.testing.assert_allclose(by_force(x, F + 50.0), by_force(x, F), atol=1e-9)

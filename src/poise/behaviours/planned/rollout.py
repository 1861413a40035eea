"""The tracking roll-out: forces in their cones that follow the reference as well as they can, frame by frame."""

from __future__ import annotations

import numpy as np

from poise.behaviours.planned.cone import FACES, project
from poise.behaviours.planned.model import step
from poise.behaviours.planned.problem import Problem
from poise.compiled import compiled

STIFFNESS = 60.0  # [1/s²] of the pull towards the reference
DAMPING = 12.0  # [1/s]
LEVER = 0.3  # [m] a moment counts as a force at this distance
SMALL_FORCE = 1e-3  # weight of the forces themselves against the match of their sum


def rollout(problem: Problem) -> tuple[np.ndarray, np.ndarray]:
    """States X (N + 1, 12) and forces F (N, P, 3) of the tracking roll-out."""
    X = np.empty((problem.frames + 1, 12))
    F = np.zeros((problem.frames, *problem.points.shape[1:]))
    X[0] = problem.start
    _rollout(X, F, problem)
    return X, F


@compiled
def match(x, points, want, mu, lever, small, active, F):
    """Forces F (n, 3) in their cones whose sum and moment about c are nearest to ``want`` (6,)."""
    n = points.shape[0]
    B = np.zeros((6, 3 * n))
    for i in range(n):
        a, b, d = points[i] - x[:3]
        for k in range(3):
            B[k, 3 * i + k] = 1.0
        B[3, 3 * i + 1], B[3, 3 * i + 2] = -d / lever, b / lever
        B[4, 3 * i], B[4, 3 * i + 2] = d / lever, -a / lever
        B[5, 3 * i], B[5, 3 * i + 1] = -b / lever, a / lever
    target = want.copy()
    target[3:] /= lever
    Q = B.T @ B
    for i in range(3 * n):
        Q[i, i] += small
    return project(Q, -(B.T @ target), mu, active, F)


@compiled
def _rollout(X, F, problem):
    x_ref, points, h, m, g = problem.x_ref, problem.points, problem.h, problem.mass, problem.g
    frames, most = F.shape[0], F.shape[1]
    want = np.empty(6)
    active = np.zeros(FACES * most, np.bool_)
    for k in range(frames):
        n = problem.count[k]
        now, then = x_ref[k], x_ref[k + 1]
        for i in range(3):
            pull = STIFFNESS * (now[i] - X[k, i]) * m + DAMPING * (now[3 + i] - X[k, 3 + i])
            want[i] = (then[3 + i] - now[3 + i]) / h - m * g[i] + pull
            turn = STIFFNESS * (now[6 + i] - X[k, 6 + i]) + DAMPING * (now[9 + i] - X[k, 9 + i])
            want[3 + i] = (then[9 + i] - now[9 + i]) / h + turn
        if n:
            active[:] = False
            match(X[k], points[k, :n], want, problem.mu, LEVER, SMALL_FORCE, active[: FACES * n], F[k, :n])
        step(X[k], points[k, :n], F[k, :n], h, m, g, X[k + 1])

r"""The two sweeps of differential dynamic programming over one segment, compiled.

Backwards: second-order expansion of the value with parameters θ = [multiplier of the goal (12), final time (1)],

.. math:: K^x = -\Pi Q_{Fx}, \; K^\theta = -\Pi Q_{F\theta}, \qquad \Pi = N (N^T Q_{FF} N)^{-1} N^T

where N spans the forces that keep the active faces of the cones active, and

.. math:: V_x = Q_x + Q_{xF} k, \; V_{xx} = Q_{xx} + Q_{xF} K^x, \; V_{x\theta} = f_x^T V_{x\theta} + Q_{xF} K^\theta,
          \; V_{\theta\theta} \mathrel{+}= Q_{\theta F} K^\theta, \; V_\theta \mathrel{+}= Q_{\theta F} k.

Forwards: the model under the minimiser, in the cones, of the same expansion at the state reached.
References: [Abstract], appendix A, with Π in place of its Z (which is singular at the apex of a cone).
"""

import numpy as np

from poise.behaviours.planned.cone import FACES, free_directions, project
from poise.behaviours.planned.model import curvature, jacobians, step
from poise.character.constants import GRAVITY
from poise.compiled import compiled
from poise.solvers import cholesky

NT = 13  # parameters: 12 multipliers and the final time


@compiled
def tracked(weights):
    """Weights (12,) of the tracking error and (12,) of the state itself, from [force, angular, track]."""
    track, own = np.zeros(12), np.zeros(12)
    track[:9] = weights[2]
    own[9:] = weights[1]
    return track, own


@compiled
def running_cost(x, F, x_ref, weights):
    """Cost per second of a state and forces."""
    track, own = tracked(weights)
    total = weights[0] * (F * F).sum()
    for k in range(12):
        total += track[k] * (x[k] - x_ref[k]) ** 2 + own[k] * x[k] ** 2
    return total


@compiled
def backward(X, F, problem, e):
    """Fill the expansion from the end, whose entries of Vx, Vxx, Vxt, Vtt, Vt are given. Frame that failed, or -1."""
    x_ref, mu, h, m, weights = problem.x_ref, problem.mu, problem.h, problem.mass, problem.w
    Vx, Vxx, Vxt, Vtt, Vt, active = e.Vx, e.Vxx, e.Vxt, e.Vtt, e.Vt, e.active
    frames = F.shape[0]
    track, own = tracked(weights)
    scale = GRAVITY * m
    fx = np.empty((12, 12))
    bend = np.empty((3, 12))
    for k in range(frames - 1, -1, -1):
        n = problem.count[k]
        d = 3 * n
        fF = np.empty((12, d))
        f = F[k, :n]
        jacobians(X[k], problem.points[k, :n], f, h, m, fx, fF)
        curvature(Vx[k + 1], h, m, bend)
        Vf = Vxx[k + 1] @ fx
        Qx = fx.T @ Vx[k + 1]
        Qxx = fx.T @ Vf
        Qxt = fx.T @ Vxt[k + 1]
        for i in range(12):
            Qx[i] += 2 * h * (track[i] * (X[k, i] - x_ref[k, i]) + own[i] * X[k, i])
            Qxx[i, i] += 2 * h * (track[i] + own[i])
        Vtt[k], Vt[k] = Vtt[k + 1], Vt[k + 1]
        e.Kx[k], e.Kt[k], e.step_F[k] = 0.0, 0.0, 0.0
        if n == 0:
            Vx[k], Vxx[k], Vxt[k] = Qx, 0.5 * (Qxx + Qxx.T), Qxt
            continue
        qF = fF.T @ Vx[k + 1]
        qFF = fF.T @ (Vxx[k + 1] @ fF)
        qFx = fF.T @ Vf
        qFt = fF.T @ Vxt[k + 1]
        r = np.empty(d)
        for i in range(d):
            qF[i] += 2 * h * weights[0] * f[i // 3, i % 3]
            qFF[i, i] += 2 * h * weights[0]
            qFx[i] += bend[i % 3]
        for i in range(d):
            r[i] = qF[i]
            for j in range(d):
                r[i] -= qFF[i, j] * f[j // 3, j % 3]
        new = np.empty((n, 3))
        if not project(qFF, r, mu, active[k, : FACES * n], new):
            return k
        e.QF[k, :d], e.QFF[k, :d, :d], e.QFx[k, :d], e.QFt[k, :d] = qF, qFF, qFx, qFt
        kx, kt = e.Kx[k, :d], e.Kt[k, :d]
        gains(qFF, qFx, qFt, active[k, : FACES * n], new, mu, scale, kx, kt)
        move = (new - f).ravel()
        e.step_F[k, :n] = new - f
        Vx[k] = Qx + qFx.T @ move
        hessian = Qxx + qFx.T @ kx
        Vxx[k] = 0.5 * (hessian + hessian.T)
        Vxt[k] = Qxt + qFx.T @ kt
        Vtt[k] += qFt.T @ kt
        Vt[k] += qFt.T @ move
    return -1


@compiled
def gains(QFF, QFx, QFt, active, F, mu, scale, Kx, Kt):
    """Kx (3n, 12) and Kt (3n, 13) on the faces that are active at F."""
    d = 3 * F.shape[0]
    basis = np.empty((d, d))
    free = free_directions(active, F, mu, scale, basis)
    Kx[:, :], Kt[:, :] = 0.0, 0.0
    if free == 0:
        return
    N = np.ascontiguousarray(basis[:, :free])
    small = N.T @ (QFF @ N)
    stiff = np.trace(small)
    small /= stiff  # pivots are judged near one
    if not cholesky.factor(small):
        return
    right = np.concatenate((N.T @ QFx, N.T @ QFt), axis=1).T.copy()
    for j in range(right.shape[0]):
        cholesky.forward(small, right[j])
        cholesky.backward(small, right[j])
    K = N @ right.T / stiff
    Kx[:, :], Kt[:, :] = -K[:, :12], -K[:, 12:]


@compiled
def forward(X, F, problem, e, dt, share, X_new, F_new):
    """Roll out with the parameters changed by ``share`` dt (13,). Returns the cost; nan where a program failed."""
    frames, h = F.shape[0], problem.h
    cost = 0.0
    X_new[0] = X[0]
    F_new[:] = 0.0
    for k in range(frames):
        n = problem.count[k]
        d = 3 * n
        if n:
            dx = X_new[k] - X[k]
            f = F[k, :n]
            hessian = e.QFF[k, :d, :d].copy()
            r = e.QF[k, :d] + e.QFx[k, :d] @ dx + share * (e.QFt[k, :d] @ dt) - hessian @ f.copy().ravel()
            guess = e.active[k, : FACES * n].copy()
            new = np.empty((n, 3))
            if not project(hessian, r, problem.mu, guess, new):
                return np.nan
            F_new[k, :n] = f + share * (new - f)
        step(X_new[k], problem.points[k, :n], F_new[k, :n], h, problem.mass, problem.g, X_new[k + 1])
        cost += h * running_cost(X_new[k], F_new[k, :n], problem.x_ref[k], problem.w)
    return cost

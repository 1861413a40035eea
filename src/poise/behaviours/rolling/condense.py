"""The feature program's matrices: what is left of [Rolling] eq. 2 once accelerations are put in; see `program`."""

import numpy as np

from poise.compiled import compiled
from poise.solvers.cholesky import backward, factor, forward
from poise.solvers.dot import against, applied, dot
from poise.solvers.qp import FREE

FORCE_EASE, BLEND_EASE = 1e-5, 1e-4  # keep the program strictly convex


@compiled
def condense(state, touch, springs, program, chosen, rate):
    """P, r, G, lower, upper in (τ, γ, λ_N, λ_T); see `program`. ``rate`` (6,) of the momenta is wanted."""
    na, k = state.v.shape[0] - 6, chosen.shape[0]
    free = _free_velocity(state, springs, program.h, program.A)
    C, D = _contact_rows(state, touch, program.axes, chosen)
    X = _responses(program.A, C, na, program.h)
    # contact: W_v |C (free + Xᵀ u)|², u = (τ, λ); Y is (C Xᵀ)ᵀ
    Y = against(X, C)
    Q, g = program.contact * against(Y, Y), program.contact * applied(Y, applied(C, free))
    B = _pose_metric(X, na, program)
    K, kb = _momenta(state, program, D, rate)
    ease = FORCE_EASE * (1.0 / state.m if program.gauss else 1.0)
    P, r = _objective(Q, g, B, K, kb, program.tau_a, program.tau_b, ease)
    G, lower, upper = _limits(na, k, program.mu, springs.low, springs.high)
    return P, r, G, lower, upper


@compiled
def _free_velocity(state, springs, h, A):
    """Velocity (nv,) after the tick without torques and forces; leaves the factor of M̃ in ``A``."""
    M, kp, kd, nv = state.M, springs.kp, springs.kd, state.v.shape[0]
    for i in range(nv):
        for j in range(i + 1):
            A[i, j] = M[i, j]
        if i >= 6:
            A[i, i] += h * kd[i - 6] + h * h * kp[i - 6]
    factor(A)
    free = -h * state.bias
    forward(A, free)
    backward(A, free)
    free += state.v
    return free


@compiled
def _contact_rows(state, touch, axes, chosen):
    """Jacobians C (3k, nv) and forces and moments about c, course axes, D (6, 3k) in the order of the variables.

    Normals come first, then pairs of tangents.
    """
    k = chosen.shape[0]
    C, D = np.zeros((3 * k, touch.J.shape[1])), np.zeros((6, 3 * k))
    for s in range(k):
        q = chosen[s]
        arm = touch.x[q] - state.c
        for i in range(3):
            row = s if i == 0 else k + 2 * s + i - 1
            C[row] = touch.J[3 * q + i]
            f = touch.frame[q, i]
            D[:3, row] = applied(axes.T, f)
            D[3:, row] = applied(axes.T, np.cross(arm, f))
    return C, D


@compiled
def _responses(A, C, na, h):
    """Rows h M̃⁻¹ of each torque and force (na + 3k, nv)."""
    X = np.zeros((na + C.shape[0], A.shape[0]))
    for i in range(X.shape[0]):
        if i < na:
            X[i, 6 + i] = h
        else:
            X[i] = h * C[i - na]
        forward(A, X[i])
        backward(A, X[i])
    return X


@compiled
def _pose_metric(X, na, program):
    """Metric (na, na) of (τ - τ_b - γ (τ_a - τ_b))."""
    B = np.zeros((na, na))
    for i in range(na):
        if program.gauss:
            for j in range(na):
                B[i, j] = program.pose * X[i, 6 + j] / program.h
        else:
            B[i, i] = program.pose
    return B


@compiled
def _momenta(state, program, D, rate):
    """Quadratic and linear part in λ of D λ against the rates, less gravity."""
    W, axes, gauss = np.zeros((6, 6)), program.axes, program.gauss
    inertia = against(against(axes.T, program.I_inv.T), axes.T)
    for i in range(3):
        W[i, i] = program.linear[i] * (1.0 / state.m if gauss else 1.0)
        for j in range(3):
            metric = inertia[i, j] if gauss else (1.0 if i == j else 0.0)
            W[3 + i, 3 + j] = np.sqrt(program.angular[i] * program.angular[j]) * metric
    b = np.zeros(6)
    b[:3] = applied(axes.T, rate[:3] - state.weight)
    b[3:] = applied(axes.T, rate[3:])
    DW = against(D.T, W)  # (W D)ᵀ
    return against(DW, D.T), applied(DW, b)


@compiled
def _objective(Q, g, B, K, kb, tau_a, tau_b, ease):
    """P and r in (τ, γ, λ) from contact (Q, g), pose (B) and momenta (K, kb)."""
    na, forces = B.shape[0], K.shape[0]
    d = tau_a - tau_b
    Bd, Bb = applied(B, d), applied(B, tau_b)
    P, r = np.zeros((na + 1 + forces, na + 1 + forces)), np.zeros(na + 1 + forces)
    for i in range(na):
        r[i] = g[i] - Bb[i]
        for j in range(na):
            P[i, j] = Q[i, j] + B[i, j]
        P[i, na] = P[na, i] = -Bd[i]
    P[na, na] = dot(d, Bd, na) + BLEND_EASE
    r[na] = dot(d, Bb, na) - BLEND_EASE  # where the blend makes no difference it is r_a
    for i in range(forces):
        p = na + 1 + i
        r[p] = g[na + i] - kb[i]
        for j in range(na):
            P[p, j] = P[j, p] = Q[na + i, j]
        for j in range(forces):
            P[p, na + 1 + j] = Q[na + i, na + j] + K[i, j]
        P[p, p] += ease
    return P, r


@compiled
def _limits(na, k, mu, low, high):
    """Friction rows G and bounds: torques, blend, normals, then the rows."""
    G = np.zeros((4 * k, na + 1 + 3 * k))
    bounds = na + 1 + k
    lower, upper = np.zeros(bounds + 4 * k), np.full(bounds + 4 * k, FREE)
    lower[:na], upper[:na] = low[6:], high[6:]
    upper[na] = 1.0
    for s in range(k):
        for t in range(2):
            for side in range(2):
                row = 4 * s + 2 * t + side
                G[row, na + 1 + s] = mu
                G[row, na + 1 + k + 2 * s + t] = 1.0 if side == 0 else -1.0
    return G, lower, upper

"""The feature program's matrices: what is left of [Rolling] eq. 2 once accelerations are put in; see `program`."""

from __future__ import annotations

import numpy as np

from poise.compiled import compiled
from poise.solvers.cholesky import backward, factor, forward
from poise.solvers.qp import FREE

FORCE_EASE, BLEND_EASE = 1e-5, 1e-4  # keep the program strictly convex


@compiled(error_model="numpy")
def condense(
    M, bias, v, kp, kd, tau_a, tau_b, x, frame, J, chosen, c, weight, m, I_inv, axes, rate, w_linear, w_angular, w_pose,
    w_contact, gauss, mu, h, low, high, A,
):  # fmt: skip
    """P, r, G, lower, upper in (τ, γ, λ_N, λ_T); see `program`. ``A`` is a work array (nv, nv)."""
    na, k = M.shape[0] - 6, chosen.shape[0]
    free = _free_velocity(M, bias, v, kp, kd, h, A)
    C, D = _contact_rows(x, frame, J, chosen, c, axes)
    X = _responses(A, C, na, h)
    # contact: W_v |C (free + Xᵀ u)|², u = (τ, λ)
    Y = C @ X.T
    Q, g = w_contact * (Y.T @ Y), w_contact * (Y.T @ (C @ free))
    B = _pose_metric(X, na, w_pose, gauss, h)
    K, kb = _momenta(D, weight, m, I_inv, axes, rate, w_linear, w_angular, gauss)
    ease = FORCE_EASE * (1.0 / m if gauss else 1.0)
    P, r = _objective(Q, g, B, K, kb, tau_a, tau_b, ease)
    G, lower, upper = _limits(na, k, mu, low, high)
    return P, r, G, lower, upper


@compiled(error_model="numpy")
def _free_velocity(M, bias, v, kp, kd, h, A):
    """Velocity (nv,) after the tick without torques and forces; leaves the factor of M̃ in ``A``."""
    nv = M.shape[0]
    for i in range(nv):
        for j in range(i + 1):
            A[i, j] = M[i, j]
        if i >= 6:
            A[i, i] += h * kd[i - 6] + h * h * kp[i - 6]
    factor(A)
    free = -h * bias
    forward(A, free)
    backward(A, free)
    free += v
    return free


@compiled(error_model="numpy")
def _contact_rows(x, frame, J, chosen, c, axes):
    """Jacobians C (3k, nv) and forces and moments about c, course axes, D (6, 3k) in the order of the variables.

    Normals come first, then pairs of tangents.
    """
    k = chosen.shape[0]
    C, D = np.zeros((3 * k, J.shape[1])), np.zeros((6, 3 * k))
    for s in range(k):
        q = chosen[s]
        arm = x[q] - c
        for i in range(3):
            row = s if i == 0 else k + 2 * s + i - 1
            C[row] = J[3 * q + i]
            f = frame[q, i]
            D[:3, row] = axes.T @ f
            D[3:, row] = axes.T @ np.cross(arm, f)
    return C, D


@compiled(error_model="numpy")
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


@compiled(error_model="numpy")
def _pose_metric(X, na, w_pose, gauss, h):
    """Metric (na, na) of (τ - τ_b - γ (τ_a - τ_b))."""
    B = np.zeros((na, na))
    for i in range(na):
        if gauss:
            for j in range(na):
                B[i, j] = w_pose * X[i, 6 + j] / h
        else:
            B[i, i] = w_pose
    return B


@compiled(error_model="numpy")
def _momenta(D, weight, m, I_inv, axes, rate, w_linear, w_angular, gauss):
    """Quadratic and linear part in λ of D λ against the rates, less gravity."""
    W = np.zeros((6, 6))
    inertia = axes.T @ I_inv @ axes
    for i in range(3):
        W[i, i] = w_linear[i] * (1.0 / m if gauss else 1.0)
        for j in range(3):
            metric = inertia[i, j] if gauss else (1.0 if i == j else 0.0)
            W[3 + i, 3 + j] = np.sqrt(w_angular[i] * w_angular[j]) * metric
    b = np.zeros(6)
    b[:3] = axes.T @ (rate[:3] - weight)
    b[3:] = axes.T @ rate[3:]
    WD = W @ D
    return D.T @ WD, WD.T @ b


@compiled(error_model="numpy")
def _objective(Q, g, B, K, kb, tau_a, tau_b, ease):
    """P and r in (τ, γ, λ) from contact (Q, g), pose (B) and momenta (K, kb)."""
    na, forces = B.shape[0], K.shape[0]
    d = tau_a - tau_b
    Bd, Bb = B @ d, B @ tau_b
    P, r = np.zeros((na + 1 + forces, na + 1 + forces)), np.zeros(na + 1 + forces)
    for i in range(na):
        r[i] = g[i] - Bb[i]
        for j in range(na):
            P[i, j] = Q[i, j] + B[i, j]
        P[i, na] = P[na, i] = -Bd[i]
    P[na, na] = d @ Bd + BLEND_EASE
    r[na] = d @ Bb - BLEND_EASE  # where the blend makes no difference it is r_a
    for i in range(forces):
        p = na + 1 + i
        r[p] = g[na + i] - kb[i]
        for j in range(na):
            P[p, j] = P[j, p] = Q[na + i, j]
        for j in range(forces):
            P[p, na + 1 + j] = Q[na + i, na + j] + K[i, j]
        P[p, p] += ease
    return P, r


@compiled(error_model="numpy")
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

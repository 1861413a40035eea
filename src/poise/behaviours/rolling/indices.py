r"""Rotation indices of [Rolling] §3: how a whole body turns, as one rotation.

AM is H about the centre of mass; AV is :math:`\omega = I_c^{-1} H`; AE is its integral (eq. 1), which is no
orientation: after a tilt out of plane it goes on correcting an axis that the body has long turned away from. Recordings
therefore also keep an anchored form, see `record.excursion`. ROOT is the rotation of the root alone. World axes, [rad],
[rad/s].
"""

from __future__ import annotations

import numpy as np

from poise.dynamics.state import Measure, State
from poise.geometry.linear import solve, times

INDICES = ("AV+AE", "AV", "AE", "ROOT")


def angular_velocity(state: State) -> Measure:
    r"""AV, with its matrix: :math:`\omega = I_c^{-1} A_H v`.

    The bias is :math:`I_c^{-1}(H_{bias} - \dot I_c\,\omega)`, with the rate of the composite inertia from the
    bodies' own motion. World axes, [rad/s].
    """
    I = state.composite_inertia  # noqa: E741
    omega = solve(I, state.H)
    bias = solve(I, state.H_bias - times(inertia_rate(state), omega))
    return Measure(omega, solve(I, state.A_H), bias)


def angular_momentum(state: State) -> Measure:
    """AM: H about the centre of mass, world axes [kg m²/s]."""
    return Measure(state.H, state.A_H, state.H_bias)


def root_velocity(state: State) -> Measure:
    """ROOT: angular velocity of the root body, world axes [rad/s]."""
    at = state.point(state.tree.names[0], np.zeros(3))
    return Measure(at.y[3:], at.A[3:], at.bias[3:])


def inertia_rate(state: State) -> np.ndarray:
    """Rate of the composite inertia about the moving centre of mass (3, 3), world axes [kg m²/s]."""
    model, data, tree = state.model, state.data, state.tree
    b = slice(tree.body0, tree.body0 + tree.nbody)
    R = data.ximat[b].reshape(-1, 3, 3)
    own = np.einsum("bij,bj,bkj->bik", R, model.body_inertia[b], R)
    w, arm, m = data.cvel[b, :3], data.xipos[b] - state.c, model.body_mass[b]
    v = data.cvel[b, 3:] + np.cross(w, arm) - state.c_dot
    W = np.zeros((len(m), 3, 3))
    W[:, 0, 1], W[:, 0, 2], W[:, 1, 2] = -w[:, 2], w[:, 1], -w[:, 0]
    W -= np.swapaxes(W, 1, 2)
    turning = np.einsum("bij,bjk->ik", W, own) - np.einsum("bij,bjk->ik", own, W)
    outer = np.einsum("b,bi,bj->ij", m, arm, v)
    return turning + 2 * np.eye(3) * float(np.trace(outer)) - outer - outer.T

"""Mass matrix and bias forces of a floating tree, read from MuJoCo's sparse storage."""

from __future__ import annotations

import numba
import numpy as np


@numba.njit(cache=True)
def unpack_mass(values, rownnz, rowadr, colind, dof0, M):
    """Dense symmetric M (nv, nv) of the dofs from ``dof0`` on; MuJoCo keeps the lower triangle by rows."""
    nv = M.shape[0]
    M[:, :] = 0.0
    for i in range(nv):
        start = rowadr[dof0 + i]
        for k in range(start, start + rownnz[dof0 + i]):
            j = colind[k] - dof0
            M[i, j] = values[k]
            M[j, i] = values[k]


@numba.njit(cache=True, fastmath={"reassoc", "contract", "nsz"})
def inverse_dynamics(M, bias, v_dot, tau):
    r"""Generalised force that gives an acceleration: M v̇ + bias; the first six are the root's."""
    for i in range(M.shape[0]):
        total = bias[i]
        for j in range(M.shape[0]):
            total += M[i, j] * v_dot[j]
        tau[i] = total


@numba.njit(cache=True)
def root_acceleration(M, bias, force, v_dot):
    """Hybrid dynamics: root acceleration that follows from joint accelerations and a known generalised force.

    Solves the six root rows of M v̇ + bias = force for v̇[:6], with the joints' v̇[6:] given ([Balance] §5).
    """
    right = force[:6] - bias[:6]
    for i in range(6):
        for j in range(6, M.shape[0]):
            right[i] -= M[i, j] * v_dot[j]
    v_dot[:6] = np.linalg.solve(np.ascontiguousarray(M[:6, :6]), right)

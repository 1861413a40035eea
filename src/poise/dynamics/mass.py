"""Mass matrix and bias forces of a floating tree, read from MuJoCo's sparse storage."""

from poise.compiled import compiled
from poise.solvers.dot import dot


@compiled
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


@compiled
def inverse_dynamics(M, bias, v_dot, tau):
    r"""Generalised force that gives an acceleration: M v̇ + bias; the first six are the root's."""
    for i in range(M.shape[0]):
        tau[i] = bias[i] + dot(M[i], v_dot, M.shape[0])

r"""Linear and angular momentum, their matrices and biases; centre of pressure and centroidal moment pivot.

.. math:: L = A_L v, \quad H = A_H v, \qquad \dot L = A_L \dot v + L_{bias}, \quad \dot H = A_H \dot v + H_{bias}

[Balance] eq. 17-28 builds these from link Jacobians. The six root rows of the equation of motion hold the same
numbers: they state Newton's and Euler's law of the whole body about the root, and moving them to the centre of
mass gives both matrices from M and both biases from the bias force (Wensing and Orin 2016).
"""

from __future__ import annotations

import numpy as np

from poise.compiled import compiled


@compiled
def momentum_map(M, armature, coriolis, R_wb, r, weight, A_G, G_bias):
    """A_G (6, nv) and its bias (6): rows L then H about the centre of mass, world axes.

    Args:
        M: Mass matrix (nv, nv), root first (linear world axes, angular body axes).
        armature: (6,) rotor inertia of the root's own degrees of freedom, which carries no momentum.
        coriolis: (6,) bias force of the root with gravity in it.
        R_wb: (3, 3) orientation of the root.
        r: (3,) centre of mass minus root position [m].
        weight: (3,) m g, the force of gravity [N].
    """
    nv = M.shape[0]
    for j in range(nv):
        l0, l1, l2 = M[0, j], M[1, j], M[2, j]
        a0, a1, a2 = M[3, j], M[4, j], M[5, j]
        if j < 3:
            l0 -= armature[j] * (j == 0)
            l1 -= armature[j] * (j == 1)
            l2 -= armature[j] * (j == 2)
        elif j < 6:
            a0 -= armature[j] * (j == 3)
            a1 -= armature[j] * (j == 4)
            a2 -= armature[j] * (j == 5)
        A_G[0, j], A_G[1, j], A_G[2, j] = l0, l1, l2
        A_G[3, j] = R_wb[0, 0] * a0 + R_wb[0, 1] * a1 + R_wb[0, 2] * a2 - (r[1] * l2 - r[2] * l1)
        A_G[4, j] = R_wb[1, 0] * a0 + R_wb[1, 1] * a1 + R_wb[1, 2] * a2 - (r[2] * l0 - r[0] * l2)
        A_G[5, j] = R_wb[2, 0] * a0 + R_wb[2, 1] * a1 + R_wb[2, 2] * a2 - (r[0] * l1 - r[1] * l0)
    root_to_centre(coriolis, R_wb, r, G_bias)
    for k in range(3):
        G_bias[k] += weight[k]  # gravity acts at the centre of mass: it is in the force, not in the moment


@compiled
def root_to_centre(force, R_wb, r, wrench):
    """A generalised force on the root (linear world, angular body axes) as a wrench about the centre of mass."""
    for k in range(3):
        wrench[k] = force[k]
        wrench[3 + k] = R_wb[k, 0] * force[3] + R_wb[k, 1] * force[4] + R_wb[k, 2] * force[5]
    wrench[3] -= r[1] * force[2] - r[2] * force[1]
    wrench[4] -= r[2] * force[0] - r[0] * force[2]
    wrench[5] -= r[0] * force[1] - r[1] * force[0]


@compiled
def pressure_point(c, force, moment, point, normal, out):
    """``centre_of_pressure`` written to ``out``; false, and nothing written, where nothing pushes."""
    push = force[0] * normal[0] + force[1] * normal[1] + force[2] * normal[2]
    if push < 1e-3:
        return False
    height = 0.0
    for k in range(3):
        height += normal[k] * (point[k] - c[k])
    out[0] = c[0] + (normal[1] * moment[2] - normal[2] * moment[1] + height * force[0]) / push
    out[1] = c[1] + (normal[2] * moment[0] - normal[0] * moment[2] + height * force[1]) / push
    out[2] = c[2] + (normal[0] * moment[1] - normal[1] * moment[0] + height * force[2]) / push
    return True


def centre_of_pressure(c: np.ndarray, force: np.ndarray, moment: np.ndarray, point, normal) -> np.ndarray:
    r"""Point of the ground plane about which the contact wrench has no tangential moment; nan without contact.

    From :math:`\dot H = (p - c) \times f`: with n the plane's normal, n × Ḣ fixes p up to the plane's height.

    Args:
        c: Centre of mass [m].
        force, moment: Contact force [N] and its moment about c [N m].
        point, normal: A point of the ground plane and its unit normal.
    """
    out = np.full(3, np.nan)
    pressure_point(c, force, moment, np.asarray(point, dtype=float), np.asarray(normal, dtype=float), out)
    return out


def moment_pivot(c: np.ndarray, force: np.ndarray, point, normal) -> np.ndarray:
    """Centroidal moment pivot: where the contact force would have to act to leave H unchanged ([Coordination] §3)."""
    return centre_of_pressure(c, force, np.zeros(3), point, normal)


@compiled
def average_velocity(inertia, H, out):
    """I⁻¹ H of an inertia in the engine's order (xx, yy, zz, xy, xz, yz, ...); nan where it is singular."""
    xx, yy, zz, xy, xz, yz = inertia[0], inertia[1], inertia[2], inertia[3], inertia[4], inertia[5]
    a, b, c = yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy  # cofactors
    d, e, f = xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy
    size = xx * a + xy * b + xz * c
    if size == 0.0:
        size = np.nan
    out[0] = (a * H[0] + b * H[1] + c * H[2]) / size
    out[1] = (b * H[0] + d * H[1] + e * H[2]) / size
    out[2] = (c * H[0] + e * H[1] + f * H[2]) / size

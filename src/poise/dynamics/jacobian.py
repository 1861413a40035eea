r"""Jacobians of points and bodies, with the part of their acceleration that does not multiply :math:`\dot v`.

MuJoCo's ``cdof`` holds each degree of freedom's motion (angular, linear) about the tree's centre of mass.
"""

from poise.compiled import compiled


@compiled
def body_jacobian(cdof, affects, origin, point, dof0, J):
    """6-D Jacobian (linear, angular; world axes) of a body at a point: rows of J, shape (6, nv)."""
    x = point[0] - origin[0]
    y = point[1] - origin[1]
    z = point[2] - origin[2]
    for i in range(J.shape[1]):
        if affects[i]:
            a, b, c = cdof[dof0 + i, 0], cdof[dof0 + i, 1], cdof[dof0 + i, 2]
            J[0, i] = cdof[dof0 + i, 3] + b * z - c * y
            J[1, i] = cdof[dof0 + i, 4] + c * x - a * z
            J[2, i] = cdof[dof0 + i, 5] + a * y - b * x
            J[3, i], J[4, i], J[5, i] = a, b, c
        else:
            for k in range(6):
                J[k, i] = 0.0


@compiled
def bias_accelerations(cdof_dot, qvel, parent, affects, dof0, acc):
    """Spatial acceleration (angular, linear about the tree's centre) of every body with v̇ = 0, shape (nbody, 6)."""
    nbody, nv = affects.shape
    i = 0
    for b in range(nbody):
        for k in range(6):
            acc[b, k] = acc[parent[b], k] if parent[b] >= 0 else 0.0
        while i < nv and affects[b, i]:
            for k in range(6):
                acc[b, k] += cdof_dot[dof0 + i, k] * qvel[dof0 + i]
            i += 1


@compiled
def point_bias(acc, cvel, origin, point, out):
    r"""Acceleration bias J̇ v (linear, angular) of a point of a body: a + α×r + ω×(v + ω×r)."""
    x = point[0] - origin[0]
    y = point[1] - origin[1]
    z = point[2] - origin[2]
    a, b, c = cvel[0], cvel[1], cvel[2]
    vx = cvel[3] + b * z - c * y
    vy = cvel[4] + c * x - a * z
    vz = cvel[5] + a * y - b * x
    p, q, r = acc[0], acc[1], acc[2]
    out[0] = acc[3] + q * z - r * y + b * vz - c * vy
    out[1] = acc[4] + r * x - p * z + c * vx - a * vz
    out[2] = acc[5] + p * y - q * x + a * vy - b * vx
    out[3], out[4], out[5] = p, q, r


@compiled
def points_of(cdof, affects, acc, cvel, origin, dof0, bodies, points, J, bias):
    """Jacobians (n, 6, nv) and biases (n, 6) of points (n, 3) of some bodies."""
    for i in range(bodies.shape[0]):
        b = bodies[i]
        body_jacobian(cdof, affects[b], origin, points[i], dof0, J[i])
        point_bias(acc[b], cvel[b], origin, points[i], bias[i])

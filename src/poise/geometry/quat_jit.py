"""Unit quaternions (w, x, y, z) in compiled code, one at a time; the twin for whole arrays is ``geometry.quat``."""

import math

import numpy as np

from poise.compiled import compiled

SMALL = 1e-9  # sine of half an angle below which a rotation vector is twice the vector part


@compiled
def product(aw, ax, ay, az, bw, bx, by, bz):
    """Product a b, number by number."""
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


@compiled
def multiply(a, b):
    """Product a b: turn by b, then by a, in fixed axes."""
    return np.array(product(a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]))


@compiled
def conjugate(a):
    """Inverse rotation."""
    return np.array([a[0], -a[1], -a[2], -a[3]])


@compiled
def rotate(a, x):
    """Vector x turned by a."""
    v = a[1:]
    t = 2 * np.cross(v, x)
    return x + a[0] * t + np.cross(v, t)


@compiled
def about(axis, angle):
    """Rotation by an angle about a unit axis."""
    out = np.empty(4)
    out[0] = math.cos(0.5 * angle)
    out[1:] = math.sin(0.5 * angle) * axis
    return out


@compiled
def rotation_vector(w, x, y, z, out):
    """Rotation vector (3,) of a quaternion, the shorter way round, into ``out`` [rad]."""
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    sine = math.sqrt(x * x + y * y + z * z)
    factor = 2.0 if sine < SMALL else 2.0 * math.atan2(sine, w) / sine
    out[0], out[1], out[2] = factor * x, factor * y, factor * z


@compiled
def rotation_between(a, b, out):
    """Rotation vector, in the frame of a, that takes quaternion a to b: that of conj(a) b, into ``out`` [rad]."""
    w = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
    x = a[0] * b[1] - a[1] * b[0] - a[2] * b[3] + a[3] * b[2]
    y = a[0] * b[2] - a[2] * b[0] - a[3] * b[1] + a[1] * b[3]
    z = a[0] * b[3] - a[3] * b[0] - a[1] * b[2] + a[2] * b[1]
    rotation_vector(w, x, y, z, out)


@compiled
def world_rotation_between(a, b, out):
    """The same rotation vector in world axes: that of b conj(a), into ``out`` [rad]."""
    w = b[0] * a[0] + b[1] * a[1] + b[2] * a[2] + b[3] * a[3]
    x = -b[0] * a[1] + b[1] * a[0] - b[2] * a[3] + b[3] * a[2]
    y = -b[0] * a[2] + b[2] * a[0] - b[3] * a[1] + b[1] * a[3]
    z = -b[0] * a[3] + b[3] * a[0] - b[1] * a[2] + b[2] * a[1]
    rotation_vector(w, x, y, z, out)


@compiled
def unit_of_vector(x, y, z):
    """Quaternion (4,) of a rotation vector [rad]."""
    half, out = 0.5 * math.sqrt(x * x + y * y + z * z), np.empty(4)
    share = 0.5 * (math.sin(half) / half if half > 0.0 else 1.0)
    out[0], out[1], out[2], out[3] = math.cos(half), share * x, share * y, share * z
    return out


@compiled
def to_matrix(a, out):
    """Rotation matrix (3, 3) into ``out``."""
    w, x, y, z = a[0], a[1], a[2], a[3]
    out[0, 0], out[0, 1], out[0, 2] = 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)
    out[1, 0], out[1, 1], out[1, 2] = 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)
    out[2, 0], out[2, 1], out[2, 2] = 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)

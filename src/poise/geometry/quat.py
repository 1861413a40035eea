"""Unit quaternions (w, x, y, z) as plain arrays of shape (..., 4); leading axes broadcast.

``rotate(multiply(a, b), u) == rotate(a, rotate(b, u))``: b is expressed in the frame that a makes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.errors import BadInput
from poise.geometry.linear import norm, times

Array = NDArray[np.float64]

IDENTITY: Array = np.array([1.0, 0.0, 0.0, 0.0])
IDENTITY.flags.writeable = False
ROUNDING = 1e-15  # a length this close to one is one
_AXES = "xyz"


def normalize(q: ArrayLike) -> Array:
    """Unit quaternion of the same direction; the zero quaternion becomes the identity.

    A quaternion of unit length up to rounding stays as it is, so that normalising twice changes no bit.
    """
    q = np.asarray(q, float)
    length = norm(q, axis=-1, keepdims=True)
    length = np.where(np.abs(length - 1.0) <= ROUNDING, 1.0, length)
    return np.where(length > 0, q / np.where(length > 0, length, 1.0), IDENTITY)


def multiply(a: ArrayLike, b: ArrayLike) -> Array:
    """Product a b: turn by b, then by a, in fixed axes."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    aw, ax, ay, az = a[..., 0], a[..., 1], a[..., 2], a[..., 3]
    bw, bx, by, bz = b[..., 0], b[..., 1], b[..., 2], b[..., 3]
    return np.stack(
        [
            aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
        ],
        axis=-1,
    )


def conjugate(q: ArrayLike) -> Array:
    """Inverse rotation."""
    return np.asarray(q, float) * np.array([1.0, -1.0, -1.0, -1.0])


def rotate(q: ArrayLike, u: ArrayLike) -> Array:
    """Vector u (..., 3) turned by q."""
    q, u = np.asarray(q, float), np.asarray(u, float)
    t = 2.0 * cross(q[..., 1:], u)
    return u + q[..., :1] * t + cross(q[..., 1:], t)


def cross(a: Array, b: Array) -> Array:
    """``np.cross``, several times as quick for single vectors."""
    out = np.empty(np.broadcast(a, b).shape)
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        out[..., i] = a[..., j] * b[..., k] - a[..., k] * b[..., j]
    return out


def from_rotvec(r: ArrayLike) -> Array:
    """Quaternion of a rotation vector (axis times angle [rad])."""
    r = np.asarray(r, float)
    half = 0.5 * norm(r, axis=-1, keepdims=True)
    return np.concatenate([np.cos(half), 0.5 * r * np.sinc(half / np.pi)], axis=-1)


def to_rotvec(q: ArrayLike) -> Array:
    """Rotation vector [rad] of the shorter way round: its length is at most pi."""
    q = np.asarray(q, float)
    q = np.where(q[..., :1] < 0, -q, q)
    sine = norm(q[..., 1:], axis=-1, keepdims=True)
    angle = 2.0 * np.arctan2(sine, q[..., :1])
    # angle / sine tends to 2 / w for small angles
    factor = np.where(sine > 1e-12, angle / np.where(sine > 1e-12, sine, 1.0), 2.0)
    return factor * q[..., 1:]


def to_matrix(q: ArrayLike) -> Array:
    """Rotation matrix (..., 3, 3)."""
    rows = rotate(np.asarray(q, float)[..., None, :], np.eye(3))
    return np.ascontiguousarray(np.swapaxes(rows, -1, -2))


def from_matrix(R: ArrayLike) -> Array:
    """Quaternion of a rotation matrix, w >= 0 (Shepperd: the largest component is found first)."""
    R = np.asarray(R, float)
    xx, yy, zz = R[..., 0, 0], R[..., 1, 1], R[..., 2, 2]
    a, b, c = R[..., 2, 1] - R[..., 1, 2], R[..., 0, 2] - R[..., 2, 0], R[..., 1, 0] - R[..., 0, 1]
    d, e, f = R[..., 0, 1] + R[..., 1, 0], R[..., 0, 2] + R[..., 2, 0], R[..., 1, 2] + R[..., 2, 1]
    rows = np.stack(  # row k is 4 q[k] q: four ways to say the same
        [
            np.stack([1 + xx + yy + zz, a, b, c], -1),
            np.stack([a, 1 + xx - yy - zz, d, e], -1),
            np.stack([b, d, 1 - xx + yy - zz, f], -1),
            np.stack([c, e, f, 1 - xx - yy + zz], -1),
        ],
        axis=-2,
    )
    best = np.argmax(np.einsum("...kk->...k", rows), axis=-1)
    q = normalize(np.take_along_axis(rows, best[..., None, None], axis=-2)[..., 0, :])
    return np.where(q[..., :1] < 0, -q, q)


def from_euler(angles: ArrayLike, order: str) -> Array:
    """Intrinsic rotations in the given order: "zxy" turns about z, then the new x, then the new y [rad]."""
    angles = np.asarray(angles, float)
    if angles.shape[-1] != len(order) or not order or set(order) - set(_AXES):
        raise BadInput(
            f"order {order!r} with {angles.shape[-1]} angles; give letters of 'xyz', one per angle"
        )
    q = IDENTITY
    for i, letter in enumerate(order):
        q = multiply(q, from_rotvec(angles[..., i : i + 1] * np.eye(3)[_AXES.index(letter)]))
    return q


def to_euler(q: ArrayLike, order: str) -> Array:
    """Intrinsic angles (..., 3) [rad] in the given order; at gimbal lock one of the many answers.

    References: Bernardes & Viollet 2022, Quaternion to Euler angles conversion.
    """
    if len(order) != 3 or set(order) - set(_AXES) or order[0] == order[1] or order[1] == order[2]:
        raise BadInput(f"order {order!r}; give three letters of 'xyz', neighbours different")
    q = np.asarray(q, float)
    i, j, k = (_AXES.index(letter) for letter in reversed(order))
    proper = i == k
    k = 3 - i - j if proper else k
    sign = (i - j) * (j - k) * (k - i) / 2
    w, x, y, z = q[..., 0], q[..., 1 + i], q[..., 1 + j], sign * q[..., 1 + k]
    a, b, c, d = (w, x, y, z) if proper else (w - y, x + z, y + w, z - x)
    middle = 2 * np.arctan2(np.hypot(c, d), np.hypot(a, b))
    half_sum, half_diff = np.arctan2(b, a), np.arctan2(d, c)
    first, last = half_sum + half_diff, half_sum - half_diff
    if not proper:
        first, middle = sign * first, middle - np.pi / 2
    angles = np.stack([first, middle, last], axis=-1)
    return (angles + np.pi) % (2 * np.pi) - np.pi


def difference(a: ArrayLike, b: ArrayLike) -> Array:
    """Rotation vector, in the frame of a, that takes a to b: conj(a) b."""
    return to_rotvec(multiply(conjugate(a), b))


def between(a: Array, b: Array) -> Array:
    """Rotation by the smallest angle that takes one unit vector (3,) to another."""
    axis, cosine = np.cross(a, b), float(times(a, b))
    sine = float(norm(axis))
    if sine >= 1e-9:
        return from_rotvec(axis / sine * np.arctan2(sine, cosine))
    if cosine > 0:
        return IDENTITY
    square = np.cross(a, np.eye(3)[int(np.argmin(np.abs(a)))])  # half a turn about any such axis
    return from_rotvec(np.pi * square / norm(square))


def slerp(a: ArrayLike, b: ArrayLike, s: ArrayLike) -> Array:
    """The rotation a part s of the shorter way from a to b."""
    return multiply(a, from_rotvec(np.asarray(s, float)[..., None] * difference(a, b)))


def align(q: ArrayLike) -> Array:
    """The same rotations (T, 4) with signs chosen so that neighbours in time are on one hemisphere."""
    q = np.array(q, float)
    flips = np.where(np.sum(q[1:] * q[:-1], axis=-1) < 0, -1.0, 1.0)
    q[1:] *= np.cumprod(flips, axis=0)[..., None]
    return q


def swing_twist(q: ArrayLike, axis: str = "z") -> tuple[Array, Array]:
    """Split q = swing * twist, twist about ``axis`` and swing about a line square to it.

    Returns:
        Swing rotation vector in the two other axes, in cyclic order ((x, y) for z), shape (..., 2) [rad];
        twist angle in (-pi, pi], shape (...) [rad]. A swing of pi leaves the twist open: it is then zero.
    """
    q = np.asarray(q, float)
    k = _AXES.index(axis)
    c, s = q[..., 0], q[..., 1 + k]
    size = np.hypot(c, s)
    clear = size > 1e-12
    half = np.where(clear, np.arctan2(s, np.where(clear, c, 1.0)), 0.0)
    half = np.where(half > np.pi / 2, half - np.pi, np.where(half <= -np.pi / 2, half + np.pi, half))
    twist = 2 * half
    swing = to_rotvec(multiply(q, from_rotvec(-twist[..., None] * np.eye(3)[k])))
    return np.stack([swing[..., (k + 1) % 3], swing[..., (k + 2) % 3]], axis=-1), twist


def from_swing_twist(swing: ArrayLike, twist: ArrayLike, axis: str = "z") -> Array:
    """Inverse of :func:`swing_twist`."""
    swing, twist = np.asarray(swing, float), np.asarray(twist, float)
    k = _AXES.index(axis)
    e = np.eye(3)
    r = swing[..., :1] * e[(k + 1) % 3] + swing[..., 1:] * e[(k + 2) % 3]
    return multiply(from_rotvec(r), from_rotvec(twist[..., None] * e[k]))

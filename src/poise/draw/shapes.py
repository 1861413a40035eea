"""Where rays meet simple shapes: arrays of rays in the frame of the shape, axis z, centre at the origin.

Each function takes origins and directions that broadcast to (..., 3), and returns the distance along the
direction (inf where the ray misses) and the outward normal, not yet of unit length.
"""

from __future__ import annotations

import numpy as np

Hit = tuple[np.ndarray, np.ndarray]


def capsule(o: np.ndarray, d: np.ndarray, radius: float, half: float) -> Hit:
    """Cylinder of half length `half` with round ends; half = 0 is a sphere."""
    a = d[..., 0] ** 2 + d[..., 1] ** 2
    b = o[..., 0] * d[..., 0] + o[..., 1] * d[..., 1]
    c = o[..., 0] ** 2 + o[..., 1] ** 2 - radius**2
    inside = b * b - a * c
    t = (-b - np.sqrt(np.maximum(inside, 0))) / np.maximum(a, 1e-9)
    centre = np.clip(o[..., 2] + t * d[..., 2], -half, half)  # nearest point of the axis
    on_side = np.abs(o[..., 2] + t * d[..., 2]) <= half
    oz = o[..., 2] - centre
    a2, b2, c2 = a + d[..., 2] ** 2, b + oz * d[..., 2], c + oz**2
    inside_end = b2 * b2 - a2 * c2
    t_end = (-b2 - np.sqrt(np.maximum(inside_end, 0))) / a2
    t = np.where(on_side, t, t_end)
    hit = (inside >= 0) & (on_side | (inside_end >= 0)) & (t > 0)
    normal = o + t[..., None] * d
    normal[..., 2] -= centre
    return np.where(hit, t, np.inf), normal


def ellipsoid(o: np.ndarray, d: np.ndarray, size: np.ndarray) -> Hit:
    """Ellipsoid with three half axes."""
    t, normal = capsule(o / size, d / size, 1.0, 0.0)
    return t, normal / size


def box(o: np.ndarray, d: np.ndarray, size: np.ndarray) -> Hit:
    """Box with three half edges."""
    inverse = 1 / np.where(np.abs(d) < 1e-9, 1e-9, d)
    middle, reach = -o * inverse, np.abs(inverse) * size
    near = middle - reach
    t = near.max(axis=-1)
    hit = (t > 0) & (t <= (middle + reach).min(axis=-1))
    normal = np.where(near == t[..., None], -np.sign(d), 0.0)
    return np.where(hit, t, np.inf), normal


def cone(o: np.ndarray, d: np.ndarray, low: float, high: float, half: float) -> Hit:
    """Straight cone cut at both ends, of radius `low` at z = -half and `high` at z = half; equal: a cylinder."""
    slope, middle = (high - low) / (2 * half), 0.5 * (high + low)
    radius = middle + slope * o[..., 2]
    a = d[..., 0] ** 2 + d[..., 1] ** 2 - (slope * d[..., 2]) ** 2
    b = o[..., 0] * d[..., 0] + o[..., 1] * d[..., 1] - slope * d[..., 2] * radius
    c = o[..., 0] ** 2 + o[..., 1] ** 2 - radius**2
    root = np.sqrt(np.maximum(b * b - a * c, 0))
    a = np.where(np.abs(a) < 1e-9, 1e-9, a)
    dz = np.where(np.abs(d[..., 2]) < 1e-9, 1e-9, d[..., 2])
    best = np.full(np.broadcast_shapes(b.shape, dz.shape), np.inf)
    normal = np.zeros((*best.shape, 3))
    for t in ((-b - root) / a, (-b + root) / a):
        p = o + t[..., None] * d
        closer = (b * b - a * c >= 0) & (t > 0) & (np.abs(p[..., 2]) <= half) & (t < best)
        side = np.stack([p[..., 0], p[..., 1], -slope * (middle + slope * p[..., 2])], axis=-1)
        best, normal = np.where(closer, t, best), np.where(closer[..., None], side, normal)
    for z, limit in ((-half, low), (half, high)):
        t = (z - o[..., 2]) / dz
        p = o + t[..., None] * d
        closer = (t > 0) & (p[..., 0] ** 2 + p[..., 1] ** 2 <= limit**2) & (t < best)
        best, normal = np.where(closer, t, best), np.where(closer[..., None], [0, 0, np.sign(z)], normal)
    return best, normal

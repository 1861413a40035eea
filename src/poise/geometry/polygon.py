"""Convex polygons in the plane: corners (n, 2) counter-clockwise [m]. One corner is a point, two are a segment.

All functions are compiled, so that they can be called in every control tick.
"""

from __future__ import annotations

import numpy as np

from poise.compiled import compiled
from poise.geometry.linear import times


@compiled
def hull_into(points, n, out):
    """Convex hull of points[:n] written to out (room for n + 1 rows), counter-clockwise; returns its size."""
    order = np.empty(n, np.int64)
    for i in range(n):  # insertion sort by x, then y: there are only a few points
        j = i
        while j > 0 and (
            points[order[j - 1], 0] > points[i, 0]
            or (points[order[j - 1], 0] == points[i, 0] and points[order[j - 1], 1] > points[i, 1])
        ):
            order[j] = order[j - 1]
            j -= 1
        order[j] = i
    size, floor = 0, 0
    for sweep in range(2):  # lower chain forwards, upper chain backwards [Andrew 1979]
        for i in range(n):
            p = points[order[i]] if sweep == 0 else points[order[n - 1 - i]]
            if sweep == 1 and i == 0:
                continue
            while size >= floor + 2 and not _left(out[size - 2], out[size - 1], p):
                size -= 1
            if size == 0 or out[size - 1, 0] != p[0] or out[size - 1, 1] != p[1]:
                out[size, 0], out[size, 1] = p[0], p[1]
                size += 1
        floor = size - 1
    if size > 1 and out[size - 1, 0] == out[0, 0] and out[size - 1, 1] == out[0, 1]:
        size -= 1
    return size


@compiled
def _left(a, b, p):
    """Whether p lies strictly left of the line from a to b."""
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 1e-12


@compiled
def project(polygon, n, point, out):
    """Nearest point of polygon[:n] to ``point``, written to out (2,); returns the signed distance [m].

    Negative inside: there the point itself is the nearest, and the distance is that to the closest edge.
    """
    out[0], out[1] = point[0], point[1]
    inside, best, depth = n > 2, np.inf, -np.inf
    bx, by = point[0], point[1]
    for i in range(n):
        ax, ay = polygon[i, 0], polygon[i, 1]
        j = i + 1 if i + 1 < n else 0
        ex, ey = polygon[j, 0] - ax, polygon[j, 1] - ay
        px, py = point[0] - ax, point[1] - ay
        length2 = ex * ex + ey * ey
        s = min(1.0, max(0.0, (px * ex + py * ey) / length2)) if length2 > 0 else 0.0
        if length2 > 0:
            outside = (px * ey - py * ex) / np.sqrt(length2)
            inside = inside and outside <= 0.0
            depth = max(depth, outside)
        d2 = (px - s * ex) ** 2 + (py - s * ey) ** 2
        if d2 < best:
            best, bx, by = d2, ax + s * ex, ay + s * ey
    if inside:
        return depth
    out[0], out[1] = bx, by
    return np.sqrt(best)


@compiled
def centroid(polygon):
    """Centre of area (2,); of a point or a segment, its middle."""
    area, cx, cy = 0.0, 0.0, 0.0
    ox, oy = polygon[0, 0], polygon[0, 1]
    for i in range(1, len(polygon) - 1):
        ax, ay = polygon[i, 0] - ox, polygon[i, 1] - oy
        bx, by = polygon[i + 1, 0] - ox, polygon[i + 1, 1] - oy
        a = ax * by - ay * bx
        area += a
        cx += a * (ax + bx) / 3
        cy += a * (ay + by) / 3
    out = np.empty(2)
    if area > 1e-14:
        out[0], out[1] = ox + cx / area, oy + cy / area
    else:
        out[0], out[1] = polygon[:, 0].mean(), polygon[:, 1].mean()
    return out


def hull(points: np.ndarray) -> np.ndarray:
    """Convex hull (k, 2) of points (n, 2 or more: only x and y are read), counter-clockwise."""
    points = np.ascontiguousarray(np.asarray(points, float)[:, :2])
    out = np.empty((len(points) + 1, 2))
    return out[: hull_into(points, len(points), out)].copy()


def signed_distance(polygon: np.ndarray, point: np.ndarray) -> float:
    """Distance of a point from a polygon [m], negative inside."""
    return project(polygon, len(polygon), np.asarray(point, float), np.empty(2))


def inside(polygon: np.ndarray, point: np.ndarray, margin: float = 0.0) -> bool:
    """Whether the point is at least ``margin`` [m] within the border."""
    return signed_distance(polygon, point) <= -margin


def nearest(polygon: np.ndarray, point: np.ndarray) -> np.ndarray:
    """Nearest point (2,) of the polygon; a point inside is its own nearest."""
    out = np.empty(2)
    project(polygon, len(polygon), np.asarray(point, float), out)
    return out


def inset(polygon: np.ndarray, distance: float) -> np.ndarray:
    """Points at least ``distance`` [m] within every edge; the centroid alone when there are none."""
    left = polygon
    for a, b in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
        length = np.hypot(*(b - a))
        if length > 0:
            normal = np.array([a[1] - b[1], b[0] - a[0]]) / length  # points inwards
            left = _clip(left, normal, times(normal, a) + distance)
        if len(left) == 0:
            return centroid(polygon)[None]
    return left


def _clip(polygon: np.ndarray, normal: np.ndarray, offset: float) -> np.ndarray:
    """Part of the polygon where normal . p >= offset [Sutherland & Hodgman 1974]."""
    height = times(polygon, normal) - offset
    kept = []
    for i in range(len(polygon)):
        h0, h1 = height[i - 1], height[i]
        if (h0 < 0) != (h1 < 0):
            kept.append(polygon[i - 1] + h0 / (h0 - h1) * (polygon[i] - polygon[i - 1]))
        if h1 >= 0:
            kept.append(polygon[i])
    return np.array(kept).reshape(-1, 2)

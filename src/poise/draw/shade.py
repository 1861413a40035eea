"""Samples to colours: light of the sky, the sun and the camera, soft shadows, and a floor that fades away."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from numba import types

from poise.compiled import compiled
from poise.draw.raster import COARSE
from poise.records import Indices, Matrix, Real, Record, Vector

TILT = 3.5  # how fast the sky changes with the height of the ray
BIAS = 0.004  # [m] so that no surface shades itself
STEEP = 3.0  # largest slope of a surface to the sun's rays that the bias allows for


Floats = Annotated[np.ndarray, types.float32[:, ::1]]
Faces = Annotated[np.ndarray, types.int64[:, ::1]]


class Told(Record):
    """A record that is made of its fields."""

    def __init__(self, **fields: Any) -> None:
        vars(self).update(fields)
        self.seal()


class Eye(Told):
    """A camera: place (3,), rows right, up and back (3, 3), pixels at depth one."""

    at: Vector
    axes: Matrix
    scale: Real


class Sun(Told):
    """What the sun sees, or the floor: middle (3,), axes (3, 3), texels a metre, heights and the highest of blocks."""

    middle: Vector
    axes: Matrix
    scale: Real
    heights: Floats
    coarse: Floats
    box: Indices  # (4,) first and last row, first and last column of blocks with anything in them
    taps: Matrix  # (n, 3) points of a disc of radius one, from its middle out, and how far out
    disc: Real  # half the width of the sun as seen from here [rad]; to the floor, how far up it looks [m]


class Solid(Told):
    """Triangles in the world, with a normal and a colour (0 to 1) at each corner."""

    points: Matrix  # (n, 3)
    normals: Matrix  # (n, 3)
    colours: Matrix  # (n, 3)
    faces: Faces  # (m, 3)


class Paint(Told):
    """Of all that has no triangles, and of the light."""

    sky: Matrix  # (2, 3) at the horizon, on top
    tiles: Matrix  # (2, 3)
    tile: Real  # [m]
    fade: Vector  # (2,) distances from the middle between which the floor goes over into the horizon [m]
    light: Vector  # (4,) strength everywhere, from above, of the sun, of the camera
    shadow: Real  # how dark one is on the floor
    contact: Real  # how dark the floor is under what touches it


@compiled
def shade(eye, sun, under, paint, solid, planes, samples, near, ids, out):
    """Fill a picture (H, W, 3) uint8 from samples; their depth becomes the floor's where that is nearer.

    Args:
        under: As `sun`, seen from below. planes: (p, 2, 3) a point and the normal of each floor. samples: (4, 2).
    """
    height, width = out.shape[0], out.shape[1]
    colour, back, d = np.empty(3), np.empty(3), np.empty(3)
    for y in range(height):
        for x in range(width):
            _ray(eye, x + 0.5 - 0.5 * width, y + 0.5 - 0.5 * height, d)
            depth, plane = _floor_depth(eye, planes, d)
            red, green, blue, left = 0.0, 0.0, 0.0, 0
            for k in range(4):
                if ids[y, x, k] >= 0 and near[y, x, k] >= depth:
                    continue
                left += 1
                near[y, x, k], ids[y, x, k] = depth, -1
            if left:
                _ground(eye, sun, under, paint, planes, plane, depth, d, back)
                red, green, blue = left * back[0], left * back[1], left * back[2]
            for k in range(4):
                f, count, sx, sy = ids[y, x, k], 0, 0.0, 0.0
                if f < 0:
                    continue
                for j in range(4):
                    if ids[y, x, j] == f:
                        if j < k:
                            count = -4  # this triangle has been done
                        count, sx, sy = count + 1, sx + samples[j, 0], sy + samples[j, 1]
                if count <= 0:
                    continue
                _ray(eye, x + sx / count - 0.5 * width, y + sy / count - 0.5 * height, d)
                _lit(eye, sun, paint, solid, f, d, colour)
                red, green, blue = (
                    red + count * colour[0],
                    green + count * colour[1],
                    blue + count * colour[2],
                )
            out[y, x, 0], out[y, x, 1], out[y, x, 2] = (
                _byte(0.25 * red),
                _byte(0.25 * green),
                _byte(0.25 * blue),
            )


@compiled
def veil(eye, solid, rgba, rim, samples, ids, light, out):
    """Lay something see-through over a picture: of one colour, or where it has none (rgba[0] < 0) of its own.

    Args:
        rim: Whether it is clearer in its middle than at its edges. ids: (H, W, 4) its triangles where they are nearest.
    """
    height, width = out.shape[0], out.shape[1]
    d, n = np.empty(3), np.empty(3)
    for y in range(height):
        for x in range(width):
            f, count = -1, 0
            for k in range(4):
                if ids[y, x, k] >= 0:
                    f, count = ids[y, x, k], count + 1
            if f < 0:
                continue
            _ray(eye, x + 0.5 - 0.5 * width, y + 0.5 - 0.5 * height, d)
            u, v, _ = _shares(eye, solid, f, d)
            size, facing = 0.0, 0.0
            for i in range(3):
                n[i] = _at_corner(solid.normals, solid, f, u, v, i)
                size += n[i] * n[i]
            for i in range(3):
                facing -= n[i] * d[i]
            facing = abs(facing) / np.sqrt(size * (d[0] ** 2 + d[1] ** 2 + d[2] ** 2) + 1e-12)
            alpha = 0.25 * count * rgba[3] * (0.30 + 0.70 * (1.0 - facing) if rim else 1.0)
            bright = 1.0 if rim else light[0] + 0.7 * light[1] + light[3] * facing + 0.5 * light[2]
            for i in range(3):
                own = rgba[i] if rgba[0] >= 0 else _at_corner(solid.colours, solid, f, u, v, i)
                out[y, x, i] = _byte(out[y, x, i] / 255.0 * (1.0 - alpha) + alpha * bright * own)


@compiled
def _byte(value):
    return np.uint8(255.0 * min(max(value, 0.0), 1.0) + 0.5)


@compiled
def _ray(eye, x, y, d):
    """Direction of a pixel, one unit deep; x right, y down from the middle."""
    for i in range(3):
        d[i] = (x * eye.axes[0, i] - y * eye.axes[1, i]) / eye.scale - eye.axes[2, i]


@compiled
def _floor_depth(eye, planes, d):
    """One over the depth of the nearest floor, and its number; 0 and -1 where there is none."""
    best, which = 0.0, -1
    for p in range(len(planes)):
        down, far = 0.0, 0.0
        for i in range(3):
            down += d[i] * planes[p, 1, i]
            far += (planes[p, 0, i] - eye.at[i]) * planes[p, 1, i]
        if down < -1e-5 and far < 0.0 and down / far > best:
            best, which = down / far, p
    return best, which


@compiled
def _ground(eye, sun, under, paint, planes, plane, depth, d, out):
    """Colour of floor or sky where a ray ends."""
    low, top = paint.sky[0], paint.sky[1]
    if plane < 0:
        part = min(max(TILT * d[2] / np.sqrt(d[0] ** 2 + d[1] ** 2 + d[2] ** 2), 0.0), 1.0)
        for i in range(3):
            out[i] = low[i] + part * (top[i] - low[i])
        return
    x, y, z = eye.at[0] + d[0] / depth, eye.at[1] + d[1] / depth, eye.at[2] + d[2] / depth
    far = np.hypot(x - sun.middle[0], y - sun.middle[1])
    clear = 1.0 - min(max((far - paint.fade[0]) / (paint.fade[1] - paint.fade[0]), 0.0), 1.0)
    clear *= np.sqrt(clear)
    if clear <= 0.0:
        out[:] = low
        return
    width = 1.0 / (depth * eye.scale) / (2.0 * paint.tile)
    steep = max(abs(d[2]), 0.05)
    square = _stripes(x / (2.0 * paint.tile), width / steep) * _stripes(y / (2.0 * paint.tile), width / steep)
    dark = (
        1.0 - paint.shadow * (1.0 - _sunlit(sun, x, y, z, 0.0))
        if far < 0.5 * len(sun.heights) / sun.scale
        else 1.0
    )
    dark *= 1.0 - paint.contact * _hidden(under, x, y, z)
    for i in range(3):
        tile = paint.tiles[0, i] + (0.5 + 0.5 * square) * (paint.tiles[1, i] - paint.tiles[0, i])
        out[i] = low[i] + clear * (tile * dark - low[i])


@compiled
def _stripes(x, width):
    """Average of a square wave of ±1 and period one over `width` about x."""
    width = max(width, 1e-4)
    a, b = x - 0.5 * width, x + 0.5 * width
    return (abs(a - np.floor(a) - 0.5) - abs(b - np.floor(b) - 0.5)) / width


@compiled
def _shares(eye, solid, f, d):
    """Where a ray meets the plane of a triangle: shares of its second and third corner, kept inside; and the depth."""
    a, b, c = (
        solid.points[solid.faces[f, 0]],
        solid.points[solid.faces[f, 1]],
        solid.points[solid.faces[f, 2]],
    )
    e0, e1, e2 = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    g0, g1, g2 = c[0] - a[0], c[1] - a[1], c[2] - a[2]
    p0, p1, p2 = d[1] * g2 - d[2] * g1, d[2] * g0 - d[0] * g2, d[0] * g1 - d[1] * g0
    det = e0 * p0 + e1 * p1 + e2 * p2
    s0, s1, s2 = eye.at[0] - a[0], eye.at[1] - a[1], eye.at[2] - a[2]
    q0, q1, q2 = s1 * e2 - s2 * e1, s2 * e0 - s0 * e2, s0 * e1 - s1 * e0
    if abs(det) < 1e-14:
        return 1.0 / 3.0, 1.0 / 3.0, np.sqrt(s0 * s0 + s1 * s1 + s2 * s2)
    u, v = (s0 * p0 + s1 * p1 + s2 * p2) / det, (d[0] * q0 + d[1] * q1 + d[2] * q2) / det
    u, v = max(u, 0.0), max(v, 0.0)
    over = max(u + v, 1.0)
    return u / over, v / over, (g0 * q0 + g1 * q1 + g2 * q2) / det


@compiled
def _at_corner(values, solid, f, u, v, i):
    """A number between those at the corners of a triangle."""
    a, b, c = solid.faces[f, 0], solid.faces[f, 1], solid.faces[f, 2]
    return (1.0 - u - v) * values[a, i] + u * values[b, i] + v * values[c, i]


@compiled
def _lit(eye, sun, paint, solid, f, d, out):
    """Colour of a triangle where a ray meets it."""
    u, v, _ = _shares(eye, solid, f, d)
    n0, n1, n2 = (
        _at_corner(solid.normals, solid, f, u, v, 0),
        _at_corner(solid.normals, solid, f, u, v, 1),
        _at_corner(solid.normals, solid, f, u, v, 2),
    )
    s = 1.0 / np.sqrt(n0 * n0 + n1 * n1 + n2 * n2 + 1e-12)
    facing = -s * (n0 * d[0] + n1 * d[1] + n2 * d[2]) / np.sqrt(d[0] ** 2 + d[1] ** 2 + d[2] ** 2)
    if facing < -0.4:  # a mesh that is seen from inside
        s, facing = -s, -facing
    n0, n1, n2 = n0 * s, n1 * s, n2 * s
    towards = n0 * sun.axes[2, 0] + n1 * sun.axes[2, 1] + n2 * sun.axes[2, 2]
    bright = paint.light[0] + paint.light[1] * (0.5 + 0.5 * n2) + paint.light[3] * max(facing, 0.0)
    if towards > 0.0:
        x = _at_corner(solid.points, solid, f, u, v, 0) + BIAS * n0
        y = _at_corner(solid.points, solid, f, u, v, 1) + BIAS * n1
        z = _at_corner(solid.points, solid, f, u, v, 2) + BIAS * n2
        slope = min(np.sqrt(1.0 - min(towards, 1.0) ** 2) / max(towards, 1e-3), STEEP)
        bright += paint.light[2] * towards * _sunlit(sun, x, y, z, slope)
    for i in range(3):
        out[i] = bright * _at_corner(solid.colours, solid, f, u, v, i)


@compiled
def _sunlit(sun, x, y, z, slope):
    """Share of the sun's disc that is seen from a point: first how far off is what hides it, then how much it hides."""
    size = len(sun.heights)
    x, y, z = x - sun.middle[0], y - sun.middle[1], z - sun.middle[2]
    c = (x * sun.axes[0, 0] + y * sun.axes[0, 1] + z * sun.axes[0, 2]) * sun.scale + 0.5 * size
    r = (x * sun.axes[1, 0] + y * sun.axes[1, 1] + z * sun.axes[1, 2]) * sun.scale + 0.5 * size
    h = x * sun.axes[2, 0] + y * sun.axes[2, 1] + z * sun.axes[2, 2] + BIAS
    highest = _highest(sun, r, c, COARSE)
    reach = (highest - h) * sun.disc * sun.scale
    if reach > COARSE:
        highest = _highest(sun, r, c, reach)
        reach = (highest - h) * sun.disc * sun.scale
    if reach <= 0.0:
        return 1.0
    found, gap, steep = 0, 0.0, slope / sun.scale
    for k in range(len(sun.taps)):  # half of them closer to the middle: what is near hides with a narrow edge
        out = reach * sun.taps[k, 2] if k % 2 else reach
        top = _height(sun, r + out * sun.taps[k, 0], c + out * sun.taps[k, 1])
        if top > h + steep * out * sun.taps[k, 2]:
            found, gap = found + 1, gap + top - h
    if found == 0:
        return 1.0
    reach = max(gap / found * sun.disc * sun.scale, 1.5)
    lit = 0
    for k in range(len(sun.taps)):
        top = _height(sun, r + reach * sun.taps[k, 0], c + reach * sun.taps[k, 1])
        if top <= h + steep * reach * sun.taps[k, 2]:
            lit += 1
    return lit / len(sun.taps)


@compiled
def _hidden(under, x, y, z):
    """How much of the sky is hidden from a point of the floor by what is close above it."""
    size = len(under.heights)
    c = (x - under.middle[0]) * under.scale + 0.5 * size
    r = (y - under.middle[1]) * under.scale + 0.5 * size
    reach = under.disc * under.scale
    if _highest(under, r, c, reach) < -1e8:
        return 0.0
    total = 0.0
    for k in range(len(under.taps)):
        top = _height(under, r + reach * under.taps[k, 0], c + reach * under.taps[k, 1])
        above = under.middle[2] - top - z
        if above < under.disc:
            total += 1.0 - max(above, 0.0) / under.disc
    return total / len(under.taps)


@compiled
def _height(sun, r, c):
    i, j = int(np.floor(r)), int(np.floor(c))
    size = len(sun.heights)
    if i < 0 or j < 0 or i >= size or j >= size:
        return -1e9
    return sun.heights[i, j]


@compiled
def _highest(sun, r, c, reach):
    """Of the blocks within so many texels."""
    best = -1e9
    top, low = (r - reach) / COARSE, (r + reach) / COARSE
    left, right = (c - reach) / COARSE, (c + reach) / COARSE
    if low < sun.box[0] or top > sun.box[1] + 1 or right < sun.box[2] or left > sun.box[3] + 1:
        return best
    for i in range(max(int(top), sun.box[0]), min(int(low), sun.box[1]) + 1):
        for j in range(max(int(left), sun.box[2]), min(int(right), sun.box[3]) + 1):
            best = max(best, sun.coarse[i, j])
    return best

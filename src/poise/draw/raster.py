"""Triangles to samples: the nearest one at each of four points of every pixel, and the nearest to the sun."""

from __future__ import annotations

import numpy as np

from poise.compiled import compiled

SAMPLES = np.array(
    [[0.375, 0.125], [0.875, 0.375], [0.125, 0.625], [0.625, 0.875]]
)  # in a pixel: a turned grid
NEAR = 0.05  # [m] what is closer to the eye is cut off
COARSE = 32  # texels of the sun's map that share one number: their highest


@compiled
def bend(vertices, normals, joints, weights, rows, out, out_normals):
    """Move corners with their joints, which come as dual quaternions: a limb that twists keeps round.

    Args:
        vertices, normals: (n, 3) at rest. joints, weights: (n, 4). rows: (B, 8) real and dual part, each wxyz.
        out, out_normals: (n, 3) filled.
    """
    for i in range(len(vertices)):
        r0, r1, r2, r3, d0, d1, d2, d3 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        first = rows[joints[i, 0]]
        for k in range(4):
            w = weights[i, k]
            if w <= 0.0:
                break
            q = rows[joints[i, k]]
            if first[0] * q[0] + first[1] * q[1] + first[2] * q[2] + first[3] * q[3] < 0.0:
                w = -w
            r0, r1, r2, r3 = r0 + w * q[0], r1 + w * q[1], r2 + w * q[2], r3 + w * q[3]
            d0, d1, d2, d3 = d0 + w * q[4], d1 + w * q[5], d2 + w * q[6], d3 + w * q[7]
        s = 1.0 / np.sqrt(r0 * r0 + r1 * r1 + r2 * r2 + r3 * r3)
        r0, r1, r2, r3, d0, d1, d2, d3 = r0 * s, r1 * s, r2 * s, r3 * s, d0 * s, d1 * s, d2 * s, d3 * s
        x, y, z = turned(r0, r1, r2, r3, vertices[i, 0], vertices[i, 1], vertices[i, 2])
        out[i, 0] = x + 2.0 * (r0 * d1 - d0 * r1 + r2 * d3 - r3 * d2)
        out[i, 1] = y + 2.0 * (r0 * d2 - d0 * r2 + r3 * d1 - r1 * d3)
        out[i, 2] = z + 2.0 * (r0 * d3 - d0 * r3 + r1 * d2 - r2 * d1)
        x, y, z = turned(r0, r1, r2, r3, normals[i, 0], normals[i, 1], normals[i, 2])
        out_normals[i, 0], out_normals[i, 1], out_normals[i, 2] = x, y, z


@compiled
def turned(w, x, y, z, a, b, c):
    """A vector (a, b, c) turned by a unit quaternion."""
    u, v, t = y * c - z * b + w * a, z * a - x * c + w * b, x * b - y * a + w * c
    return a + 2.0 * (y * t - z * v), b + 2.0 * (z * u - x * t), c + 2.0 * (x * v - y * u)


@compiled
def seen(points, faces, eye, axes, scale, samples, near, ids):
    """Draw triangles for a camera.

    Args:
        points: (n, 3) world. faces: (m, 3). eye: (3,). axes: (3, 3) rows right, up, back. scale: pixels at depth one.
        samples: (4, 2). near, ids: (H, W, 4) one over the depth, and number of the triangle, of the nearest so far.
    """
    height, width = near.shape[0], near.shape[1]
    cut, flat = np.empty((4, 3)), np.empty((4, 3))
    for f in range(len(faces)):
        n = 0
        for k in range(3):  # corners in front of the near plane, and where edges cross it
            a, b = faces[f, k], faces[f, (k + 1) % 3]
            za, zb = 0.0, 0.0
            for i in range(3):
                za -= (points[a, i] - eye[i]) * axes[2, i]
                zb -= (points[b, i] - eye[i]) * axes[2, i]
            if za >= NEAR:
                cut[n] = points[a]
                n += 1
            if (za >= NEAR) != (zb >= NEAR):
                s = (NEAR - za) / (zb - za)
                for i in range(3):
                    cut[n, i] = points[a, i] + s * (points[b, i] - points[a, i])
                n += 1
        for k in range(n):
            x, y, z = 0.0, 0.0, 0.0
            for i in range(3):
                d = cut[k, i] - eye[i]
                x, y, z = x + d * axes[0, i], y + d * axes[1, i], z - d * axes[2, i]
            flat[k, 0], flat[k, 1], flat[k, 2] = (
                0.5 * width + scale * x / z,
                0.5 * height - scale * y / z,
                1.0 / z,
            )
        for k in range(1, n - 1):
            _fill(flat[0], flat[k], flat[k + 1], f, samples, near, ids)


@compiled
def _fill(a, b, c, f, samples, near, ids):
    height, width = near.shape[0], near.shape[1]
    area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    if abs(area) < 1e-9:
        return
    low = max(int(np.floor(min(a[1], b[1], c[1]) - 1.0)), 0)
    high = min(int(np.ceil(max(a[1], b[1], c[1]))), height - 1)
    left = max(int(np.floor(min(a[0], b[0], c[0]) - 1.0)), 0)
    right = min(int(np.ceil(max(a[0], b[0], c[0]))), width - 1)
    if low > high or left > right:
        return
    s = 1.0 / area  # shares of the corners: u of b, v of c; their slopes over x and y
    ux, uy = (c[1] - a[1]) * s, -(c[0] - a[0]) * s
    vx, vy = -(b[1] - a[1]) * s, (b[0] - a[0]) * s
    wx, wy = ux * (b[2] - a[2]) + vx * (c[2] - a[2]), uy * (b[2] - a[2]) + vy * (c[2] - a[2])
    for y in range(low, high + 1):
        u0, v0 = uy * (y - a[1]) - ux * a[0], vy * (y - a[1]) - vx * a[0]
        w0 = a[2] + wy * (y - a[1]) - wx * a[0]
        first, last = left, right
        for e in range(3):  # the part of the row that may be inside each edge
            if e == 0:
                at, slope, room = u0, ux, abs(ux) + abs(uy)
            elif e == 1:
                at, slope, room = v0, vx, abs(vx) + abs(vy)
            else:
                at, slope, room = 1.0 - u0 - v0, -ux - vx, abs(ux + vx) + abs(uy + vy)
            if slope > 1e-12:
                first = max(first, int(np.floor((-room - at) / slope)))
            elif slope < -1e-12:
                last = min(last, int(np.ceil((-room - at) / slope)))
            elif at < -room:
                last = first - 1
        for x in range(first, last + 1):
            for k in range(4):
                dx, dy = x + samples[k, 0], samples[k, 1]
                u, v = u0 + ux * dx + uy * dy, v0 + vx * dx + vy * dy
                if u >= 0.0 and v >= 0.0 and u + v <= 1.0:
                    w = w0 + wx * dx + wy * dy
                    if w > near[y, x, k]:
                        near[y, x, k] = w
                        ids[y, x, k] = f


@compiled
def sunlit(points, faces, origin, axes, scale, heights, coarse):
    """Draw triangles as the sun sees them.

    Args:
        origin: (3,) middle of the map. axes: (3, 3) rows: along its columns, along its rows, towards the sun.
        scale: texels a metre. heights: (S, S) how far towards the sun the highest thing is [m], -inf where nothing.
        coarse: (S / COARSE, S / COARSE) the highest of each block.
    """
    size = heights.shape[0]
    flat = np.empty((3, 3))
    for f in range(len(faces)):
        for k in range(3):
            for j in range(3):
                s = 0.0
                for i in range(3):
                    s += (points[faces[f, k], i] - origin[i]) * axes[j, i]
                flat[k, j] = s * scale + 0.5 * size if j < 2 else s
        a, b, c = flat[0], flat[1], flat[2]
        area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        if area < 1e-9:  # turned away from it
            continue
        low = max(int(np.ceil(min(a[1], b[1], c[1]) - 0.5)), 0)
        high = min(int(np.floor(max(a[1], b[1], c[1]) - 0.5)), size - 1)
        left = max(int(np.ceil(min(a[0], b[0], c[0]) - 0.5)), 0)
        right = min(int(np.floor(max(a[0], b[0], c[0]) - 0.5)), size - 1)
        s = 1.0 / area
        ux, uy = (c[1] - a[1]) * s, -(c[0] - a[0]) * s
        vx, vy = -(b[1] - a[1]) * s, (b[0] - a[0]) * s
        top = np.float32(max(a[2], b[2], c[2]))
        for y in range(low, high + 1):
            for x in range(left, right + 1):
                dx, dy = x + 0.5 - a[0], y + 0.5 - a[1]
                u, v = ux * dx + uy * dy, vx * dx + vy * dy
                if u >= 0.0 and v >= 0.0 and u + v <= 1.0:
                    z = np.float32(a[2] + u * (b[2] - a[2]) + v * (c[2] - a[2]))
                    if z > heights[y, x]:
                        heights[y, x] = z
        for y in range(low // COARSE, high // COARSE + 1 if high >= low else 0):
            for x in range(left // COARSE, right // COARSE + 1 if right >= left else 0):
                coarse[y, x] = max(coarse[y, x], top)


@compiled
def wipe(heights, coarse, nothing):
    """Forget a map; of its blocks only those that were drawn in."""
    for i in range(len(coarse)):
        for j in range(len(coarse)):
            if coarse[i, j] > nothing:
                coarse[i, j] = nothing
                heights[COARSE * i : COARSE * (i + 1), COARSE * j : COARSE * (j + 1)] = nothing

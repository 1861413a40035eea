"""What a stepper sees from above: centre of mass, ξ, and its soles, in one compiled call."""

from __future__ import annotations

import math

from poise.compiled import compiled


@compiled
def sense(c3, L, m, x, R, supports, point, normal, g, least, c, v, xi, place, heading):
    """Fill c, v, ξ, places (2, 2) and headings (2,) of the soles; returns ω at a height of ``least`` or more."""
    height = 0.0
    for k in range(3):
        height += (c3[k] - point[k]) * normal[k]
    omega = math.sqrt(g / max(height, least))
    for k in range(2):
        c[k], v[k] = c3[k], L[k] / m
        xi[k] = c[k] + v[k] / omega
    for i in range(2):
        s = supports[i]
        place[i, 0], place[i, 1] = x[s, 0], x[s, 1]
        heading[i] = math.atan2(R[s, 1, 0], R[s, 0, 0])
    return omega


@compiled
def pitch_of(R):
    """Pitch of a sole with these axes, heel up [rad]."""
    return math.atan2(-R[2, 0], math.hypot(R[0, 0], R[1, 0]))


@compiled
def lowest(corners, count, point, normal):
    """Height of the lowest of a sole's corners above the ground [m]."""
    best = math.inf
    for i in range(count):
        height = 0.0
        for k in range(3):
            height += (corners[i, k] - point[k]) * normal[k]
        best = min(best, height)
    return best

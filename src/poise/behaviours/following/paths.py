"""A followed foot in compiled code: its path in the air, where it would lie flat, and where soles can press."""

from __future__ import annotations

import math

import numpy as np

from poise.behaviours.stepping.swing import approach, pitch_of
from poise.compiled import compiled
from poise.geometry.polygon import hull_into, project
from poise.geometry.quat_jit import multiply, to_matrix, unit_of_vector

PRESSES = 0.012  # [m]: a corner lower than this above the ground can press
X, V, A, TURN, W, W_DOT = 0, 1, 2, 3, 6, 7  # rows of a path: place and rates, axes (three rows) and rates


@compiled
def near_goal(offset, speed, acc, goal, left, rise, dt):
    """One tick of what a foot is off its captured path (4,) towards what it should be when it lands.

    It has ``left`` seconds for that, but for its height ``rise``: a foot that leaves the ground more slowly than its
    path would else sink below it by a sixth of that speed times the time.
    """
    for i in range(4):
        own = min(left, rise) if i == 2 else left
        offset[i], speed[i], acc[i] = approach(offset[i], speed[i], acc[i], goal[i], own, dt, 0.0)


@compiled
def in_air(row, view, offset, speed, acc, aside, sunk, twist, rate):
    """Where a sole should be, its axes and the rates of both (8, 3), see above.

    Args:
        row: (22,) of the score, in the world but for its axes, which ``view`` (4,) takes there.
        offset, speed, acc: (4,) x, y, z and heading off the path. aside: (2,) and more. sunk: Lower by this [m].
        twist: (3,) rotation vector off the path. rate: Of the clip's time.
    """
    out = np.empty((8, 3))
    for i in range(3):
        out[X, i] = row[i] + offset[i]
        out[V, i] = rate * row[3 + i] + speed[i]
        out[A, i] = rate**2 * row[6 + i] + acc[i]
        out[W, i] = rate * row[13 + i]
        out[W_DOT, i] = rate**2 * row[16 + i]
    out[X, 0] += aside[0]
    out[X, 1] += aside[1]
    out[X, 2] -= sunk
    out[W, 2] += speed[3]
    turn = row[9:13] / math.sqrt(row[9] ** 2 + row[10] ** 2 + row[11] ** 2 + row[12] ** 2)
    own = unit_of_vector(twist[0], twist[1], twist[2] + offset[3])
    to_matrix(multiply(own, multiply(view, turn)), out[TURN : TURN + 3])
    return out


@compiled
def flat(R, x, half):
    """Where a sole of half length ``half`` would be if it lay flat about the edge that it stands on: place, heading."""
    heading, pitch, place = math.atan2(-R[0, 1], R[1, 1]), pitch_of(R), np.empty(2)
    back = math.copysign(half, pitch) * (1.0 - math.cos(pitch))
    place[0], place[1] = x[0] - back * math.cos(heading), x[1] - back * math.sin(heading)
    return place, heading


@compiled
def pressable(state, left, right, room, p):
    """Point nearest to p (2,) of what the corners of soles that touch span, drawn in about the middle of each sole.

    Args:
        left, right: Supports of the soles that stand, -1 for one in the air; p itself where both are.
        room: Of a sole that may be used.
    """
    points, n = np.empty((2 * state.corners.shape[1], 2)), 0
    for sole in (left, right):
        if sole >= 0:
            n = _touching(state, sole, room, points, n)
    out = p.copy()
    if n > 0:
        polygon = np.empty((n + 1, 2))
        project(polygon, hull_into(points, n, polygon), p, out)
    return out


@compiled
def _touching(state, sole, room, points, n):
    """Corners of a sole that can press, the lowest one where none is near the ground; returns how many there are."""
    corners, floor, count = state.corners[sole], state.ground.under[sole, 2], state.corner_count[sole]
    first, low = n, 0
    for k in range(count):
        low = k if corners[k, 2] < corners[low, 2] else low
        if corners[k, 2] - floor < PRESSES:
            points[n] = corners[k, :2]
            n += 1
    if n == first:
        points[n] = corners[low, :2]
        n += 1
    for i in range(2):
        middle = 0.0
        for k in range(first, n):
            middle += points[k, i]
        middle /= n - first
        for k in range(first, n):
            points[k, i] = middle + room * (points[k, i] - middle)
    return n

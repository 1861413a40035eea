"""Accelerations that keep planted soles at their anchors, compiled."""

from __future__ import annotations

import math

import numpy as np

from poise.compiled import compiled


@compiled
def slide(state, supports, R_g, reach):
    """Anchors follow soles that are further away than ``reach``."""
    for s in range(supports.active.shape[0]):
        if not supports.active[s]:
            continue
        anchor = supports.anchor[s]
        a, b = _seen(R_g, state.x[s], state.ground.point, 0), _seen(R_g, state.x[s], state.ground.point, 1)
        a, b = a - anchor[0], b - anchor[1]
        size = math.sqrt(a * a + b * b)
        if size > reach:
            anchor[0] += a * (1 - reach / size)
            anchor[1] += b * (1 - reach / size)


@compiled
def _seen(R_g, x, point, i):
    """Coordinate i of a place in the frame of the ground."""
    return R_g[0, i] * (x[0] - point[0]) + R_g[1, i] * (x[1] - point[1]) + R_g[2, i] * (x[2] - point[2])


@compiled
def settle(state, supports, R_g, share):
    """Anchors and headings go a part of the way to where the soles are: what friction holds is not pulled at."""
    for s in range(supports.active.shape[0]):
        if not supports.active[s]:
            continue
        anchor, R = supports.anchor[s], state.R[s]
        for i in range(2):
            anchor[i] += share * (_seen(R_g, state.x[s], state.ground.point, i) - anchor[i])
        ahead = R_g[0, 0] * R[0, 0] + R_g[1, 0] * R[1, 0] + R_g[2, 0] * R[2, 0]
        aside = R_g[0, 1] * R[0, 0] + R_g[1, 1] * R[1, 0] + R_g[2, 1] * R[2, 0]
        turn = math.atan2(aside, ahead) - supports.heading[s]
        supports.heading[s] += share * ((turn + math.pi) % (2 * math.pi) - math.pi)


@compiled
def hold(state, supports, R_g):
    """Accelerations that keep the planted soles at their anchors, carried by the ground's own motion."""
    slide(state, supports, R_g, supports.margins[0, 3])
    ground, k, d = state.ground, supports.k, supports.d
    w, turn = ground.velocity[3:], ground.acceleration[3:]
    rolled = np.zeros(3)
    for s in range(supports.active.shape[0]):
        if not supports.active[s]:
            continue
        x, v, out = state.x[s], state.J_v[s], supports.rate[s]
        r = x - ground.point
        spin = np.cross(w, r)
        carry = np.cross(turn, r) + np.cross(w, spin)
        rolled[:] = 0.0
        if supports.radius[s] > 0.0:
            _roll(state.R[s], supports.turn[s], R_g, supports.radius[s], rolled)
        for i in range(3):
            goal = ground.point[i] + rolled[i]
            for j in range(3):
                goal += R_g[i, j] * supports.anchor[s, j]
            out[i] = (
                ground.acceleration[i]
                + carry[i]
                + k * (goal - x[i])
                + d * (ground.velocity[i] + spin[i] - v[i])
            )
            out[3 + i] = turn[i] + d * (w[i] - v[3 + i])
        _lay_flat(state.R[s], R_g, supports.heading[s], k, out)


@compiled
def _lay_flat(R, R_g, heading, k, out):
    """Small-angle error: half the sum of cross products of the sole's axes with where they should point."""
    ahead, side = math.cos(heading), math.sin(heading)
    for axis in range(3):
        gx = (ahead, -side, 0.0)[axis]
        gy = (side, ahead, 0.0)[axis]
        gz = (0.0, 0.0, 1.0)[axis]
        t0 = R_g[0, 0] * gx + R_g[0, 1] * gy + R_g[0, 2] * gz
        t1 = R_g[1, 0] * gx + R_g[1, 1] * gy + R_g[1, 2] * gz
        t2 = R_g[2, 0] * gx + R_g[2, 1] * gy + R_g[2, 2] * gz
        a0, a1, a2 = R[0, axis], R[1, axis], R[2, axis]
        out[3] += 0.5 * k * (a1 * t2 - a2 * t1)
        out[4] += 0.5 * k * (a2 * t0 - a0 * t2)
        out[5] += 0.5 * k * (a0 * t1 - a1 * t0)


@compiled
def _roll(R, R_0, R_g, radius, out):
    """How far the point under a ball goes when its foot turns without slipping: radius times turn × normal."""
    turn = np.zeros(3)
    for axis in range(3):
        turn += 0.5 * np.cross(R_0[:, axis], R[:, axis])
    out[:] = radius * np.cross(turn, R_g[:, 2])

r"""Supports: how a planted foot should accelerate, and what wrench the ground can give it.

A support's contact wrench is written at its centre in axes aligned with the ground (z its normal), six numbers
(f, moment). It is possible when the centre of pressure lies in the sole and friction bears the tangential force
and, corner by corner, the torsion: linear rows G w ≤ 0.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from poise.compiled import compiled
from poise.dynamics.state import State

FACETS = 8  # of the friction pyramid
TOUCH = 0.003  # [m]: a corner lower than this above the ground can press
REACH = 0.02  # [m]: an anchor follows a foot that slipped at this distance
SUNK = 0.001  # [m]: deepest that a sole is held in the floor; one that began deeper would pull its leg down for ever
SMALL = (0.01, 0.1, 0.002, 0.05)  # most of TOUCH, inset, THIN, REACH in CM heights, inset in sole widths
THIN = 0.001  # [m]: half-width given to a sole that touches along an edge or at a point


class Grip(NamedTuple):
    """How much a behaviour counts on its soles."""

    inset: float = (
        0.008  # [m]: the centre of pressure keeps this far inside; at the very edge a sole would tip
    )
    torsion: float = 0.7  # part of friction that turning on the spot counts on
    frequency: float = 3.0  # [Hz] at which a planted sole is held in place and laid flat
    ease: float = 1.0  # regularisation of a contact force, per (N / kg)²
    arm: float = (
        0.1  # [m]: a moment is as dear as a force with it; a short one keeps the pressure in the middle
    )
    forget: float = 0.0  # [1/s]: how fast it forgets where it was put down; friction holds a sole that stands


STANDING = Grip()


class Supports:
    """Anchors of the planted supports, kept in the frame of the ground, and their wanted accelerations.

    An anchor is where a support was put down. Without drift correction, joints blind to contact let the soles creep
    apart until they no longer lie in one plane: a_sup = ground's acceleration + k (anchor - pose) - d (relative speed).
    """

    def __init__(self, state: State, mu: float = 0.8, grip: Grip = STANDING):
        count = len(state.character.supports)
        self.k = (2 * math.pi * grip.frequency) ** 2
        self.d = 2 * math.sqrt(self.k)
        self.forget, self._t, self.ease, self.arm = grip.forget, state.t, grip.ease, grip.arm
        self.mu = mu
        self.active = np.zeros(count, dtype=np.bool_)
        self.anchor = np.zeros((count, 3))  # ground frame
        self.heading = np.zeros(count)  # of the sole's x axis about the ground's normal [rad]
        self.rate = np.zeros((count, 6))  # wanted acceleration, linear first
        self.frames = np.zeros((count, 3, 3))
        self.J_local = np.zeros((count, 6, state.nv))
        self.turn = np.zeros((count, 3, 3))  # axes of a sole when it was put down, for those that roll
        self.loose = np.array([s.is_point for s in state.character.supports])  # these may tilt and turn
        self.radius = np.array([r[:n].mean() for r, n in zip(state.radius, state.corner_count)])
        self.margins = _margins(state, grip)
        self._levels = np.zeros(count)  # heights of the ground under each support above its plane [m]
        corners = state.corners.shape[1]
        self.rows_each = 2 * FACETS + max(corners, 4)
        self.G = np.zeros((count, self.rows_each, 6))
        self.polygon = np.zeros((count, corners, 2))
        self.used = np.zeros(count, dtype=np.int64)  # corners that touch; a support with none cannot push

    def pressing(self) -> np.ndarray:
        """Indices of the planted supports that touch the ground, hence can push; call ``cones`` first."""
        return np.flatnonzero(self.active & (self.used > 0))

    def planted(self) -> np.ndarray:
        """Indices of the planted supports."""
        return np.flatnonzero(self.active)

    def level(self, levels: np.ndarray | None) -> None:
        """Take the heights (S,) of the ground under the supports above its plane [m]; None is flat."""
        if levels is None or (levels == self._levels).all():
            return
        self.margins[:, 0] += levels - self._levels
        self._levels[:] = levels

    def plant(self, state: State, active: np.ndarray) -> None:
        """Take the wanted set of supports; one that was just put down gets its anchor here and now."""
        if (active == self.active).all():
            return
        for s in np.flatnonzero(active & ~self.active):
            R_g = ground_frame(state)
            self.anchor[s] = R_g.T @ (state.x[s] - state.ground.point)
            if not self.loose[s]:
                level = self._levels[s]  # one that still hovers comes down, one put into the floor comes up
                self.anchor[s, 2] = min(max(self.anchor[s, 2], level - SUNK), level)
            ahead = R_g.T @ state.R[s][:, 0]
            self.heading[s] = math.atan2(ahead[1], ahead[0])
            self.turn[s] = state.R[s]
        self.active[:] = active

    def slide(self, state: State, reach: float = REACH) -> None:
        """Let the anchor of a foot that slipped follow it at a distance, instead of pulling it back for ever."""
        _slide(self.active, state.x, ground_frame(state), state.ground.point, self.anchor, reach)

    def accelerate(self, state: State) -> None:
        """Fill ``rate``: what the planted supports should do now; anchors follow feet that slipped."""
        ground = state.ground
        if self.forget:
            share = 1.0 - math.exp(-self.forget * max(state.t - self._t, 0.0))
            _settle(
                self.active,
                state.x,
                state.R,
                ground_frame(state),
                ground.point,
                share,
                self.anchor,
                self.heading,
            )
            self._t = state.t
        _planted(self.active, state.x, state.R, state.J_v, ground_frame(state), ground.point, self.anchor, self.heading,
                 ground.velocity, ground.acceleration, self.k, self.d, self.margins[0, 3], self.radius, self.turn,
                 self.rate)  # fmt: skip

    def cones(self, state: State) -> None:
        """Fill the local frames, Jacobians and wrench limits of the planted supports."""
        g = state.ground
        fill_cones(self.active, state.x, state.R, state.J, state.corners, state.corner_count, self.margins, g.point,
                   g.normal, self.mu, self.frames, self.J_local, self.polygon, self.used, self.G)  # fmt: skip


def _margins(state: State, grip: Grip) -> np.ndarray:
    """(S, 5): TOUCH, inset, THIN and REACH of each support, smaller on small bodies and soles [m]; torsion."""
    height = float(state.character.com_rest[2])
    out = np.zeros((len(state.character.supports), 5))
    for s, support in enumerate(state.character.supports):
        span = np.ptp(support.points @ state.frame_b[s][:, :2], axis=0).min()
        least = np.multiply(SMALL, (height, span * grip.inset / STANDING.inset, height, height))
        out[s, :4] = np.minimum((TOUCH, grip.inset, THIN, REACH), least)
        out[s, 4] = grip.torsion
    return out


def ground_frame(state: State) -> np.ndarray:
    """Axes of the ground: the body's own where it moves, the world's where it is still."""
    body = state.ground.body
    return _WORLD if body < 0 else state.data.xmat[body].reshape(3, 3)


_WORLD = np.eye(3)


@compiled
def _slide(active, x, R_g, point, anchor, reach):
    for s in range(active.shape[0]):
        if not active[s]:
            continue
        place = R_g.T @ (x[s] - point)
        a, b = place[0] - anchor[s, 0], place[1] - anchor[s, 1]
        size = math.sqrt(a * a + b * b)
        if size > reach:
            anchor[s, 0] += a * (1 - reach / size)
            anchor[s, 1] += b * (1 - reach / size)


@compiled
def _settle(active, x, R, R_g, point, share, anchor, heading):
    """Anchors and headings go a part of the way to where the soles are: what friction holds is not pulled at."""
    for s in range(active.shape[0]):
        if not active[s]:
            continue
        place, ahead = R_g.T @ (x[s] - point), R_g.T @ np.ascontiguousarray(R[s, :, 0])
        for i in range(2):
            anchor[s, i] += share * (place[i] - anchor[s, i])
        turn = math.atan2(ahead[1], ahead[0]) - heading[s]
        heading[s] += share * ((turn + math.pi) % (2 * math.pi) - math.pi)


@compiled
def _planted(active, x, R, v, R_g, point, anchor, heading, v_g, a_g, k, d, reach, radius, R_0, out):
    _slide(active, x, R_g, point, anchor, reach)
    w, turn = v_g[3:], a_g[3:]
    rolled = np.zeros(3)
    for s in range(active.shape[0]):
        if not active[s]:
            continue
        r = x[s] - point
        spin = np.cross(w, r)
        carry = np.cross(turn, r) + np.cross(w, spin)
        if radius[s] > 0.0:
            _roll(R[s], R_0[s], R_g, radius[s], rolled)
        else:
            rolled[:] = 0.0
        for i in range(3):
            goal = point[i] + rolled[i]
            for j in range(3):
                goal += R_g[i, j] * anchor[s, j]
            out[s, i] = a_g[i] + carry[i] + k * (goal - x[s, i]) + d * (v_g[i] + spin[i] - v[s, i])
            out[s, 3 + i] = turn[i] + d * (w[i] - v[s, 3 + i])
        # small-angle error: half the sum of cross products of the sole's axes with where they should point
        ahead, side = math.cos(heading[s]), math.sin(heading[s])
        for axis in range(3):
            gx = (ahead, -side, 0.0)[axis]
            gy = (side, ahead, 0.0)[axis]
            gz = (0.0, 0.0, 1.0)[axis]
            t0 = R_g[0, 0] * gx + R_g[0, 1] * gy + R_g[0, 2] * gz
            t1 = R_g[1, 0] * gx + R_g[1, 1] * gy + R_g[1, 2] * gz
            t2 = R_g[2, 0] * gx + R_g[2, 1] * gy + R_g[2, 2] * gz
            a0, a1, a2 = R[s, 0, axis], R[s, 1, axis], R[s, 2, axis]
            out[s, 3] += 0.5 * k * (a1 * t2 - a2 * t1)
            out[s, 4] += 0.5 * k * (a2 * t0 - a0 * t2)
            out[s, 5] += 0.5 * k * (a0 * t1 - a1 * t0)


@compiled
def _roll(R, R_0, R_g, radius, out):
    """How far the point under a ball goes when its foot turns without slipping: radius times turn × normal."""
    turn = np.zeros(3)
    for axis in range(3):
        turn += 0.5 * np.cross(R_0[:, axis], R[:, axis])
    out[:] = radius * np.cross(turn, R_g[:, 2])


@compiled
def _local_frame(R, normal, out):
    """Axes at a support: z along the ground's normal, x the sole's own, projected."""
    dot = R[0, 0] * normal[0] + R[1, 0] * normal[1] + R[2, 0] * normal[2]
    x0, x1, x2 = R[0, 0] - dot * normal[0], R[1, 0] - dot * normal[1], R[2, 0] - dot * normal[2]
    size = math.sqrt(x0 * x0 + x1 * x1 + x2 * x2)
    if size < 1e-6:
        x0, x1, x2, size = 1.0, 0.0, 0.0, 1.0
    x0, x1, x2 = x0 / size, x1 / size, x2 / size
    out[0, 0], out[1, 0], out[2, 0] = x0, x1, x2
    out[0, 1] = normal[1] * x2 - normal[2] * x1
    out[1, 1] = normal[2] * x0 - normal[0] * x2
    out[2, 1] = normal[0] * x1 - normal[1] * x0
    for i in range(3):
        out[i, 2] = normal[i]


@compiled
def fill_cones(
    active, x, R, J, corners, count, margins, point, normal, mu, frames, J_local, polygon, used, G
):
    for s in range(x.shape[0]):
        if not active[s]:
            continue
        T = frames[s]
        _local_frame(R[s], normal, T)
        for i in range(J.shape[2]):
            for k in range(3):
                J_local[s, k, i] = T[0, k] * J[s, 0, i] + T[1, k] * J[s, 1, i] + T[2, k] * J[s, 2, i]
                J_local[s, 3 + k, i] = T[0, k] * J[s, 3, i] + T[1, k] * J[s, 4, i] + T[2, k] * J[s, 5, i]
        used[s] = _sole(x[s], corners[s], count[s], margins[s], point, normal, T, polygon[s])
        _wrench_rows(mu, margins[s, 4], polygon[s], used[s], margins[s, 2], G[s])


@compiled
def _sole(x, corners, count, margins, point, normal, T, polygon):
    """Corners that touch, in the support's own axes about its centre. Returns how many."""
    n, touch, inset = 0, margins[0], margins[1]
    for c in range(count):
        height, px, py = 0.0, 0.0, 0.0
        for k in range(3):
            height += (corners[c, k] - point[k]) * normal[k]
            px += T[k, 0] * (corners[c, k] - x[k])
            py += T[k, 1] * (corners[c, k] - x[k])
        if height <= touch:
            polygon[n, 0], polygon[n, 1] = px, py
            n += 1
    mx, my = 0.0, 0.0
    for c in range(n):
        mx += polygon[c, 0] / n
        my += polygon[c, 1] / n
    for c in range(n):
        for i, middle in ((0, mx), (1, my)):
            reach = polygon[c, i] - middle
            polygon[c, i] = middle + (max(reach - inset, 0.0) if reach > 0 else min(reach + inset, 0.0))
    return n


@compiled
def _edge(G, row, ax, ay, bx, by):
    """Centre of pressure to the left of a → b: ex mx + ey my + (ey ax - ex ay) fz ≥ 0, written as a row ≤ 0."""
    ex, ey = bx - ax, by - ay
    size = math.sqrt(ex * ex + ey * ey)
    if size < 1e-9:
        return
    ex, ey = ex / size, ey / size
    G[row, 2], G[row, 3], G[row, 4] = -(ey * ax - ex * ay), -ex, -ey


@compiled
def _turning_rows(mu, polygon, n, thin, G):
    r"""What friction at the corners bears of turning on the spot, in the 8 rows after the facets (Caron et al. 2015).

    On a sole of half lengths X, Y, with the wrench about its middle and friction :math:`|f_x|, |f_y| ≤ μ f_z`:

    .. math:: ± m_z ≤ μ (X + Y) f_z - |Y f_x ± μ m_x| - |X f_y ± μ m_y|

    so that less is left as the pressure nears an edge. Other soles count with the box around them.
    """
    left, right, back, front = polygon[0, 1], polygon[0, 1], polygon[0, 0], polygon[0, 0]
    for c in range(1, n):
        back, front = min(back, polygon[c, 0]), max(front, polygon[c, 0])
        right, left = min(right, polygon[c, 1]), max(left, polygon[c, 1])
    X, Y = max(0.5 * (front - back), thin), max(0.5 * (left - right), thin)
    x, y = 0.5 * (front + back), 0.5 * (left + right)
    row, size = FACETS, 1.0 / (X + Y)  # rows of the size of the others: forces
    for way in (1.0, -1.0):
        for a in (1.0, -1.0):
            for b in (1.0, -1.0):
                G[row, 0] = size * (way * y + a * Y)
                G[row, 1] = size * (b * X - way * x)
                G[row, 2] = -mu + size * mu * way * (b * x - a * y)
                G[row, 3] = size * way * a * mu
                G[row, 4] = size * way * b * mu
                G[row, 5] = size * way
                row += 1


@compiled
def _wrench_rows(mu, torsion, polygon, n, thin, G):
    G[:, :] = 0.0
    for i in range(FACETS):
        angle = 2 * math.pi * i / FACETS
        G[i, 0], G[i, 1] = math.cos(angle), math.sin(angle)
        G[i, 2] = -mu * math.cos(math.pi / FACETS)
    if n > 0:
        _turning_rows(torsion * mu, polygon, n, thin, G)
    row = 2 * FACETS
    if n >= 3:
        for c in range(n):
            b = (c + 1) % n
            _edge(G, row + c, polygon[c, 0], polygon[c, 1], polygon[b, 0], polygon[b, 1])
    elif n >= 1:  # an edge or a point: a thin box about it
        ax, ay = polygon[0, 0], polygon[0, 1]
        bx, by = polygon[n - 1, 0], polygon[n - 1, 1]
        if n == 1:
            ax, bx = ax - thin, bx + thin
        ex, ey = bx - ax, by - ay
        size = max(math.sqrt(ex * ex + ey * ey), 1e-9)
        nx, ny = -ey / size * thin, ex / size * thin
        _edge(G, row, ax - nx, ay - ny, bx - nx, by - ny)
        _edge(G, row + 1, bx - nx, by - ny, bx + nx, by + ny)
        _edge(G, row + 2, bx + nx, by + ny, ax + nx, ay + ny)
        _edge(G, row + 3, ax + nx, ay + ny, ax - nx, ay - ny)

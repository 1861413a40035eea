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
from poise.control.cones import FACETS, fill_cones
from poise.dynamics.state import State
from poise.geometry.cross import cross
from poise.geometry.linear import solve, times
from poise.records import Cube, Flags, Indices, Matrix, Real, Record, Vector

TOUCH = 0.003  # [m]: a corner lower than this above the ground can press, where a behaviour does not say
REACH = 0.02  # [m]: an anchor follows a foot that slipped at this distance
SUNK = 0.001  # [m]: deepest that a sole is held in the floor; one that began deeper would pull its leg down for ever
SMALL = (0.01, 0.1, 0.002, 0.05)  # most of touch, inset, THIN, REACH in CM heights, inset in sole widths
YIELD, DRAG, ARM = 1.5, 30.0, 0.1  # [Hz], [1/s], [m] of soles on soft ground, see ``yielding``
HOVER = 0.02  # most of hover, in CM heights
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
    hover: float = 0.0  # [m]: so high above the ground it is still taken to press
    forget: float = 0.0  # [1/s]: how fast it forgets where it was put down; friction holds a sole that stands
    gives: bool = (
        False  # whether the ground alone stops a sole that lands: no leg kicks against it in that tick
    )
    touch: float = TOUCH  # [m]: a corner lower than this above the ground can press
    aside: float | None = (
        None  # [m]: ``arm`` of moments that move the pressure across a sole; None is the same
    )


STANDING = Grip()


class Supports(Record):
    """Anchors of the planted supports, kept in the frame of the ground, and their wanted accelerations.

    An anchor is where a support was put down. Without drift correction, joints blind to contact let the soles creep
    apart until they no longer lie in one plane: a_sup = ground's acceleration + k (anchor - pose) - d (relative speed).
    """

    state: State
    active: Flags
    loose: Flags
    rolls: Vector
    anchor: Matrix
    heading: Vector
    turn: Cube
    radius: Vector
    margins: Matrix
    rate: Matrix
    frames: Cube
    J_local: Cube
    polygon: Cube
    used: Indices
    G: Cube
    mu: Real
    k: Real
    d: Real

    def __init__(self, state: State, mu: float = 0.8, grip: Grip = STANDING, soft: bool = False):
        """``soft``: whether the ground gives way, see ``yielding``."""
        self.state, self.soft = state, soft
        count = len(state.character.supports)
        self.k = (2 * math.pi * grip.frequency) ** 2
        self.d = 2 * math.sqrt(self.k)
        self.gives, self._landed, self._t_first = grip.gives, np.zeros(count, dtype=bool), state.t
        self.forget, self._t, self.ease, self.arm = grip.forget, state.t, grip.ease, grip.arm
        self.aside = grip.arm if grip.aside is None else grip.aside
        self.mu = float(mu)
        self.active = np.zeros(count, dtype=np.bool_)
        self.rolls = np.zeros(
            count
        )  # 1 where a sole rolls over its toes: what is behind its middle does not press
        self.anchor = np.zeros((count, 3))  # ground frame
        self.heading = np.zeros(count)  # of the sole's x axis about the ground's normal [rad]
        self.rate = np.zeros((count, 6))  # wanted acceleration, linear first
        self.frames = np.zeros((count, 3, 3))
        self.J_local = np.zeros((count, 6, state.nv))
        self.turn = np.zeros((count, 3, 3))  # axes of a sole when it was put down, for those that roll
        self.loose = np.array([s.is_point for s in state.character.supports])  # these may tilt and turn
        self.radius = np.array([r[:n].mean() for r, n in zip(state.radius, state.corner_count)])
        self.margins = _margins(state, grip)
        corners = state.corners.shape[1]
        self.rows_each = 2 * FACETS + max(corners, 4)
        self.G = np.zeros((count, self.rows_each, 6))
        self.polygon = np.zeros((count, corners, 2))
        self.used = np.zeros(count, dtype=np.int64)  # corners that touch; a support with none cannot push
        self.seal()

    def pressing(self) -> np.ndarray:
        """Indices of the planted supports that touch the ground, hence can push; call ``cones`` first."""
        return np.flatnonzero(self.active & (self.used > 0))

    def planted(self) -> np.ndarray:
        """Indices of the planted supports."""
        return np.flatnonzero(self.active)

    def plant(self, state: State, active: np.ndarray) -> None:
        """Take the wanted set of supports; one that was just put down gets its anchor here and now."""
        if active.tobytes() == self.active.tobytes():
            if self.gives:
                self._landed[:] = False
            return
        self._landed[:] = active & ~self.active
        for s in np.flatnonzero(self._landed):
            R_g = ground_frame(state)
            self.anchor[s] = times(R_g.T, state.x[s] - state.ground.point)
            if not self.loose[s]:
                # one that still hovers comes down, one put into the floor comes up
                level = state.ground.under[s, 2] - state.ground.point[2]
                self.anchor[s, 2] = min(max(self.anchor[s, 2], level - SUNK), level)
            elif self.radius[s] > 0.0:  # a ball: its own underside decides
                self.anchor[s, 2] -= max(float(state.corners[s, 0, 2] - state.ground.under[s, 2]), 0.0)
            ahead = times(state.ground.axes[s].T, state.R[s][:, 0])
            self.heading[s] = math.atan2(ahead[1], ahead[0])
            self.turn[s] = state.R[s]
        self.active[:] = active

    def slide(self, state: State, reach: float = REACH) -> None:
        """Let the anchor of a foot that slipped follow it at a distance, instead of pulling it back for ever."""
        _slide(state, self, ground_frame(state), reach)

    def accelerate(self, state: State) -> None:
        """Fill ``rate``: what the planted supports should do now; anchors follow feet that slipped."""
        forgotten = 0.0
        if self.forget:
            t = state.t
            forgotten, self._t = 1.0 - math.exp(-self.forget * max(t - self._t, 0.0)), t
        R_g = ground_frame(state)
        _hold(self, R_g, forgotten)
        if self.gives and self._t_first < state.t:
            self.rate[self._landed] = 0.0
        if self.soft:
            yielding(state, self, R_g)

    def cones(self, state: State) -> None:
        """Fill the local frames, Jacobians and wrench limits of the planted supports."""
        fill_cones(state, self)


def _margins(state: State, grip: Grip) -> np.ndarray:
    """(S, 6): touch, inset, THIN, REACH of each support, smaller on small bodies and soles [m]; torsion; hover [m]."""
    height = float(state.character.com_rest[2])
    out = np.zeros((len(state.character.supports), 6))
    for s, support in enumerate(state.character.supports):
        span = np.ptp(times(support.points, state.frame_b[s][:, :2]), axis=0).min()
        least = np.multiply(SMALL, (height, span * grip.inset / STANDING.inset, height, height))
        out[s, :4] = np.minimum((grip.touch, grip.inset, THIN, REACH), least)
        out[s, 4], out[s, 5] = grip.torsion, min(grip.hover, HOVER * height)
    return out


def ground_frame(state: State) -> np.ndarray:
    """Axes of the ground: the body's own where it moves, the world's where it is still."""
    body = state.ground.body
    return _WORLD if body < 0 else state.data.xmat[body].reshape(3, 3)


_WORLD = np.eye(3)


@compiled
def _slide(state, supports, R_g, reach):
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
def _settle(state, supports, R_g, share):
    """Anchors and headings go a part of the way to where the soles are: what friction holds is not pulled at."""
    for s in range(supports.active.shape[0]):
        if not supports.active[s]:
            continue
        anchor, R, lie = supports.anchor[s], state.R[s], state.ground.axes[s]
        for i in range(2):
            anchor[i] += share * (_seen(R_g, state.x[s], state.ground.point, i) - anchor[i])
        ahead = lie[0, 0] * R[0, 0] + lie[1, 0] * R[1, 0] + lie[2, 0] * R[2, 0]
        aside = lie[0, 1] * R[0, 0] + lie[1, 1] * R[1, 0] + lie[2, 1] * R[2, 0]
        turn = math.atan2(aside, ahead) - supports.heading[s]
        supports.heading[s] += share * ((turn + math.pi) % (2 * math.pi) - math.pi)


@compiled
def _hold(supports, R_g, forgotten):
    """Accelerations that keep the planted soles at their anchors, carried by the ground's own motion."""
    state = supports.state
    if forgotten > 0.0:
        _settle(state, supports, R_g, forgotten)
    _slide(state, supports, R_g, supports.margins[0, 3])
    hold_law(state, supports, R_g, supports.k, supports.d)


@compiled
def hold_law(state, supports, R_g, k, d):
    """The accelerations themselves, with stiffness k [1/s²] and damping d [1/s]."""
    ground = state.ground
    w, turn = ground.velocity[3:], ground.acceleration[3:]
    r, spin, rolled = np.zeros(3), np.zeros(3), np.zeros(3)
    for s in range(supports.active.shape[0]):
        if not supports.active[s]:
            continue
        x, v, out = state.x[s], state.J_v[s], supports.rate[s]
        for i in range(3):
            r[i], rolled[i] = x[i] - ground.point[i], 0.0
        for i in range(3):
            spin[i] = cross(w, r, i)
        if supports.radius[s] > 0.0:
            _roll(state.R[s], supports.turn[s], R_g, supports.radius[s], rolled)
        for i in range(3):
            goal = ground.point[i] + rolled[i]
            for j in range(3):
                goal += R_g[i, j] * supports.anchor[s, j]
            out[i] = (
                ground.acceleration[i]
                + (cross(turn, r, i) + cross(w, spin, i))
                + k * (goal - x[i])
                + d * (ground.velocity[i] + spin[i] - v[i])
            )
            out[3 + i] = turn[i] + d * (w[i] - v[3 + i])
        _lay_flat(state.R[s], ground.axes[s], supports.heading[s], k, out)


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
        for i in range(3):
            turn[i] += 0.5 * cross(R_0[:, axis], R[:, axis], i)
    for i in range(3):
        out[i] = radius * cross(turn, R_g[:, 2], i)


def yielding(state: State, supports: Supports, R_g: np.ndarray) -> None:
    r"""Accelerations of soles on ground that gives way, in the place of those of ``hold_law``.

    Joints that follow v̇ exactly leave a sole only the ground to tilt against. A spring that lays it flat then takes
    away the authority over the body: with rocking stiffness K and inertia I, a lean φ answers to what is wanted by
    K / (K + k I) only. And along slippery ground, where force does not grow with slip, it takes all. So the motion
    that is common to all soles is held softly, in place only by damping; what is left, soles against each other, as
    firmly as ever.
    """
    free, firm = _law(state, supports, R_g, 0.0, 0.0), supports.rate.copy()
    spring, damper = _law(state, supports, R_g, 1.0, 0.0) - free, _law(state, supports, R_g, 0.0, 1.0) - free
    k, d = (2 * math.pi * YIELD) ** 2, 4 * math.pi * YIELD
    for s in supports.planted():
        n = R_g[:, 2]
        e, v, w, turn = spring[s, :3], damper[s, :3], damper[s, 3:], spring[s, 3:]
        base = np.empty(6)
        base[:3] = (k * times(e, n) + (d - DRAG) * times(v, n)) * n + DRAG * v
        base[3:] = k * (turn - times(turn, n) * n) + d * w + (DRAG - d) * times(w, n) * n
        supports.rate[s] = free[s] + base
    supports.rate[:] += _apart(state, supports, firm - free)


def _law(state: State, supports: Supports, R_g: np.ndarray, k: float, d: float) -> np.ndarray:
    hold_law(state, supports, R_g, k, d)
    return supports.rate.copy()


def _apart(state: State, supports: Supports, rate: np.ndarray) -> np.ndarray:
    """What of the rates (S, 6) is no motion of one rigid body that all planted soles are part of."""
    planted, out = supports.planted(), np.zeros_like(rate)
    if len(planted) < 2:
        return out
    middle = state.x[planted].mean(axis=0)
    A, b, rows = np.zeros((6, 6)), np.zeros(6), {}
    for s in planted:
        J = np.eye(6)
        x, y, z = state.x[s] - middle
        J[:3, 3:] = [[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]]
        W = np.array([1.0, 1.0, 1.0, ARM**2, ARM**2, ARM**2])
        A += times(J.T, W[:, None] * J)
        b += times(J.T, W * rate[s])
        rows[s] = J
    common = solve(A, b)
    for s, J in rows.items():
        out[s] = rate[s] - times(J, common)
    return out

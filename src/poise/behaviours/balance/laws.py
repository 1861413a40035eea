"""Support polygon and linear balance law of one tick, compiled ([Balance] eq. 5, 6, 15 and 16)."""

from __future__ import annotations

import numpy as np

from poise.compiled import compiled
from poise.control.momentum import clamp_force
from poise.dynamics.state import State
from poise.geometry.polygon import centroid, hull_into
from poise.records import Matrix, Real, Record, Vector

CARRIED = 0.6  # part of the ground's own acceleration that the centre of mass is asked to share
SHRINK = 0.9  # of the support that the targets may use


class Area(Record):
    """Room for the area that the planted soles span, seen from above."""

    points: Matrix  # corners of the soles [m]
    polygon: Matrix  # of which ``support_polygon`` says how many are used [m]
    centre: Vector  # (3,) its middle [m]

    def __init__(self, corners: int):
        self.points, self.polygon = np.zeros((corners, 2)), np.zeros((corners + 1, 2))
        self.centre = np.zeros(3)
        self.seal()


class LinearLaw(Record):
    """Constants of the linear law, whose it is, and the reference that it follows now."""

    state: State
    area: Area
    omega: Real  # √(g/h) [1/s]
    gains: Vector  # of position and velocity, level and upright
    low: Real  # bounds of the ground's push [N]
    high: Real
    mu: Real
    c: Vector
    v: Vector
    a: Vector
    x: Matrix  # (S, 3) supports

    def __init__(self, state: State, omega: float, gains: np.ndarray, push: tuple[float, float], mu: float):
        self.state, self.area = state, Area(int(state.corner_count.sum()))
        self.omega, self.gains, (self.low, self.high), self.mu = omega, gains, push, float(mu)
        self.c, self.v, self.a, self.x = np.zeros(3), np.zeros(3), np.zeros(3), np.zeros((len(state.x), 3))
        self.seal()


@compiled
def balance_targets(law, planted, v_g, a_g, rate):
    """Support polygon (its size is returned), and the rate of linear momentum wanted: eq. 5-6, 15 and 16."""
    state = law.state
    size = support_polygon(state, planted, law.area)
    linear_rate(state, planted, v_g, a_g, law, rate)
    for i in range(3):
        rate[i] *= state.m
    clamp_force(rate, state.weight, state.ground.normal, law.low, law.high, law.mu)
    return size


@compiled
def support_polygon(state, planted, area):
    """Convex hull of the planted soles seen from above, drawn in about its centre. Returns its size."""
    n, height, points, hull = 0, 0.0, area.points, area.polygon
    for s in range(planted.shape[0]):
        if planted[s]:
            for k in range(state.corner_count[s]):
                points[n, 0], points[n, 1] = state.corners[s, k, 0], state.corners[s, k, 1]
                height += state.corners[s, k, 2]
                n += 1
    size = hull_into(points, n, hull)
    if size == 0:
        return size
    middle = centroid(hull[:size])
    for k in range(size):
        for i in range(2):
            hull[k, i] = middle[i] + SHRINK * (hull[k, i] - middle[i])
    area.centre[0], area.centre[1], area.centre[2] = middle[0], middle[1], height / n
    return size


@compiled
def linear_rate(state, planted, v_g, a_g, law, rate):
    """Wanted acceleration of the centre of mass: eq. 5 about the reference, in the moving frame of the ground."""
    count, omega, gains = 0, law.omega, law.gains
    for s in range(planted.shape[0]):
        count += planted[s]
    for i in range(3):
        shift = 0.0
        for s in range(planted.shape[0]):
            if planted[s]:
                shift += (state.x[s, i] - law.x[s, i]) / count
        k, d = (gains[0], gains[1]) if i < 2 else (gains[2], gains[3])
        error, drift = law.c[i] + shift - state.c[i], law.v[i] + v_g[i] - state.G[i] / state.m
        rate[i] = law.a[i] + CARRIED * a_g[i] + omega * omega * k * error + omega * d * drift

"""Where ξ and the pressure should be by the clip, and the rates of momentum that bring ξ back, compiled."""

from __future__ import annotations

import math

import numpy as np

from poise.compiled import compiled
from poise.control.momentum import clamp_force
from poise.motion.score import columns as cols
from poise.records import Real, Record, Vector

PUSH = (0.05, 4.0)  # of the weight: bounds of the ground's push
LEAST = 0.3  # of the height and of gravity: ω counts with no less
HEIGHT, HEIGHT_RATE = 6.0, 4.8  # of the centre of mass's height, in ω² and ω
SPIN = 1.6  # of H, in ω
C, V, A, H, H_DOT, MOVED = (
    column.start for column in (cols.C, cols.V, cols.A, cols.H, cols.H_DOT, cols.SPIN)
)  # where they begin in a row


class Way(Record):
    """What ``course`` finds, seen from above: ξ and the pressure as they are and should be."""

    g: Real  # [m/s²]
    h: Real  # height of the centre of mass at rest [m]
    rate: Real  # √(g/h) [1/s]
    mu: Real
    xi: Vector  # (2,) as it is,
    delta: Vector  # and from where the clip would have it if no landing had been hurried
    p: Vector  # pressure of that clip,
    spin: Vector  # and the spin's part in it
    ahead: Vector  # ξ of the clip as it is now
    owed: Vector  # by how much ξ will move when the spin is brought back to the clip's

    def __init__(self, g: float, h: float, mu: float):
        self.g, self.h, self.rate, self.mu = float(g), float(h), math.sqrt(g / h), float(mu)
        self.xi, self.delta, self.p, self.spin, self.ahead, self.owed = (np.zeros(2) for _ in range(6))
        self.seal()


@compiled
def course(state, c, G, way, row, late, r, pace):
    """Fill ``way``; returns ω [1/s].

    Args:
        c, G: (3,) centre of mass and (6,) momenta, as they are or are felt.
        row, late: (19,) of the score in the world, now and before what was hurried.
        r: Rate of the clip's time. pace: That which the whole body goes along with.
    """
    ground, height = state.ground, 0.0
    for i in range(3):
        height += (c[i] - ground.base[i]) * ground.normal[i]
    up = r * r * row[A + 2]
    w = math.sqrt(max(way.g + up, LEAST * way.g) / max(height, LEAST * way.h))
    for i in range(2):
        way.xi[i] = c[i] + G[i] / state.m / w
        way.spin[i] = pace * pace * late[MOVED + i]
        way.p[i] = late[C + i] - pace * pace * late[A + i] / (w * w) + way.spin[i]
        way.delta[i] = way.xi[i] - (late[C + i] + pace * late[V + i] / w)
        way.ahead[i] = row[C + i] + pace * row[V + i] / w
        k = 1 - i  # a moment about one axis pushes along the other
        way.owed[i] = (
            (1 - 2 * i) * (G[3 + k] - pace * row[H + k]) / (state.m * w * max(height, LEAST * way.h))
        )
    return w


@compiled
def momenta(state, c, G, way, row, r, w, p, rate, turning):
    """Rates of momentum wanted, L̇ and Ḣ (3,), for a pressure (2,): along the ground by ξ, upwards by the clip."""
    k, d = way.rate**2 * HEIGHT, way.rate * HEIGHT_RATE
    for i in range(2):
        rate[i] = w * w * (c[i] - (p[i] - way.spin[i]))
    rate[2] = r * r * row[A + 2] + k * (row[C + 2] - c[2]) + d * (r * row[V + 2] - G[2] / state.m)
    for i in range(3):
        rate[i] *= state.m
        turning[i] = r * r * row[H_DOT + i] + SPIN * way.rate * (r * row[H + i] - G[3 + i])
    push = -state.weight[2]
    clamp_force(rate, state.weight, state.ground.normal, PUSH[0] * push, PUSH[1] * push, way.mu)

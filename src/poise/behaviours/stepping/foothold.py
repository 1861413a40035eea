"""Where a sole can lie: a landing on the edge of a step moves along the foot until the ground bears all of it."""

from __future__ import annotations

import math

import numpy as np

from poise.compiled import compiled
from poise.dynamics.ground import height, lie
from poise.dynamics.state import Ground

HANG = 0.008  # [m] that the ground may be off a sole,
PRICE = 30.0  # and the metres of way that a metre beyond it is worth
PLACES, SPACE = 9, 0.15  # tried on either side, and their distance in half lengths of the sole
WIDE = 1.3  # in half lengths: how much of the ground is looked at, so that no toe meets a step
STICK = 0.5  # metres of way that a metre from the last choice is worth


def foothold(
    ground: Ground, place: np.ndarray, last: np.ndarray | None, heading: float, half: np.ndarray
) -> np.ndarray:
    """The place (2,) nearest to one where a sole of half length and width (2,) lies well, and to the last choice."""
    c, s, out = math.cos(heading), math.sin(heading), np.empty(2)
    _choose(ground, place, place if last is None else last, c, s, half, out)
    return out


@compiled
def _choose(ground, place, last, c, s, half, out):
    best = math.inf
    for i in range(-PLACES, PLACES + 1):
        way = i * SPACE * half[0]
        x, y = place[0] + way * c, place[1] + way * s
        cost = abs(way) + STICK * math.hypot(x - last[0], y - last[1])
        if cost < best:
            cost += PRICE * max(_hangs(ground, x, y, c, s, half) - HANG, 0.0)
        if cost < best:
            best, out[0], out[1] = cost, x, y


@compiled
def _hangs(ground, x, y, c, s, half):
    """Greatest distance from the ground of a sole's long axis, and of what lies before and behind it [m]."""
    z, along, _ = lie(ground, x, y, c, s, half[0], half[1])
    most = 0.0
    for i in range(-4, 5):
        way = 0.25 * i * WIDE * half[0]
        most = max(most, abs(z + way * along - height(ground, x + way * c, y + way * s)))
    return most

r"""How heavy the body is, as the ground feels it: torques for a body that is not as heavy as its model.

What the ground carries tells the mass, however the body moves. Over the last T seconds, with f the vertical force of
all contacts and bars for exponential means,

.. math:: \hat λ = \frac{\bar f}{m\,(g + (\dot c_z - \bar{\dot c}_z)/T)}

Where all parts are λ times as heavy as in the model, :math:`λ (M \dot v + bias) = S^T τ + J^T f` is the model's own
equation of motion with torques and contact forces divided by λ: the same accelerations ask for λ times its torques.
"""

from __future__ import annotations

import math

import numpy as np

from poise.compiled import compiled
from poise.records import Record, Vector

MEMORY = 0.5  # [s] T
SURE = 0.05  # further from the model than this, a mass is believed; nearer, the model is
LEAST, MOST = 0.5, 2.0  # factors that are believed
CARRIED = 0.3  # of the weight: with less on the ground, nothing is learnt


class Weighing(Record):
    """A scale under the body."""

    share: Vector  # (1,) of the newest step in the means; 0 while nobody weighs
    mean: Vector  # (2,) of f [N] and ċ_z [m/s]
    factor: Vector  # (1,) of the model's torques: one until a mass is believed
    found: Vector  # (3,) λ that was measured last, whether it is believed, whether it has begun

    def __init__(self) -> None:
        self.share, self.mean, self.factor = np.zeros(1), np.zeros(2), np.ones(1)
        self.found = np.array([1.0, 0.0, 0.0])
        self.seal()

    def begin(self, dt: float) -> None:
        """Learn from now on, at every step of so many seconds; 0 is never."""
        self.share[0] = 1.0 - math.exp(-dt / MEMORY)


@compiled
def weigh(scale, f, speed, m, weight):
    """Learn from one step: vertical force of the ground and velocity of c; weight is m g [N]."""
    mean, found, share = scale.mean, scale.found, scale.share[0]
    if found[2] == 0.0:  # nothing has been felt yet, and never will be where forces are not measured
        mean[0], mean[1], found[2] = weight, speed, 1.0 if f != 0.0 else 0.0
        return
    mean[0] += share * (f - mean[0])
    mean[1] += share * (speed - mean[1])
    carried = weight + m * (speed - mean[1]) / MEMORY
    if min(carried, mean[0]) > CARRIED * weight:
        found[0] = min(max(mean[0] / carried, LEAST), MOST)
    if abs(found[0] - 1.0) > SURE:
        found[1] = 1.0
    if found[1] > 0.0:
        scale.factor[0] += share * (found[0] - scale.factor[0])

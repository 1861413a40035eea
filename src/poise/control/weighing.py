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
from poise.dynamics.state import State
from poise.records import Real, Record, Vector

MEMORY = 0.5  # [s] T
SURE = 0.05  # further from the model than this, a mass is believed; nearer, the model is
LEAST, MOST = 0.5, 2.0  # factors that are believed
CARRIED = 0.3  # of the weight: with less on the ground, nothing is learnt


class Weighing(Record):
    """A scale under the body; ``factor`` multiplies the model's torques: one until a mass is believed."""

    share: Real  # of the newest step in the means
    memory: Real  # [s]
    mean: Vector  # (2,) of f [N] and ċ_z [m/s]
    found: Vector  # (3,) λ that is used, λ that was measured last, whether it is believed

    def __init__(self, state: State, dt: float):
        self.share, self.memory = 1.0 - math.exp(-dt / MEMORY), MEMORY
        self.mean = np.array([-state.weight[2], state.G[2] / state.m])
        self.found = np.array([1.0, 1.0, 0.0])
        self.seal()

    @property
    def factor(self) -> float:
        return float(self.found[0])


@compiled
def weigh(state, scale, step):
    """Learn from one step; returns the factor of the torques. The first step has no force yet."""
    mean, found, speed = scale.mean, scale.found, state.G[2] / state.m
    if step == 0:
        return found[0]
    mean[0] += scale.share * (state.f[2] - mean[0])
    mean[1] += scale.share * (speed - mean[1])
    carried = -state.weight[2] + state.m * (speed - mean[1]) / scale.memory
    if carried > -CARRIED * state.weight[2] and mean[0] > -CARRIED * state.weight[2]:
        found[1] = min(max(mean[0] / carried, LEAST), MOST)
    if abs(found[1] - 1.0) > SURE:
        found[2] = 1.0
    if found[2] > 0.0:
        found[0] += scale.share * (found[1] - found[0])
    return found[0]

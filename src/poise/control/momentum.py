r"""Objectives on the momenta: the linear balance law, the angular law through the centre of pressure, and damping.

[Balance] eq. 5-10 and 15-16.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise.compiled import compiled
from poise.control.objective import Objective
from poise.dynamics.state import Measure, State


@dataclass(frozen=True)
class LinearMomentum(Objective):
    r"""The centre of mass accelerates as wanted: :math:`\dot L = m \ddot c_{des}` [N]."""

    rate: np.ndarray  # L̇ wanted [N], world axes
    weight: tuple[float, float, float]  # along x, y, z, per (c̈ / h)²
    height: float  # of the centre of mass at rest [m]: the scale

    def measure(self, state: State) -> Measure:
        return Measure(state.L, state.A_L, state.L_bias)

    def desired(self, state: State) -> np.ndarray:
        return self.rate

    def weights(self, state: State) -> np.ndarray:
        a, b, c = self.weight
        scale = 1.0 / (state.m * self.height) ** 2
        return np.array((a * scale, b * scale, c * scale))


@dataclass(frozen=True)
class AngularMomentum(Objective):
    r"""The spin about the centre of mass changes as wanted: :math:`\dot H = \dot H_{des}` [N m]."""

    rate: np.ndarray
    weight: tuple[float, float, float]
    height: float

    def measure(self, state: State) -> Measure:
        return Measure(state.H, state.A_H, state.H_bias)

    def desired(self, state: State) -> np.ndarray:
        return self.rate

    def weights(self, state: State) -> np.ndarray:
        a, b, c = self.weight
        scale = 1.0 / (state.m * self.height**2) ** 2
        return np.array((a * scale, b * scale, c * scale))


@compiled
def clamp_force(rate, weight, normal, low, high, mu):
    r"""Rate of linear momentum that the ground can give: its normal force in bounds, then its tangent in the cone.

    With f = L̇ - m g, the normal part is kept in [low, high] (eq. 15) and then the tangential part within μ times it
    (eq. 16). Changes ``rate`` in place.

    Args:
        rate: (3,) L̇ wanted [N].
        weight: (3,) m g [N].
        normal: Ground normal. low, high: Bounds of the normal force [N]. mu: Friction.
    """
    force = rate - weight
    push = force[0] * normal[0] + force[1] * normal[1] + force[2] * normal[2]
    tangent = force - push * normal
    push = min(max(push, low), high)
    size = np.sqrt(tangent[0] ** 2 + tangent[1] ** 2 + tangent[2] ** 2)
    if size > mu * push:
        tangent *= mu * push / size
    for k in range(3):
        rate[k] = weight[k] + push * normal[k] + tangent[k]


@compiled
def angular_rate(p, c, rate, weight, out):
    """Ḣ = (p - c) × (L̇ - m g): what a centre of pressure and a rate of linear momentum imply (eq. 9)."""
    x, y, z = p[0] - c[0], p[1] - c[1], p[2] - c[2]
    fx, fy, fz = rate[0] - weight[0], rate[1] - weight[1], rate[2] - weight[2]
    out[0] = y * fz - z * fy
    out[1] = z * fx - x * fz
    out[2] = x * fy - y * fx

r"""The angular balance law: steer the centre of pressure, and ask for the spin that goes with it ([Balance] eq. 8-10).

.. math:: \ddot p_{des} = k_h (p_r - p) - d_h \dot p, \qquad \dot H_{des} = (p_{des} - c) \times (\dot L_{des} - m g)
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from poise.compiled import compiled
from poise.control.momentum import AngularMomentum, angular_rate
from poise.dynamics.momentum import pressure_point
from poise.dynamics.state import State
from poise.geometry.polygon import project


@dataclass
class PressureLaw:
    """Holds the last centre of pressure, whose speed is found by difference. One per behaviour and take."""

    k: float  # [1/s²]
    d: float  # [1/s]
    weight: float  # of Ḣ about the horizontal axes, per (Ḣ / (m h²))²
    weight_vertical: float  # of Ḣ about the vertical
    d_vertical: float  # damping of H about the vertical [1/s]
    height: float  # scale h [m]
    dt: float  # between refreshes [s]
    polygon: np.ndarray = field(default_factory=lambda: np.zeros((0, 2)))  # support seen from above, convex
    size: int = 0  # its corners
    centre: np.ndarray = field(default_factory=lambda: np.zeros(3))  # p_r, on the ground
    _last: np.ndarray = field(default_factory=lambda: np.full(3, np.nan))
    _rate: np.ndarray = field(default_factory=lambda: np.zeros(3))

    def objective(self, state: State, wrench: np.ndarray, linear_rate: np.ndarray) -> AngularMomentum:
        """The objective of this tick, from a contact wrench (6) about c: the first pass's, or the measured one."""
        pressure_rate(wrench, state.c, state.H, state.ground.normal, self.centre, self.polygon, self.size, self.k,
                      self.d, self.dt, self.d_vertical, linear_rate, state.weight, self._last, self._rate)  # fmt: skip
        return AngularMomentum(self._rate, (self.weight, self.weight, self.weight_vertical), self.height)


@compiled
def pressure_rate(
    wrench, c, H, normal, centre, polygon, n, k, d, dt, d_vertical, linear_rate, weight, last, out
):
    """Ḣ wanted: eq. 8 over a tick from the centre of pressure of ``wrench``, then eq. 9."""
    p, near = np.empty(3), np.empty(2)
    if not pressure_point(c, wrench[:3], wrench[3:], centre, normal, p):
        p[:] = centre
    project(polygon, n, p[:2], near)
    p[:2] = near
    for i in range(3):
        speed = 0.0 if np.isnan(last[i]) else (p[i] - last[i]) / dt
        last[i] = p[i]
        speed += dt * (k * (centre[i] - p[i]) - d * speed)
        p[i] += dt * speed
    project(polygon, n, p[:2], near)
    p[:2] = near
    angular_rate(p, c, linear_rate, weight, out)
    out[2] = -d_vertical * H[2]

r"""The angular balance law: steer the centre of pressure, and ask for the spin that goes with it ([Balance] eq. 8-10).

.. math:: \ddot p_{des} = k_h (p_r - p) - d_h \dot p, \qquad \dot H_{des} = (p_{des} - c) \times (\dot L_{des} - m g)
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from poise.control.momentum import AngularMomentum, angular_rate, pressure_point
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
    shrink: float = 0.9  # of the support that the target may use
    plane: np.ndarray = field(default_factory=lambda: np.zeros(3))  # a point of the ground
    polygon: np.ndarray = field(default_factory=lambda: np.zeros((0, 2)))  # support seen from above, convex
    centre: np.ndarray = field(default_factory=lambda: np.zeros(3))  # p_r
    _last: np.ndarray | None = None
    _out: np.ndarray = field(default_factory=lambda: np.zeros(2))

    def objective(self, state: State, ideal: np.ndarray | None, linear_rate: np.ndarray) -> AngularMomentum:
        """The objective of this tick, from the first pass's ideal centre of pressure or else the measured one."""
        p = np.zeros(3)
        if ideal is not None:
            p[:] = ideal
        elif not pressure_point(state.c, state.f[:3], state.f[3:], self.plane, state.ground.normal, p):
            p[:] = self.centre
        self._inside(p)
        speed = np.zeros(3) if self._last is None else (p - self._last) / self.dt
        self._last = p.copy()
        speed += self.dt * (self.k * (self.centre - p) - self.d * speed)
        p += self.dt * speed
        self._inside(p)
        rate = np.zeros(3)
        angular_rate(p, state.c, linear_rate, state.m * state.g, rate)
        rate[2] = -self.d_vertical * state.H[2]
        return AngularMomentum(rate, (self.weight, self.weight, self.weight_vertical), self.height)

    def _inside(self, p: np.ndarray) -> None:
        if len(self.polygon) >= 3:
            project(self.polygon, len(self.polygon), p[:2], self._out)
            p[:2] = self._out

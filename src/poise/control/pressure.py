r"""The angular balance law: lead the centre of pressure to the middle of the support ([Balance] eq. 8-10).

On flat ground the centre of pressure p is the zero-moment point (ZMP). The first pass of a tick leaves this law out and
finds the p that the other objectives would like; the second asks for the rate of angular momentum that puts p a little
nearer to the middle p_r:

.. math:: \ddot p_{des} = k (p_r - p) - d\, \dot p, \qquad \dot H_{des} = (p_{des} - c) \times (\dot L_{des} - m g)

Over a tick of length h, with ṗ from a difference of two ticks, explicit integration of the left law is

.. math:: p_{des} = p + (1 - d h)(p - p_{last}) + k h^2 (p_r - p)

A p that alternates from tick to tick then comes back 3 - 2 d h - k h² times as large (2.7 with the gains of standing),
and the body answers with a tone at half the tick rate. The law amplifies no frequency only where d h ≥ 1, that is
where the difference has no weight left. So every tick starts from p at rest, and is integrated implicitly:

.. math:: p_{des} = p + \frac{k h^2}{1 + d h + k h^2} (p_r - p)

which shrinks every offset at every frequency, for all gains and all ticks, and remembers nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from poise.compiled import compiled
from poise.control.momentum import AngularMomentum, angular_rate
from poise.dynamics.momentum import pressure_point
from poise.dynamics.state import State
from poise.geometry.polygon import project


@dataclass
class PressureLaw:
    """Wanted rate of angular momentum from a contact wrench. A behaviour keeps one, and moves its support."""

    k: float  # [1/s²]
    d: float  # [1/s]
    weight: float  # of Ḣ about the horizontal axes, per (Ḣ / (m h²))²
    weight_vertical: float  # of Ḣ about the vertical
    d_vertical: float  # damping of H about the vertical [1/s]
    height: float  # of the centre of mass at rest [m]: the scale
    dt: float  # between refreshes [s]
    polygon: np.ndarray = field(default_factory=lambda: np.zeros((0, 2)))  # support seen from above, convex
    size: int = 0  # its corners
    centre: np.ndarray = field(default_factory=lambda: np.zeros(3))  # p_r, on the ground

    def __post_init__(self) -> None:
        pull = self.k * self.dt**2
        self._pull = pull / (1.0 + self.d * self.dt + pull)  # share of the way to p_r in one tick
        self._rate = np.zeros(3)
        weight = self.weight, self.weight, self.weight_vertical
        self._asked = AngularMomentum(self._rate, weight, self.height)

    def objective(self, state: State, wrench: np.ndarray, linear_rate: np.ndarray) -> AngularMomentum:
        """The objective of this tick, from a contact wrench (6) about c: the first pass's, or the measured one."""
        pressure_rate(wrench, state.c, state.ground.normal, self.centre, self.polygon, self.size, self._pull,
                      linear_rate, state.weight, self._rate)  # fmt: skip
        self._rate[2] = -self.d_vertical * state.H[2]
        if self._asked.weight[0] != self.weight:
            self._asked = replace(self._asked, weight=(self.weight, self.weight, self.weight_vertical))
        return self._asked


@compiled
def pressure_rate(wrench, c, normal, centre, polygon, n, pull, linear_rate, weight, out):
    """Ḣ wanted: the centre of pressure of ``wrench``, kept in the support and drawn to its centre, then eq. 9."""
    p, inside = np.empty(3), np.empty(2)
    if not pressure_point(c, wrench[:3], wrench[3:], centre, normal, p):
        p[:] = centre
    project(polygon, n, p[:2], inside)
    p[:2] = inside
    for i in range(3):
        p[i] += pull * (centre[i] - p[i])
    angular_rate(p, c, linear_rate, weight, out)

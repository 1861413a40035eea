r"""What a body knows of its own motion: what others do to it is felt late, what it does itself is known at once.

Nerves take time τ. A body still knows what it has told its muscles meanwhile (an efference copy), so that it carries
the last thing it felt on by its own doing, with G = (L, H) and the rate of momentum that its solver found:

.. math:: \hat G(t) = G(t - τ) + \int_{t-τ}^{t} \dot G_{own}, \qquad \hat c(t) = c(t - τ) + \int_{t-τ}^{t} \hat L / m

A push is no part of the integral: it is felt τ after it happened. Undisturbed, what is felt is what is, so that a delay
costs nothing but the answer's delay. Joints that hold their pose and soles that hold their place are below this: they
answer at once, as muscles' own stiffness and the shortest reflexes do.
"""

from __future__ import annotations

import numpy as np

from poise.dynamics.state import State
from poise.geometry.linear import norm

SHOVED = 0.1  # [m/s] of the centre of mass that is not the body's own doing: somebody pushed
SPAN = 0.1  # [s] in which


class Felt:
    """Centre of mass and momenta as they are felt.

    Attributes:
        c: (3,) [m]. G: (6,) momenta, L and H its halves.
        shove: (2,) change of velocity that others made in the last tenth of a second that was felt [m/s].
    """

    def __init__(self, state: State, delay: float, dt: float, own: np.ndarray):
        """``own`` is the rate of momentum (6,) that the solver finds, overwritten by it."""
        self.dt, self.late, self.span = dt, round(delay / dt), max(round(SPAN / dt), 1)
        n = self.late + self.span + 1
        self._own, self._rates = own, np.zeros((n, 6))  # of the ticks that end now, one tick ago, ...
        self._G, self._c = np.tile(state.G, (n, 1)), np.tile(state.c, (n, 1))
        self.c, self.G, self.shove = state.c.copy(), state.G.copy(), np.zeros(2)
        self.L, self.H = self.G[:3], self.G[3:]

    def look(self, state: State) -> None:
        """One tick later."""
        for kept, now in ((self._G, state.G), (self._c, state.c), (self._rates, self._own)):
            kept[1:] = kept[:-1].copy()
            kept[0] = now
        n, dt = self.late, self.dt
        self.G[:], self.c[:] = self._G[n], self._c[n]
        for k in range(n - 1, -1, -1):
            self.c += dt / state.m * (self.L + 0.5 * dt * self._rates[k, :3])
            self.G += dt * self._rates[k]
        own = dt * self._rates[n : n + self.span, :2].sum(axis=0)
        self.shove[:] = (self._G[n, :2] - self._G[n + self.span, :2] - own) / state.m

    @property
    def shoved(self) -> bool:
        """Whether somebody has just pushed."""
        return float(norm(self.shove)) > SHOVED

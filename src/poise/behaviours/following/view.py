"""Where a score lies in the world: seen from the foot that stands, so that drift costs nothing."""

from __future__ import annotations

import math

import numpy as np

from poise.geometry import quat
from poise.geometry.linear import times


class View:
    """Turn about the vertical and shift that take the clip's ground plane to the world's."""

    def __init__(self) -> None:
        self.turn, self.anchor, self.there = 0.0, np.zeros(2), np.zeros(2)
        self._set(0.0)

    def _set(self, turn: float) -> None:
        self.turn = turn
        self.c, self.s = math.cos(turn), math.sin(turn)
        self.quat = np.array([math.cos(0.5 * turn), 0.0, 0.0, math.sin(0.5 * turn)])

    def face(self, turn: float) -> None:
        """Turn the clip about the vertical [rad], from how it was captured."""
        self._set(turn)

    def look(self, place: np.ndarray, sole: np.ndarray, share: float) -> None:
        """Go a share of the way to the view from a print (2,) whose sole is found at ``sole`` (2,)."""
        self.there = self.point(place)  # the same view, about another point
        self.anchor = place
        self.there = self.there + share * (sole - self.there)

    def carry(self, by: np.ndarray) -> None:
        """Move the clip along the ground by (2,) [m]."""
        self.there = self.there + by

    def onward(self, shift: np.ndarray, angle: float) -> None:
        """See a round of a loop where the next one was: the clip turned by an angle [rad], then shifted (2,) [m]."""
        c, s = math.cos(angle), math.sin(angle)
        self.anchor = times([[c, s], [-s, c]], self.anchor - shift)
        self._set(self.turn + angle)

    def veer(self, angle: float) -> None:
        """Turn the clip about its anchor by an angle [rad]."""
        self._set(self.turn + angle)

    def vector(self, u: np.ndarray) -> np.ndarray:
        """A vector of the clip, (2,) or (3,), in the world."""
        out = np.array(u, float)
        out[0], out[1] = self.c * u[0] - self.s * u[1], self.s * u[0] + self.c * u[1]
        return out

    def point(self, x: np.ndarray) -> np.ndarray:
        """A place of the clip, (2,) or (3,), in the world."""
        out = np.array(x, float)
        dx, dy = x[0] - self.anchor[0], x[1] - self.anchor[1]
        out[0] = self.there[0] + self.c * dx - self.s * dy
        out[1] = self.there[1] + self.s * dx + self.c * dy
        return out

    def rotation(self, q: np.ndarray) -> np.ndarray:
        """A rotation (4,) of the clip in the world."""
        return quat.multiply(self.quat, q)

"""Where a score lies in the world: seen from the foot that stands, so that drift costs nothing."""

from __future__ import annotations

import math

import numpy as np

from poise.compiled import compiled
from poise.geometry import quat_jit
from poise.geometry.linear import times
from poise.motion.score import columns as cols
from poise.motion.score.samples import at


def starts(*columns: slice) -> np.ndarray:
    """Where columns begin."""
    return np.array([column.start for column in columns])


BODY = starts(cols.C, cols.P), starts(cols.V, cols.A, cols.H, cols.H_DOT, cols.SPIN)  # places, and vectors,
SOLE = starts(cols.X), starts(cols.X_DOT, cols.X_DDOT, cols.W, cols.W_DOT)  # by where they begin in a row


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
        return _vector(u, self.c, self.s)

    def point(self, x: np.ndarray) -> np.ndarray:
        """A place of the clip, (2,) or (3,), in the world."""
        return _point(x, self.c, self.s, self.anchor, self.there)

    def rotation(self, q: np.ndarray) -> np.ndarray:
        """A rotation (4,) of the clip in the world."""
        return quat_jit.multiply(self.quat, q)

    def body_at(self, table: np.ndarray, s: float) -> np.ndarray:
        """A row of a score's table of the body at a sample, in the world."""
        return _row(table, s, self.c, self.s, self.anchor, self.there, *BODY)

    def sole_at(self, table: np.ndarray, s: float) -> np.ndarray:
        """A row of a score's table of a sole at a sample, in the world; its axes stay the clip's, see ``rotation``."""
        return _row(table, s, self.c, self.s, self.anchor, self.there, *SOLE)


@compiled
def _vector(u, c, s):
    out = u.copy()
    _turn(out, 0, c, s)
    return out


@compiled
def _point(x, c, s, anchor, there):
    out = x.copy()
    _place(out, 0, c, s, anchor, there)
    return out


@compiled
def _row(table, sample, c, s, anchor, there, places, vectors):
    """The row at a sample, its columns at ``places`` and ``vectors`` taken to the world."""
    out = at(table, sample)
    for i in places:
        _place(out, i, c, s, anchor, there)
    for i in vectors:
        _turn(out, i, c, s)
    return out


@compiled
def _turn(out, i, c, s):
    x, y = out[i], out[i + 1]
    out[i], out[i + 1] = c * x - s * y, s * x + c * y


@compiled
def _place(out, i, c, s, anchor, there):
    dx, dy = out[i] - anchor[0], out[i + 1] - anchor[1]
    out[i] = there[0] + c * dx - s * dy
    out[i + 1] = there[1] + s * dx + c * dy

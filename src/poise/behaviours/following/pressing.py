"""Where a followed body presses on the ground: where its feedback asks, as far as its soles reach, and spin beyond."""

from __future__ import annotations

import math

import numpy as np

from poise.behaviours.following.feet import Foot
from poise.behaviours.following.paths import pressable
from poise.behaviours.following.view import View
from poise.dynamics.state import State
from poise.geometry.linear import times
from poise.motion.score import Score
from poise.motion.score.samples import at

BEYOND = 0.1  # in heights: how far outside its support the body may be pushed from, by spin,
LEAN = 1.0  # [rad] and until its trunk leans so much more than the clip's that way
HARDLY = 1e-4  # [m]: a pressure that is so little outside its support is in it
ROOM = 0.92  # of a sole that the pressure may use


class Pressing:
    """The pressure that feet can give, what it lacks, and what spin does of that."""

    def __init__(self, state: State, score: Score, feet: tuple[Foot, Foot], h: float):
        self.score, self.feet, self.h = score, feet, h
        self.away, self.beyond = np.zeros(
            (2, 2)
        )  # (2,) what the pressure lacks, and what spin makes up for [m]
        self._trunk = state.tree.body0 + state.tree.body(state.character.trunk)

    def put(self, state: State, p: np.ndarray, view: View, s: float) -> np.ndarray:
        """Where the soles can press, next to where they should; spin does some more."""
        near = self.nearest(state, p)
        away = self.away = p - near
        far = math.hypot(*away.tolist())
        if far < HARDLY:
            self.beyond[:] = 0.0
            return near
        room = min(max(1.0 - float(times(self.lean(state, view, s), away)) / (far * LEAN), 0.0), 1.0)
        self.beyond = away * min(1.0, room * BEYOND * self.h / far)
        return near

    @property
    def free(self) -> bool:
        """Whether the soles cannot press as they should, so that spin is not asked for."""
        return math.hypot(*self.away.tolist()) >= HARDLY

    def room(self, free: float) -> tuple[float, float]:
        """For x and y 1 where the pressure lacks nothing that way, 0 where it lacks ``free`` [m] or more."""
        x, y = (min(max(1.0 - abs(away) / free, 0.0), 1.0) for away in self.away.tolist())
        return x, y

    def nearest(self, state: State, p: np.ndarray) -> np.ndarray:
        """Nearest point (2,) of what the touching corners span; p itself in the air."""
        left, right = (foot.leg.support if foot.planted else -1 for foot in self.feet)
        return pressable(state, left, right, ROOM, p)

    def lean(self, state: State, view: View, s: float) -> np.ndarray:
        """How much more than the clip's the trunk leans, and where to (2,), about [rad]."""
        own, up = self.score.trunk
        now = times(state.data.xmat[self._trunk].reshape(3, 3), own)
        return now[:2] - view.vector(at(up, s))[:2]

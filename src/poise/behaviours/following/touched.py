"""Touched: which parts of a body the clip itself brings together."""

from __future__ import annotations

import mujoco

from poise.dynamics.state import State
from poise.motion.clip import Clip
from poise.motion.collide import meet

CLOSE = 0.02  # in heights: parts that are so near in the clip touch there,
ABOUT = 0.1  # [s] before or after


class Touched:
    """Asked now and then, and remembers what it said."""

    def __init__(self, clip: Clip, state: State):
        self.clip, self.close = clip, CLOSE * float(clip.character.com_rest[2])
        self.data = mujoco.MjData(clip.character.model)
        self._before = _first(state.model, state.tree.body0) - _first(clip.character.model, 1)
        self._known: dict[tuple[int, int, int], bool] = {}

    def about(self, t: float, a: int, b: int) -> bool:
        """Whether two shapes of the world's model are close in the clip about a time [s] from its start."""
        key = round(t / ABOUT), a - self._before, b - self._before
        if key not in self._known:
            times = [self.clip.start + (key[0] + by) * ABOUT for by in (-1, -0.5, 0, 0.5, 1)]
            self._known[key] = meet(self.clip, self.data, times, key[1:2], key[2:], self.close)
        return self._known[key]


def _first(model: mujoco.MjModel, body: int) -> int:
    """The first shape of a body and those after it."""
    return next(g for g in range(model.ngeom) if model.geom_bodyid[g] >= body)

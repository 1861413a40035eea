"""Spared: arms of a body that follows a clip in place stop before they strike what they do not touch in the clip."""

from __future__ import annotations

import math
from collections.abc import Sequence

from poise.behaviours.following.touched import Touched
from poise.behaviours.stepping.legs import Legs
from poise.control.apart import Apart, Near, limbs_of
from poise.control.objective import Objective
from poise.dynamics.state import State
from poise.geometry.linear import norm
from poise.motion.clip import Clip

TOUCH = 0.001  # in heights: parts that only come near each other are left alone
AHEAD = 0.15  # in √(h/g): arms that would strike something in less are stopped


class Spared:
    """Further objectives of a balance; see ``Follow.ahead``, which does the same for clips that step."""

    def __init__(self, clip: Clip):
        self.clip = clip
        self._body: State | None = None

    def __call__(self, t: float, state: State) -> Sequence[Objective]:
        if state is not self._body:
            self._begin(state)
        self._t = t
        found = self._limbs.rows(state)
        strikes = [] if found is None else [pair for pair in found.pairs if pair.ahead]
        return (Apart(strikes, self._limbs.h, TOUCH),) if strikes else ()

    def _begin(self, state: State) -> None:
        legs = Legs(state.character)
        self._body, self._touched = state, Touched(self.clip, state)
        ahead = AHEAD * math.sqrt(legs.height / norm(state.g))
        limbs = limbs_of(state.character, [leg.bodies for leg in legs.both])
        self._limbs = Near(state, limbs, TOUCH, ahead, self._meant)

    def _meant(self, a: int, b: int) -> bool:
        return self._touched.about(self._t, a, b)

"""Beyond [Abstract]: landings that give way to the side, so that a push from there need not be held on fixed prints.

The error of the divergent part ξ = c + ċ/ω grows as exp(ω t) until the foot lands; the foot is led a share of that
farther. The feedback undoes the rest, so a share of one would be too much.
"""

from __future__ import annotations

import numpy as np

from poise.behaviours.planned.course import Course, course, landings
from poise.behaviours.planned.online import Online
from poise.behaviours.planned.reference import Reference
from poise.behaviours.planned.segments import Controller
from poise.character.constants import GRAVITY

EVERY = 3  # frames between two looks
EARLIEST, LATEST = 45, 8  # frames before a landing between which it is moved
FARTHEST, INWARD = 0.2, 0.06  # [m] away from the other foot and towards it


class Sideways:
    """The course of one performance, laid anew as its landings move. ``gain`` zero keeps the prints of the clip."""

    def __init__(
        self, ref: Reference, control: Controller, steps: np.ndarray | None, lead: float, gain: float
    ):
        self.ref, self.control, self.lead, self.gain = ref, control, lead, gain
        self._order = landings(ref)
        self._steps = np.zeros((len(self._order), 3))
        if steps is not None:
            self._steps[: len(steps)] = steps[: len(self._order)]
        self._base = self._steps.copy()
        self._next = ref.feet.next_landing(never=10**6)
        self._rate = float(np.sqrt(GRAVITY / ref.character.com_rest[2]))
        way = ref.x[-1, :2] - ref.x[0, :2]
        self._left = np.array([-way[1], way[0]]) / max(float(np.linalg.norm(way)), 1e-9)
        self.way = self._before = course(ref, control, steps, lead)
        self._landing = -1

    def look(self, i: int, online: Online) -> Course:
        """The course as of frame i of the performance."""
        if self.gain == 0.0 or i % EVERY:
            return self.way
        k = min(int(online.frame), self.ref.frames - 1)
        soon = self._next[k] - k
        for foot in np.flatnonzero((soon >= LATEST) & (soon <= EARLIEST)):
            self._move(k, int(foot), int(self._next[k, foot]), online)
        return self.way

    def _move(self, k: int, foot: int, landing: int, online: Online) -> None:
        """Lead the landing of a swinging foot aside, and all that follow along with it."""
        ref, stances = self.ref, self.ref.feet.stances
        j = next(
            n for n, i in enumerate(self._order) if (stances[i].support, stances[i].first) == (foot, landing)
        )
        if j != self._landing:
            self._landing, self._before = j, self.way
        error = online.x[:2] - ref.x[k, :2] - self._before.drift[k, :2]
        error += (online.x[3:5] - ref.x[k, 3:5]) / (ref.character.mass * self._rate)
        left = (landing - k) * ref.h / max(online.rate, 0.2)
        grown = self.gain * float(error @ self._left) * np.exp(self._rate * left)
        out = np.sign((ref.feet.place[k, foot, :2] - ref.feet.place[k, 1 - foot, :2]) @ self._left)
        aside = float(np.clip(out * grown, -INWARD, FARTHEST)) * out
        self._steps[j, :2] = self._base[j, :2] + aside * self._left
        self.way = course(ref, self.control, self._steps, self.lead)

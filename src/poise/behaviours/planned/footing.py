"""Where a walking body in physics really puts its feet: the plan's footprints, moved by what pushes have done to it.

Errors of the divergent part ξ = c + ċ/ω of the motion grow as exp(ω t) until the next landing; a foot put down just as
far from its planned place has it in the right place again. After a landing the rest of the plan goes on from the foot
as it stands: ``anchor`` is how far that is from its footprint.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise.behaviours.planned.course import Course
from poise.behaviours.planned.reference import Reference
from poise.geometry.easing import cubic_rates

FARTHEST = np.array([0.30, 0.30])  # [m] ahead and aside that a landing is moved at the most
INWARD = 0.08  # [m] of it towards the other foot
ON_STAIRS = 0.03  # [m] ahead at the most where the ground is not level: the tread ends
CALM = 0.3  # share of the gain there
SETTLED = 0.06  # [s] before landing from which on the place is kept
BACK, BACK_STEP = 0.3, 0.015  # share of the anchor that a step takes back, and the most of it [m]


@dataclass
class Footing:
    """Landings of one take. ``gain`` is the share of the growing error that a step takes up; zero keeps the plan."""

    ref: Reference
    way: Course
    rate: float  # ω = √(g/h) [1/s]
    gain: float = 1.0

    def __post_init__(self) -> None:
        self.anchor, self.shift = np.zeros(3), np.zeros(2)
        self._origin = np.zeros(self.way.place.shape[1:])  # of each foot from its footprint as it was lifted
        self._landing = self.ref.feet.next_landing(never=self.ref.frames - 1)
        self._level = not np.any(self.way.rises)

    def aim(self, c: np.ndarray, c_dot: np.ndarray, k: int, pace: float, foot: int) -> np.ndarray:
        """Shift (2,) of the landing of a swinging foot from its planned place, given the state at frame k [m]."""
        ref, left = self.ref, (self._landing[k, foot] - k) * self.ref.h / max(pace, 0.2)
        if left < SETTLED:
            return self.shift
        plan = ref.x[k, :2] + self.way.drift[k, :2] + ref.x[k, 3:5] / (ref.character.mass * self.rate)
        error = c[:2] - self.anchor[:2] + c_dot[:2] / self.rate - plan
        back = np.clip(-BACK * self.anchor[:2], -BACK_STEP, BACK_STEP)
        gain = self.gain * (1.0 if self._level else CALM)
        wanted = gain * error * np.exp(self.rate * left) + back
        self.shift[:] = self._bounded(wanted, k, foot)
        return self.shift

    def _bounded(self, shift: np.ndarray, k: int, foot: int) -> np.ndarray:
        most = FARTHEST if self._level else np.minimum(FARTHEST, [ON_STAIRS, np.inf])
        low, high = -most, most.copy()
        side = np.sign(self.ref.feet.place[k, foot, 1] - self.ref.feet.place[k].mean(axis=0)[1])
        if side > 0:
            low[1] = -INWARD
        else:
            high[1] = INWARD
        return np.clip(shift, low, high)

    def swing(self, k: float, foot: int) -> tuple[np.ndarray, np.ndarray]:
        """Shift (3,) of a swinging foot's path at a frame [m], and its rate [m/frame], from where it was lifted."""
        share, faster = self._share(k, foot)
        there = self.anchor.copy()
        there[:2] += self.shift
        way = there - self._origin[foot]
        return self._origin[foot] + share * way, faster * way

    def _share(self, k: float, foot: int) -> tuple[float, float]:
        end = float(self._landing[min(int(k), self.ref.frames - 1), foot])
        start = float(self._lift(int(k), foot))
        frames = max(end - start, 1.0)
        share, rate, _ = cubic_rates((k - start) / frames)
        return share, rate / frames

    def _lift(self, k: int, foot: int) -> int:
        on = self.ref.feet.on[: k + 1, foot].any(axis=1)
        before = np.flatnonzero(on)
        return int(before[-1]) if len(before) else 0

    def lift(self, place: np.ndarray, k: int, foot: int) -> None:
        """A foot leaves the ground at ``place`` (3,)."""
        self._origin[foot] = place - self.way.place[k, foot]

    def land(self, place: np.ndarray, k: int, foot: int) -> None:
        """A foot has come down at ``place`` (3,): from now on the plan goes on from there."""
        self.anchor[:2] = place[:2] - self.way.place[k, foot, :2]
        self.shift[:] = 0.0

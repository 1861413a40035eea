"""One step as an example: poses about the support foot, and when the other foot is in the air."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from poise.behaviours.example_steps.legs import TwoLegs
from poise.behaviours.example_steps.profile import Timing
from poise.character.character import Character
from poise.geometry import quat
from poise.motion import coordinates as layout
from poise.motion.clip import Clip
from poise.motion.mirror import mirror_pose

RATE = 30.0  # [Hz] of the poses that are kept


@dataclass(frozen=True, eq=False)
class Step:
    """A step, normalised: the support sole stands at the origin, heading along x.

    Attributes:
        swing: 0 when the left foot steps, 1 for the right.
        q: (n, nq) poses, evenly spaced from ``timing.begin`` = 0 to ``timing.end``.
        timing: When the foot leaves and meets the ground [s].
        start, goal: (3,) where the swing sole stands before and after: x, y [m], heading [rad].
        source: What it was taken from.
    """

    swing: int
    q: np.ndarray
    timing: Timing
    start: np.ndarray
    goal: np.ndarray
    source: str = ""

    def clip(self, character: Character) -> Clip:
        """Its poses over time."""
        return Clip(character, np.linspace(0.0, self.timing.end, len(self.q)), self.q)

    def mirrored(self, character: Character) -> Step:
        """Left and right exchanged."""
        q = np.stack([mirror_pose(character, frame) for frame in self.q])
        flip = np.array([1.0, -1.0, -1.0])
        return replace(
            self, swing=1 - self.swing, q=q, start=self.start * flip, goal=self.goal * flip,
            source=f"{self.source}, mirrored",
        )  # fmt: skip


def heading_of(turn: np.ndarray) -> float:
    """Where a foot points, seen from above [rad]."""
    ahead = quat.rotate(turn, np.array([1.0, 0.0, 0.0]))
    return float(np.arctan2(ahead[1], ahead[0]))


def print_of(legs: TwoLegs, q: np.ndarray, i: int) -> np.ndarray:
    """x, y [m] and heading [rad] of a sole (3,)."""
    place, turn = legs.foot(q, i)
    return np.array([place[0], place[1], heading_of(turn)])


def middle_of(legs: TwoLegs, q: np.ndarray) -> np.ndarray:
    """Between the soles (2,) [m]."""
    return 0.5 * (print_of(legs, q, 0)[:2] + print_of(legs, q, 1)[:2])


def relative(footprint: np.ndarray, to: np.ndarray) -> np.ndarray:
    """A footprint (3,) as seen from another."""
    c, s = np.cos(to[2]), np.sin(to[2])
    dx, dy = footprint[:2] - to[:2]
    return np.array([c * dx + s * dy, c * dy - s * dx, wrapped(footprint[2] - to[2])])


def absolute(footprint: np.ndarray, to: np.ndarray) -> np.ndarray:
    """A footprint (3,) seen from another, in the world."""
    c, s = np.cos(to[2]), np.sin(to[2])
    x, y = footprint[:2]
    return np.array([to[0] + c * x - s * y, to[1] + s * x + c * y, wrapped(footprint[2] + to[2])])


def wrapped(angle: float) -> float:
    """The same turn, within half a revolution."""
    return float((angle + np.pi) % (2 * np.pi) - np.pi)


def cut(clip: Clip, legs: TwoLegs, swing: int, timing: Timing, source: str) -> Step:
    """The step of a clip between two times, normalised."""
    n = max(4, round((timing.end - timing.begin) * RATE) + 1)
    q = np.array([clip.at(t) for t in np.linspace(timing.begin, timing.end, n)])
    base = print_of(legs, clip.at(0.5 * (timing.lift + timing.land)), 1 - swing)
    turned = layout.relocated(q, relative(np.zeros(3), base)[:2], -base[2])
    q = layout.aligned(clip.character.model, turned)
    start, goal = (print_of(legs, q[k], swing) for k in (0, -1))
    return Step(swing, q, timing.scaled(timing.end - timing.begin), start, goal, source)

"""Examples of anticipation out of captured clips: the movement to their most marked pose and on from there.

A clip's distance from rest rises as the captured person ducks or blocks. The example begins at the foot of that rise,
has *reached* its key pose where the rise ends, and goes on as captured for as long as it is wanted. Feet stay where the
body that uses it has them; of the captured centre of mass only a small lean over its feet is kept.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import mujoco
import numpy as np

from poise.behaviours.example_steps.legs import TwoLegs
from poise.character.character import Character
from poise.errors import BadInput
from poise.geometry import quat
from poise.geometry.linear import norm
from poise.motion.clip import Clip

RATE = 60.0  # [Hz] at which a clip is searched
FOOT, TOP = 0.25, 0.9  # parts of the rise where it begins, and where the key pose is reached
LONG = 1.2  # [s] before the key pose, at the most
QUICKEST = 0.15  # [s] from where it begins to the key pose, at the least
LEAN = 0.04  # [heights of the centre of mass] beside the middle of the feet, at the most


@dataclass(frozen=True, eq=False)
class Example:
    """A captured movement, its time from where it begins."""

    clip: Clip
    begin: float  # [s] of the clip
    reached: float  # [s] from there to the key pose
    turn: np.ndarray  # (4,) from the captured heading to the body's own

    def at(self, t: float) -> np.ndarray:
        """The pose (nq,) after a time [s], turned to face as the body does, its place as captured."""
        q = np.array(self.clip.at(float(np.clip(self.begin + t, self.clip.start, self.clip.end))))
        q[3:7] = quat.multiply(self.turn, q[3:7])
        return q


def example_from(clip: Clip, character: Character, at: float = math.nan) -> Example:
    """The movement of a clip to the pose that differs most from rest, or to that at a time [s]."""
    times = np.arange(clip.start, clip.end, 1.0 / RATE)
    apart = np.array([_apart(character, clip.at(t)) for t in times])
    if math.isnan(at):
        peak = int(np.argmax(apart))
    elif clip.start <= at <= clip.end:
        peak = min(int((at - clip.start) * RATE), len(times) - 1)
    else:
        raise BadInput(f"option motion.pose={at} s; the clip has {clip.start:g} to {clip.end:g} s")
    rise = (apart - apart.min()) / max(float(apart[peak] - apart.min()), 1e-9)
    first = int(np.flatnonzero(rise[: peak + 1] <= FOOT)[-1]) if rise[: peak + 1].min() <= FOOT else 0
    reached = first + int(np.argmax(rise[first : peak + 1] >= TOP))
    begin = max(times[first], times[reached] - LONG)
    legs = TwoLegs(character)
    turn = quat.from_rotvec(np.array([0.0, 0.0, -_heading(legs, clip.at(begin))]))
    return Example(clip, float(begin), max(float(times[reached] - begin), QUICKEST), turn)


def lean(legs: TwoLegs, q: np.ndarray) -> np.ndarray:
    """Centre of mass beside the middle of the feet along the ground (2,) [m], as far as a standing body may have it."""
    feet = [legs.foot(q, i)[0][:2] for i in range(2)]
    aside, most = legs.com(q)[:2] - np.mean(feet, axis=0), LEAN * float(legs.character.com_rest[2])
    return aside * min(1.0, most / max(float(norm(aside)), 1e-9))


def _heading(legs: TwoLegs, q: np.ndarray) -> float:
    """Where both feet point on the whole [rad]."""
    ways = [quat.rotate(legs.foot(q, i)[1], np.array([1.0, 0.0, 0.0])) for i in range(2)]
    x, y, _ = np.sum(ways, axis=0)
    return math.atan2(y, x)


def _apart(character: Character, q: np.ndarray) -> float:
    """How far a pose is from rest, place and heading aside: lower, bent, arms up."""
    gap = np.empty(character.model.nv)
    mujoco.mj_differentiatePos(character.model, gap, 1.0, np.asarray(character.q_rest), q)
    gap[:2], gap[5] = 0.0, 0.0
    gap[2] *= 10.0  # a metre counts as ten radians
    return float(np.linalg.norm(gap))

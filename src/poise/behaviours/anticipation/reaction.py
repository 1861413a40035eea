"""Clips of a reaction: from idle to a key pose and back, joints eased, soles planted, the CM led over them."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

import numpy as np

from poise.behaviours.anticipation.arms import Arms
from poise.behaviours.anticipation.clips import Example, lean
from poise.behaviours.anticipation.moves import BLOCKING, HANDS, Move, key_pose
from poise.behaviours.anticipation.threat import Sight
from poise.behaviours.example_steps.legs import TwoLegs
from poise.character.character import Character
from poise.geometry import quat
from poise.geometry.easing import quintic
from poise.motion.clip import Clip
from poise.motion.coordinates import between

Found = TypeVar("Found")
QUICK, SLOW = 0.2, 0.45  # [s] from idle to the key pose, as the ball allows
EARLY = 0.03  # [s] before the ball comes, that the key pose should be reached
INTO = 0.6  # of the way to the key pose of a captured movement, over which idle gives way to it
HOLD = 0.25  # [s] that it is held after the ball has passed
BACK = 0.9  # [s] back to idle
RATE = 40.0  # [Hz]
LATE = 0.35  # of the way, when a foot that is lifted leaves the ground: the weight goes first
CARRY = 0.8  # [m/m] that the centre of mass moves with the pelvis


def timed(make: Callable[..., Found], *given) -> tuple[Found, float]:
    """What a function makes, and how long that took [ms]."""
    start = time.perf_counter()
    return make(*given), 1e3 * (time.perf_counter() - start)


class Reaction:
    """Makes clips of one body that idles in a pose, at rest where none is given; keeps its buffers."""

    def __init__(self, character: Character, idle: np.ndarray | None = None):
        self.character, self.legs, self.arms = character, TwoLegs(character), Arms(character)
        self.idle = np.array(character.q_rest if idle is None else idle)
        self._com, self._feet = self.legs.com(self.idle)[:2], self.places(self.idle)

    def meet(
        self, move: Move, sight: Sight, example: Example | None = None
    ) -> tuple[Clip, np.ndarray, float]:
        """A move against what is seen: the clip, its key pose, hands on the ball's way, and when it is there [s].

        ``example`` is a captured movement to use in the place of the move's own pose.
        """
        if example is not None:
            rise = float(np.clip(sight.time - EARLY, QUICK, max(example.reached, QUICK)))
            clip = self.played(example, rise, max(sight.time, rise) + HOLD)
            return clip, clip.at(rise), rise
        pose, ahead = np.array(key_pose(self.character, move)), 0.0
        if move.kind in BLOCKING:
            pose, ahead = self.arms.meet(pose, sight, np.zeros(2), 0.0, HANDS[move.zone])
        rise = float(np.clip(sight.time - ahead / sight.speed - EARLY, QUICK, SLOW))
        return self.clip(pose, rise, max(sight.time, rise) + HOLD, move.lifted), pose, rise

    def played(self, example: Example, rise: float, hold: float) -> Clip:
        """From idle into a captured movement, at its key pose after ``rise`` [s], on as it was, back from ``hold``."""
        end = hold + BACK
        times = np.linspace(0.0, end, max(8, round(end * RATE) + 1))
        shares = quintic(np.clip(times / (INTO * rise), 0, 1)) - quintic(np.clip((times - hold) / BACK, 0, 1))
        frames = np.empty((len(times), len(self.idle)))
        for i, (t, share) in enumerate(zip(times, shares)):
            shown = example.at(t / rise * example.reached if t < rise else example.reached + t - rise)
            com = self._com + lean(self.legs, shown)
            shown[:2] = self.idle[:2]
            frames[i] = self._frame(shown, share, 0.0, com, self._feet, (False, False))
        return Clip(self.character, times, frames)

    def places(self, q: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
        """Places (3,) and rotations (4,) of both feet in a pose."""
        self.legs.pose(q)
        data = self.legs.data
        return [(data.xpos[b].copy(), data.xquat[b].copy()) for b in self.legs.bodies]

    def clip(self, pose: np.ndarray, rise: float, hold: float, lifted: str | None = None) -> Clip:
        """From idle to a pose within ``rise`` [s], held until ``hold``, and back; a lifted foot goes with the pose."""
        end = hold + BACK
        com, feet = self.legs.com(pose)[:2], self.places(pose)
        up = [lifted == name for name in self.legs.names]
        times = np.linspace(0.0, end, max(8, round(end * RATE) + 1))
        x = np.clip(times / rise, 0, 1) - np.clip((times - hold) / BACK, 0, 1)
        frames = np.empty((len(times), len(pose)))
        for i, share in enumerate(quintic(x)):
            if i and x[i] == x[i - 1]:  # held
                frames[i] = frames[i - 1]
                continue
            later = float(quintic((x[i] - LATE) / (1 - LATE)))
            frames[i] = self._frame(pose, share, later, com, feet, up)
        contacts = {} if lifted is None else {lifted: ((0.0, LATE * rise), (hold + (1 - LATE) * BACK, end))}
        return Clip(self.character, times, frames, contacts=contacts)

    def _frame(self, pose, share, later, com, feet, up) -> np.ndarray:
        """A pose on the way: both feet where they belong, the centre of mass where it should be."""
        q = between(self.character.model, self.idle, pose, share)
        ankles, turns = np.empty((2, 3)), np.empty((2, 4))
        for k, ((a, turn_a), (b, turn_b)) in enumerate(zip(self._feet, feet, strict=True)):
            part = later if up[k] else 0.0
            ankles[k], turns[k] = a + part * (b - a), quat.slerp(turn_a, turn_b, part)
        goal = self._com + share * (com - self._com)
        for _ in range(2):
            out = self.legs.stand(q, ankles, turns)
            q[:2] += (goal - self.legs.com(out)[:2]) / CARRY
        return self.legs.stand(q, ankles, turns)

"""The two ends of a forward roll: the dive into it, and the keys of the way out of it to a squat."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from poise.behaviours.rolling.cycle import Cycle
from poise.character import Character

ROLLS = math.radians(68)  # pitch of the trunk from which a body that dives rolls
ENDS = math.radians(228)  # phase at which the end of a roll begins,
SPAN = math.radians(151)  # over which it goes through its keys
DIVING = {  # [deg]
    "spine": (16.0,), "hip": (54.0,), "knee": (20.0,), "ankle": (10.0,), "shoulder": (117.0,), "elbow": (10.0,),
    "neck": (40.0,),
}  # fmt: skip
# three keys of the end of a roll
ENDING = {
    "spine": (22.0, 25.0, 15.0), "hip": (75.0, 100.0, 130.0), "knee": (145.0, 150.0, 148.0),
    "ankle": (0.0, 20.0, 30.0), "shoulder": (60.0, 110.0, 105.0), "elbow": (60.0, 20.0, 8.0),
    "neck": (50.0, 40.0, 0.0), "hip_out": (12.0, 12.0, 12.0),
}  # fmt: skip


def dive(body: Character, style: str = "forward") -> np.ndarray:
    """Pose (nv - 6,) of the dive [rad]."""
    return Cycle(style, DIVING).table(body)[0]


class Ending:
    """Poses from that in which a roll is left to a squat."""

    def __init__(
        self,
        body: Character,
        style: str = "forward",
        ending: Mapping[str, tuple[float, ...]] = ENDING,
    ):
        keys = [{name: (v[i],) for name, v in ending.items()} for i in range(3)]
        self._keys = np.stack([Cycle(style, key).table(body)[0] for key in keys])

    def pose(self, before: np.ndarray, turned: float) -> np.ndarray:
        """Pose (nv - 6,) a turn [rad] after the roll was left in a pose."""
        at = 3.0 * min(max(turned / SPAN, 0.0), 1.0)
        i = min(int(at), 2)
        first = before if i == 0 else self._keys[i - 1]
        return first + (at - i) * (self._keys[i] - first)

"""Style: how somebody walks at any speed and turn, as scores without end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from poise.character.character import Character
from poise.motion.people import human
from poise.motion.score.loop import Loop, loop_of
from poise.motion.stride import Stride

SPEEDS = 0.4, 1.8  # [m/s] that are scored; slower ones are run slower
STEP, BEND = 0.2, 0.1  # [m/s], [rad/s] between scores that are kept for live commands


@dataclass(frozen=True, eq=False)
class Style:
    """The walk of people, or of one clip.

    Attributes:
        character: Who walks.
        soles: Indices of its left and right support.
        half: (2, 2) half lengths and widths of the soles [m].
        strides: The stride that is walked at a speed [m/s]; one of another speed is stretched to it.
    """

    character: Character
    soles: list[int]
    half: np.ndarray
    strides: Callable[[float], Stride]
    _known: dict[tuple[float, float], Loop] = field(default_factory=dict)

    def __deepcopy__(self, memo: dict[int, object]) -> Style:
        """Itself: what it knows is true for ever."""
        return self

    def near(self, speed: float, turn: float) -> Loop:
        """A score whose speed is near enough to be run a little faster or slower, of about the turn."""
        slow, fast = SPEEDS
        return self.at(STEP * round(min(max(speed, slow), fast) / STEP), BEND * round(turn / BEND))

    def at(self, speed: float, turn: float = 0.0) -> Loop:
        """The score at a speed [m/s] and a turn [rad/s]."""
        key = round(speed, 3), round(turn, 4)
        if key not in self._known:
            self._known[key] = loop_of(self.strides(key[0]), self.soles, self.half, *key)
        return self._known[key]


def of_people(character: Character, soles: list[int], half: np.ndarray) -> Style:
    """How people walk, on a body with people's parts."""
    return Style(character, soles, half, partial(human, character))


def of_stride(stride: Stride, soles: list[int], half: np.ndarray) -> Style:
    """How one clip walks."""
    return Style(stride.character, soles, half, partial(_same, stride))


def _same(stride: Stride, speed: float) -> Stride:
    return stride

"""What a course looks like: a tread under every footprint, and the height of the ground anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import mujoco
import numpy as np

from poise.behaviours.planned.course import Course
from poise.behaviours.planned.reference import Reference
from poise.character.character import Character
from poise.worlds.ground import add_floor, surface

HALF_WIDTH = 0.6  # [m] of the stairs
END = 0.6  # [m] of the last tread beyond its footprint


@dataclass(frozen=True)
class Tread:
    """A level part of the ground along x [m]."""

    start: float
    end: float
    height: float


def treads(ref: Reference, course: Course) -> list[Tread]:
    """Level parts in walking order; footprints on one height share a tread."""
    prints = []
    for stance, height in zip(ref.feet.stances, course.rises):
        frames = slice(stance.first, stance.last + 1)
        on = ref.feet.on[frames, stance.support]
        x = (ref.feet.corners[frames, stance.support] + course.shift[frames, stance.support, None])[..., 0][
            on
        ]
        if len(x):
            prints.append((float(x.min()), float(x.max()), round(float(height), 9)))
    prints.sort()
    found: list[list[float]] = []
    for low, high, height in prints:
        if found and found[-1][2] == height:
            found[-1][1] = max(found[-1][1], high)
        else:
            found.append([low, high, height])
    for a, b in pairwise(found):
        a[1] = b[0] = 0.5 * (a[1] + b[0])
    if found:
        found[0][0] -= 5.0
        found[-1][1] += END
    return [Tread(*t) for t in found]


def height_at(ground: list[Tread], x: np.ndarray) -> np.ndarray:
    """Height of the ground under points with these x [m]; beyond the treads as at their ends."""
    if not ground:
        return np.zeros_like(x)
    edges = np.array([t.end for t in ground[:-1]])
    return np.array([t.height for t in ground])[np.searchsorted(edges, x)]


@dataclass(frozen=True)
class Treads:
    """A terrain: a block under every tread."""

    ground: Sequence[Tread]

    def add(self, spec: mujoco.MjSpec, friction: float) -> None:
        add_floor(spec, friction)
        floor = spec.geom("ground")
        lowest = min(t.height for t in self.ground)
        floor.pos = [0.0, 0.0, lowest]
        for i, tread in enumerate(self.ground):
            if tread.height > lowest:
                half = [(tread.end - tread.start) / 2, HALF_WIDTH, (tread.height - lowest) / 2]
                block = spec.worldbody.add_geom(
                    name=f"ground_{i}", type=mujoco.mjtGeom.mjGEOM_BOX, size=half,
                    pos=[(tread.end + tread.start) / 2, 0.0, lowest + half[2]],
                )  # fmt: skip
                surface(block, friction)
                block.rgba = [0.80, 0.78, 0.74, 1.0]


def scenery(character: Character, ground: list[Tread], friction: float) -> str:
    """MJCF of the character with a floor at the lowest tread and a block for every other."""
    spec = mujoco.MjSpec.from_string(character.spec_xml)
    Treads(ground or [Tread(0.0, 0.0, 0.0)]).add(spec, friction)
    spec.compile()
    return spec.to_xml()

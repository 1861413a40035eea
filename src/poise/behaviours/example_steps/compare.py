"""Synthesised steps against a clip that no example was taken from ([Stepping] Fig. 3.5)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from poise.behaviours.example_steps.segment import in_order, moved
from poise.behaviours.example_steps.step import cut, print_of
from poise.behaviours.example_steps.stepping import Goal, Made, Walker
from poise.character.character import Character
from poise.errors import BadInput
from poise.files import load_arrays
from poise.motion.clip import Clip

HELD_OUT = Path(__file__).parent / "held_out.npz"


@dataclass(frozen=True, eq=False)
class Comparison:
    """Paths of centre of mass and stepping foot (n, 2) [m], a step each, as captured, as made, and as first blended."""

    steps: list[Made]
    com: tuple[list[np.ndarray], list[np.ndarray], list[np.ndarray]]
    foot: tuple[list[np.ndarray], list[np.ndarray], list[np.ndarray]]

    def rmse(self, what: str, which: str) -> float:
        """Of ``com`` or ``foot``, ``made`` or ``blend``, against the capture [m]."""
        paths = self.com if what == "com" else self.foot
        gap = np.concatenate(paths[1 if which == "made" else 2]) - np.concatenate(paths[0])
        return float(np.sqrt((gap**2).sum(axis=1).mean()))

    def metrics(self) -> dict[str, float]:
        return {
            f"{what}_path_{which}rmse_m": self.rmse(what, kind)
            for what in ("com", "foot")
            for which, kind in (("", "made"), ("blend_", "blend"))
        }


def compare(walker: Walker, clip: Clip, count: int = 3) -> Comparison:
    """The first steps of a clip made again from their footprints and times alone, beginning in its first pose."""
    legs = walker.legs
    found = [(i, t) for i, t in in_order(clip, legs) if moved(cut(clip, legs, i, t, ""))][:count]
    if len(found) < count:
        raise BadInput(f"the clip has {len(found)} steps; {count} are compared")
    q, steps = clip.at(found[0][1].begin), []
    com, foot = ([], [], []), ([], [], [])
    for i, timing in found:
        goal = Goal(i, print_of(legs, clip.at(timing.end), i), timing.end - timing.begin, timing)
        made = walker.step(q, goal)
        steps.append(made)
        q = made.clip.q[-1]
        for k, times in enumerate((made.clip.times + timing.begin, made.clip.times, made.blend.times)):
            source = (clip, made.clip, made.blend)[k]
            poses = [source.at(t) for t in times]
            com[k].append(np.array([legs.com(p)[:2] for p in poses]))
            foot[k].append(np.array([print_of(legs, p, i)[:2] for p in poses]))
    return Comparison(steps, com, foot)


def held_out(character: Character) -> Clip:
    """Three steps of our adult in physics, in directions and of lengths that the database that ships has not."""
    held = load_arrays(HELD_OUT, "holds no clip")
    spans = {name[8:]: tuple(map(tuple, held[name])) for name in held if name.startswith("contact.")}
    return Clip(character, held["times"], held["q"].astype(float), contacts=spans)

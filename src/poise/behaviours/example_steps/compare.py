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
from poise.files import atomic, load_arrays
from poise.motion.clip import Clip

HELD_OUT = Path(__file__).parent / "held_out.npz"


@dataclass(frozen=True, eq=False)
class Comparison:
    """Paths of the centre of mass and of the stepping foot (n, 2) [m], as captured, as made, and as first blended."""

    steps: list[Made]
    com: tuple[np.ndarray, np.ndarray, np.ndarray]
    foot: tuple[np.ndarray, np.ndarray, np.ndarray]

    def rmse(self, what: str, which: str) -> float:
        """Of ``com`` or ``foot``, ``made`` or ``blend``, against the capture [m]."""
        paths = self.com if what == "com" else self.foot
        gap = paths[1 if which == "made" else 2] - paths[0]
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
    return Comparison(steps, *(tuple(np.concatenate(p) for p in paths) for paths in (com, foot)))  # type: ignore[arg-type]


def figure(found: Comparison, path: str | Path) -> None:
    """Fig. 3.5: the paths seen from above, captured, made and blended side by side."""
    import matplotlib.figure

    sheet = matplotlib.figure.Figure(figsize=(10, 3.6), layout="constrained")
    panels = sheet.subplots(1, 3, sharex=True, sharey=True)
    for k, axes in enumerate(panels):
        axes.plot(*found.foot[k].T, color="tab:red", label="foot")
        axes.plot(*found.com[k].T, color="tab:green", label="centre of mass")
        for step in found.steps:
            axes.plot(*step.goal.place[:2], "kx")
        name = ("held out", "made", "blend")[k]
        off = f": centre of mass off by {1000 * found.rmse('com', name):.0f} mm" if k else ""
        axes.set_title(name + off)
        axes.set_aspect("equal")
        axes.set_xlabel("x [m]")
    panels[-1].legend(frameon=False, fontsize=8)
    with atomic(Path(path)) as temporary:
        sheet.savefig(temporary, dpi=120)


def held_out(character: Character) -> Clip:
    """Three steps of our adult in physics, in directions and of lengths that the database that ships has not."""
    held = load_arrays(HELD_OUT, "holds no clip")
    spans = {name[8:]: tuple(map(tuple, held[name])) for name in held if name.startswith("contact.")}
    return Clip(character, held["times"], held["q"].astype(float), contacts=spans)

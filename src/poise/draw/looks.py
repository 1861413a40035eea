"""The figure of a walk: its joints over the mean stride, beside another walk's, and what its soles press with."""

from __future__ import annotations

from os import PathLike

import numpy as np

from poise.draw.figure import Sheet
from poise.record.limbs import limbs_of
from poise.record.recording import Recording
from poise.record.soles import mean_load
from poise.record.strides import POINTS, Strides, strides_of

OWN, OTHER = "#2e6fad", "#9aa1ab"
PANELS = ("hip", "knee", "ankle", "pitch", "shoulder", "elbow")
TITLES = {"pitch": "Pitch of the foot, heel up"}


def draw(take: Recording, other: Recording | None, names: tuple[str, str], path: str | PathLike[str]) -> bool:
    """Write the figure; false where the take has no strides to draw."""
    walks = [None if t is None else strides_of(limbs_of(t)) for t in (take, other)]
    if walks[0] is None:
        return False
    with Sheet(path, (11, 6.4)) as figure:
        panels = figure.subplots(2, 4)
        figure.suptitle(f"{names[0]}" + (f"  beside  {names[1]}" if other is not None else ""), fontsize=11)
        for axes, name in zip(panels[:, :3].ravel(), PANELS):
            axes.set_title(TITLES.get(name, name.capitalize()))
            axes.set_xlabel("% of the stride")
            axes.set_ylabel("deg")
            for walk, colour in zip(walks[::-1], (OTHER, OWN)):
                if walk is not None and (walk.limbs.has_arms or name not in PANELS[4:]):
                    _band(axes, walk, name, colour)
        _load(panels[0, 3], walks)
        _pelvis(panels[1, 3], walks)
    return True


def _band(axes, walk: Strides, name: str, colour: str) -> None:
    every = np.degrees(walk.cycles(getattr(walk.limbs, name)))
    share = np.linspace(0, 100, POINTS)
    axes.fill_between(share, every.min(axis=0), every.max(axis=0), color=colour, alpha=0.18, linewidth=0)
    axes.plot(share, every.mean(axis=0), color=colour)


def _load(axes, walks: list[Strides | None]) -> None:
    axes.set_title("Force under a foot")
    axes.set_xlabel("% of the stance")
    axes.set_ylabel("weights")
    for walk, colour in zip(walks[::-1], (OTHER, OWN)):
        load = None if walk is None else mean_load(walk)
        if load is not None:
            axes.plot(np.linspace(0, 100, POINTS), load, color=colour)


def _pelvis(axes, walks: list[Strides | None]) -> None:
    axes.set_title("Pelvis: turn, obliquity")
    axes.set_xlabel("% of the stride")
    axes.set_ylabel("deg")
    for walk, colour in zip(walks[::-1], (OTHER, OWN)):
        if walk is None:
            continue
        for series, line in ((walk.limbs.pelvis_yaw(), "-"), (walk.limbs.pelvis_obliquity(), "--")):
            ways = {"l": series - series.mean(), "r": series.mean() - series}
            axes.plot(
                np.linspace(0, 100, POINTS), np.degrees(walk.mean(ways.__getitem__)), line, color=colour
            )

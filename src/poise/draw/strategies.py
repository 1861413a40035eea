"""Push maps coloured by what the body did: ankle, hip or arms, one step, several, or a fall."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np

from poise.draw.figure import Sheet
from poise.draw.polar import rings

COLOURS = {
    "ankle": "#bcd7ee", "hip": "#7fb2dc", "arms": "#4a86c0", "1 step": "#8fc9a5", "2 steps": "#4fa877",
    "3 steps": "#2c7d54", "many steps": "#18523a", "gait": "#8fc9a5", "fall": "#d1495b", "none": "#e5e7eb",
}  # fmt: skip


def colour(strategy: str) -> str:
    """Of one cell of a map."""
    return COLOURS.get(strategy, COLOURS["many steps"] if strategy.endswith("steps") else COLOURS["none"])


def strategy_map(
    cells: Mapping[str, Sequence[str]],
    grid: float,
    path: str | PathLike[str],
    mass: float,
    title: str,
    anchors: Mapping[str, Mapping[float, float]],
) -> None:
    """Draw every push that was tried as a cell of a wheel.

    Args:
        cells: Direction [degrees] -> strategy at each step of the grid, from the weakest push on.
        grid: Step of the grid [m/s]. path: Where to write, .png, .svg or .pdf. mass: Of the body [kg].
        anchors: Name -> direction [degrees] -> Δv [m/s]: what the map is to be compared with.
    """
    width = 2 * math.pi / max(len(cells), 1)
    seen: dict[str, None] = {}
    with Sheet(path, (6.6, 7.2)) as figure:
        axes: Any = figure.add_subplot(projection="polar")
        axes.set_theta_zero_location("N")  # forward is up, left is left
        for name, row in cells.items():
            for level, strategy in enumerate(row):
                seen.setdefault(strategy)
                axes.bar(math.radians(float(name)), grid, 0.96 * width, grid * level, color=colour(strategy),
                         edgecolor="white", linewidth=0.3)  # fmt: skip
        for (name, values), line in zip(anchors.items(), ("--", ":", "-.")):
            angles = np.radians(sorted(values))
            axes.plot(
                angles, [values[a] for a in sorted(values)], "k" + line, marker=".", linewidth=1, label=name
            )
        for strategy in seen:
            axes.bar(0.0, 0.0, color=colour(strategy), label=strategy)
        rings(axes, grid * max((len(row) for row in cells.values()), default=1), mass)
        axes.set_title(title, loc="center", pad=24)
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.06), ncols=3)

"""Maps of the pushes that a body survives, seen from above, and of what it did about them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from poise.draw.figure import Sheet

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CURVES = ("#2e6fad", "#d1495b", "#3a8f6f", "#e0a030", "#7d5ba6", "#6b7280")
MANY = "6 steps or more"
COLOURS = {
    "ankle": "#bcd7ee", "hip": "#7fb2dc", "arms": "#4a86c0", "1 step": "#d3ecc8", "2 steps": "#93cf9b",
    "3 steps": "#4da771", "4 steps": "#217a52", "5 steps": "#0f5540", MANY: "#0a3a33", "gait": "#93cf9b",
    "fall": "#d1495b", "none": "#e5e7eb",
}  # fmt: skip
FEW = 16  # points of a line that are marked
PUSH_SECONDS = 0.1  # a push is quoted in newtons for this long


def polar(
    limits: Mapping[Any, Any],
    path: str | PathLike[str],
    mass: float | None = None,
    title: str = "Largest push survived",
    unit: str = " m/s",
) -> None:
    """Draw how large a push a body survives from each side.

    Args:
        limits: Direction [degrees, 0 forward, 90 left] -> Δv [m/s]; or name of a curve -> such a map.
        path: Where to write, .png, .svg or .pdf.
        mass: Of the body [kg]; gives the rings a second label, the force in N that does the same in 0.1 s.
        title: Heading.
        unit: Written behind the number of a ring.
    """
    curves = _curves(limits)
    with Sheet(path, (6.6, 6.9)) as figure:
        axes = wheel(figure)
        axes.spines["polar"].set_color("#c9ced6")
        for (name, curve), colour in zip(curves.items(), CURVES * len(curves)):
            angles, values = np.radians(list(curve)), list(curve.values())
            closed = np.append(angles, angles[:1] + 2 * np.pi), np.append(values, values[:1])
            axes.plot(*closed, color=colour, label=name or None, marker="o", markersize=4, linewidth=2)
            axes.fill(*closed, color=colour, alpha=0.10, linewidth=0)
        rings(
            axes,
            max((value for curve in curves.values() for value in curve.values()), default=0.0),
            mass,
            unit,
        )
        figure.suptitle(title, fontsize=10, weight="bold")
        if any(curves):
            figure.legend(loc="outside lower center", ncols=min(len(curves), 3))


def wheel(figure: Figure) -> Any:
    """Polar axes: forward is up, left is left."""
    axes: Any = figure.add_subplot(projection="polar")
    axes.set_theta_zero_location("N")
    return axes


def _curves(limits: Mapping[Any, Any]) -> dict[str, dict[float, float]]:
    """Named curves, each in order of direction."""
    named = limits if any(isinstance(curve, Mapping) for curve in limits.values()) else {"": limits}
    return {str(n): dict(sorted((float(a), float(v)) for a, v in c.items())) for n, c in named.items()}


def rings(axes: Any, largest: float, mass: float | None, unit: str = " m/s") -> None:
    """Circles of equal push, and below them a ruler with their unit and, with a mass, N for 0.1 s; directions."""
    step = next(s for s in (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 1e9) if largest <= 5 * s)
    rings = np.arange(1, max(2, int(np.ceil(largest / step - 1e-9))) + 1) * step
    axes.set_ylim(0, rings[-1] * 1.04)
    axes.set_yticks(rings, [""] * len(rings))
    names = {0: "forward", 90: "left", 180: "back", 270: "right"}
    axes.set_xticks(np.radians(np.arange(0, 360, 45)), [names.get(a, f"{a}°") for a in range(0, 360, 45)])
    ruler = axes.inset_axes((0.5, -0.115, 0.5, 1e-3))  # as long as the wheel's radius, where no sector lies
    ruler.set(xlim=(0, rings[-1] * 1.04), yticks=[])
    ruler.spines["left"].set_visible(False)
    ruler.grid(False)
    newtons = [f"\n{r * mass / PUSH_SECONDS:.0f} N" if mass else "" for r in rings]
    ruler.set_xticks(rings, [f"{r:g}{unit}{n}" for r, n in zip(rings, newtons)], color="#5b6470", fontsize=8)


def kind(strategy: str) -> str:
    """What a cell of a map is drawn as: more steps than have a colour of their own are one kind."""
    return strategy if strategy in COLOURS else MANY if strategy.endswith("steps") else "none"


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
    seen: set[str] = set()
    with Sheet(path, (6.6, 7.2)) as figure:
        axes = wheel(figure)
        for name, row in cells.items():
            for level, strategy in enumerate(row):
                seen.add(kind(strategy))
                axes.bar(math.radians(float(name)), grid, 0.96 * width, grid * level, color=COLOURS[kind(strategy)],
                         edgecolor="white", linewidth=0.3)  # fmt: skip
        for (name, values), line in zip(anchors.items(), ("--", ":", "-.")):
            angles = np.radians(sorted(values))
            dots = "." if len(values) <= FEW else ""
            axes.plot(
                angles, [values[a] for a in sorted(values)], "k" + line, marker=dots, linewidth=1, label=name
            )
        for name in (name for name in COLOURS if name in seen):
            axes.bar(0.0, 0.0, color=COLOURS[name], label=name)
        rings(axes, grid * max((len(row) for row in cells.values()), default=1), mass)
        figure.suptitle(title, fontsize=10, weight="bold")
        figure.legend(loc="outside lower center", ncols=3)

"""Maps of the pushes that a body survives, seen from above."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import Any

import numpy as np

from poise.draw.figure import Sheet

CURVES = ("#2e6fad", "#d1495b", "#3a8f6f", "#e0a030", "#7d5ba6", "#6b7280")
PUSH_SECONDS = 0.1  # a push is quoted in newtons for this long


def polar(
    limits: Mapping[Any, Any],
    path: str | PathLike[str],
    mass: float | None = None,
    title: str = "Largest push survived",
) -> None:
    """Draw how large a push a body survives from each side.

    Args:
        limits: Direction [degrees, 0 forward, 90 left] -> Δv [m/s]; or name of a curve -> such a map.
        path: Where to write, .png, .svg or .pdf.
        mass: Of the body [kg]; gives the rings a second label, the force in N that does the same in 0.1 s.
        title: Heading.
    """
    curves = _curves(limits)
    with Sheet(path, (6.6, 6.9)) as figure:
        axes: Any = figure.add_subplot(projection="polar")
        axes.set_theta_zero_location("N")  # forward is up, left is left
        axes.spines["polar"].set_color("#c9ced6")
        for (name, curve), colour in zip(curves.items(), CURVES * len(curves)):
            angles, values = np.radians(list(curve)), list(curve.values())
            closed = np.append(angles, angles[:1] + 2 * np.pi), np.append(values, values[:1])
            axes.plot(*closed, color=colour, label=name or None, marker="o", markersize=4, linewidth=2)
            axes.fill(*closed, color=colour, alpha=0.10, linewidth=0)
        rings(axes, max((value for curve in curves.values() for value in curve.values()), default=0.0), mass)
        axes.set_title(title, loc="center", pad=24)
        if any(curves):
            axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.07), ncols=min(len(curves), 3))


def _curves(limits: Mapping[Any, Any]) -> dict[str, dict[float, float]]:
    """Named curves, each in order of direction."""
    named = limits if any(isinstance(curve, Mapping) for curve in limits.values()) else {"": limits}
    return {str(n): dict(sorted((float(a), float(v)) for a, v in c.items())) for n, c in named.items()}


def rings(axes: Any, largest: float, mass: float | None) -> None:
    """Circles of equal push, in m/s and, with a mass, in N for 0.1 s; names of the directions."""
    step = next(s for s in (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 1e9) if largest <= 5 * s)
    rings = np.arange(1, max(2, int(np.ceil(largest / step - 1e-9))) + 1) * step
    axes.set_ylim(0, rings[-1] * 1.04)
    axes.set_yticks(rings, [f"{r:g} m/s" for r in rings], color="#5b6470", fontsize=8)
    axes.set_rlabel_position(-22.5)
    names = {0: "forward", 90: "left", 180: "back", 270: "right"}
    axes.set_xticks(np.radians(np.arange(0, 360, 45)), [names.get(a, f"{a}°") for a in range(0, 360, 45)])
    if mass:
        for ring in rings:
            text = f"{ring * mass / PUSH_SECONDS:.0f} N"
            axes.text(np.radians(22.5), ring, text, color="#8a93a0", fontsize=8, ha="center", va="center")

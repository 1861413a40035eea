"""Steps seen from above: paths of foot and centre of mass as captured, as made and as first blended."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING

from poise.draw.figure import Sheet

if TYPE_CHECKING:
    from poise.behaviours.example_steps.compare import Comparison

KINDS = "held out", "made", "blend"


def step_paths(found: Comparison, path: str | PathLike[str]) -> None:
    """Fig. 3.5 of [Stepping]."""
    with Sheet(path, (8.4, 3.4)) as sheet:
        panels = sheet.subplots(1, 3, sharex=True, sharey=True)
        for k, (kind, axes) in enumerate(zip(KINDS, panels)):
            for label, colour, paths in (
                ("foot", "tab:red", found.foot),
                ("centre of mass", "tab:green", found.com),
            ):
                for i, one in enumerate(paths[k]):
                    axes.plot(*one.T, color=colour, label=label if i == 0 else None)
            for step in found.steps:
                axes.plot(*step.goal.place[:2], "kx")
            axes.set_title(kind + (f", {1000 * found.rmse('com', kind):.0f} mm off" if k else ""))
            axes.set_xlabel("x [m]")
            axes.set_aspect("equal")
        panels[-1].legend(fontsize=7)

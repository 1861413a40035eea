"""A sheet of paper in our style, written whole or not at all."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from poise.errors import unknown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FIGURES = (".png", ".svg", ".pdf")
STYLE: Any = {
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#9aa1ab",
    "axes.grid": True,
    "grid.color": "#e8eaed",
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "legend.frameon": False,
    "lines.linewidth": 1.4,
}


def check_ending(path: str | PathLike[str]) -> Path:
    """The path of a figure, refused where its ending is none of ours."""
    target = Path(path)
    if target.suffix.lower() not in FIGURES:
        raise unknown("ending", target.suffix or target.name, FIGURES)
    return target


class Sheet:
    """A figure with our style, written to the path when the block ends well."""

    def __init__(self, path: str | PathLike[str], size: tuple[float, float]) -> None:
        self._path, self._size = check_ending(path), size

    def __enter__(self) -> Figure:
        from matplotlib import rc_context
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        self._style = rc_context(STYLE)
        self._style.__enter__()
        self._made = Figure(figsize=self._size, dpi=150, layout="constrained", facecolor="white")
        FigureCanvasAgg(self._made)
        return self._made

    def __exit__(self, kind, error, trace) -> None:
        from poise.files import atomic

        try:
            if kind is None:
                with atomic(self._path) as part:
                    self._made.savefig(part)
        finally:
            self._style.__exit__(kind, error, trace)

"""One quantity over one or two axes: a line, or a map of coloured cells with their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Any

import numpy as np

from poise.draw.figure import Sheet

MOST_NUMBERS = 400  # cells that are also written out


def heat(
    values: Any, x: Sequence[Any], y: Sequence[Any], path: str | PathLike[str], names: tuple[str, str, str], title: str
) -> None:  # fmt: skip
    """Draw cells; the first row of values is at the bottom.

    Args:
        values: (len(y), len(x)), nan for a cell that is empty. names: Of the two axes and of the quantity.
    """
    table = np.asarray(values, dtype=float)
    with Sheet(path, (2.4 + 0.55 * len(x), 1.6 + 0.42 * len(y))) as figure:
        axes = figure.add_subplot()
        axes.grid(False)
        shown = axes.imshow(table, origin="lower", aspect="auto", cmap="viridis")
        axes.set_xticks(range(len(x)), [_text(v) for v in x])
        axes.set_yticks(range(len(y)), [_text(v) for v in y])
        axes.set_xlabel(names[0])
        axes.set_ylabel(names[1])
        axes.set_title(title)
        figure.colorbar(shown, label=names[2])
        if table.size <= MOST_NUMBERS:
            middle = 0.5 * (np.nanmin(table) + np.nanmax(table)) if np.isfinite(table).any() else 0.0
            for (row, column), value in np.ndenumerate(table):
                if np.isfinite(value):
                    colour = "white" if value < middle else "black"
                    axes.text(column, row, f"{value:.3g}", ha="center", va="center", color=colour, fontsize=7)


def line(
    x: Sequence[Any], y: Sequence[float], path: str | PathLike[str], across: str, up: str, title: str
) -> None:
    """Draw one quantity over one axis, of numbers or of words."""
    number = all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in x)
    with Sheet(path, (6.0, 3.6)) as figure:
        axes = figure.add_subplot()
        axes.plot(x if number else [str(v) for v in x], y, marker="o", markersize=4, color="#2e6fad")
        axes.set_xlabel(across)
        axes.set_ylabel(up)
        axes.set_title(title)


def _text(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)

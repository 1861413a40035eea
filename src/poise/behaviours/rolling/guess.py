"""Guesses: the few key poses, set by hand, that a search for a cycle begins with."""

from __future__ import annotations

from importlib import resources

from poise.behaviours.rolling.cycle import STYLES, Cycle
from poise.errors import unknown


def guess(style: str) -> Cycle:
    """Hand-set key poses of a style."""
    if style not in STYLES:
        raise unknown("style of a roll", style, STYLES)
    file = resources.files("poise.behaviours.rolling") / "guesses" / f"{style}.yaml"
    return Cycle.parse(file.read_text(), file.name)

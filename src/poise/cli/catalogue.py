"""What exists, by name, with one line of description each."""

from __future__ import annotations

import inspect
from typing import Any

import poise


def catalogue(kind: str) -> dict[str, str]:
    """Names of one kind (scenes, characters, behaviours), each with the first line of its docstring."""
    if kind == "scenes":
        return {name: _first_line(function) for name, function in sorted(poise.SCENES.items())}
    if kind == "characters":
        return {name: _first_line(function) for name, function in sorted(poise.CHARACTERS.items())}
    found = inspect.getmembers(poise.behaviours, inspect.isclass)
    chosen = {
        name: c
        for name, c in found
        if issubclass(c, poise.behaviours.Behaviour) and not inspect.isabstract(c)
    }
    return {name: _first_line(c) for name, c in chosen.items()}


def _first_line(item: Any) -> str:
    lines = (inspect.getdoc(item) or "").splitlines()
    return lines[0].replace("``", "") if lines else ""

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
    names = getattr(poise.behaviours, "__all__", [])
    classes = {name: getattr(poise.behaviours, name) for name in names}
    return {name: _first_line(item) for name, item in classes.items() if inspect.isclass(item)}


def _first_line(item: Any) -> str:
    lines = (inspect.getdoc(item) or "").splitlines()
    return lines[0] if lines else ""

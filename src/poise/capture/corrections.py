"""Corrections: what a user knows better than the importer about a motion file, by the same words in every command."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from poise.errors import BadInput, unknown

KINDS: dict[str, tuple[type, ...]] = {  # of the arguments of `load`
    "rate": (int, float), "up": (str,), "facing": (int, float), "metres_per_unit": (int, float), "skeleton": (str,),
    "drop_first": (bool,), "floor": (int, float), "thorax": (bool,), "pops": (bool,), "reference": (int, str),
    "contact_speed": (int, float), "contact_height": (int, float),
}  # fmt: skip
UNITS = {"m": 1.0, "dm": 0.1, "cm": 0.01, "mm": 0.001, "in": 0.0254, "ft": 0.3048}  # [m]
WORDS = ("unit", *KINDS)
SAID = {bool: "on or off", str: "a word", int: "a whole number", float: "a number"}


def corrections(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments for `poise.capture.load`; a word may have ``motion.`` in front, and ``unit`` may be a word too."""
    found: dict[str, Any] = {}
    for key, value in asked.items():
        word = key.removeprefix("motion.")
        if word not in WORDS:
            raise unknown("override", key, sorted(WORDS))
        name = "metres_per_unit" if word == "unit" else word
        if word == "unit" and isinstance(value, str):
            if value not in UNITS:
                raise unknown("unit", value, UNITS)
            value = UNITS[value]
        found[name] = _checked(key, value, KINDS[name])
    return found


def _checked(key: str, value: Any, kinds: tuple[type, ...]) -> Any:
    """A value of the right kind; a truth value is no number."""
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        raise BadInput(f"option {key}={value!r} should be {' or '.join(SAID[kind] for kind in kinds)}")
    return value

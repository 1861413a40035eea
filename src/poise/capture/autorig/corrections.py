"""Corrections: what the user knows better than the guesses, from a YAML file or a dict, checked key by key."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, fields
from os import PathLike
from pathlib import Path
from typing import Any

from poise import gate
from poise.capture.anatomy.parts import KINDS, SPINE, kind_of
from poise.character.build import ball, degrees
from poise.character.character import SwingTwist
from poise.character.shapes import Sole
from poise.errors import BadInput, unknown

SOLE = {f.name for f in fields(Sole)}
MOST_BYTES = 1 << 20  # of a rig file
BALL = ("swing_x", "swing_y", "twist", "centre")


@dataclass(frozen=True)
class Corrections:
    """What was given, each empty where nothing was: roles by body, joints and limits by joint, soles by foot."""

    mass: float | None = None  # [kg]
    height: float | None = None  # [m]
    human: bool | None = None  # whether to use human tables
    roles: Mapping[str, str | None] = field(default_factory=dict)  # names of joints; None takes the body away
    joints: Mapping[str, str] = field(default_factory=dict)  # ``hinge`` or ``ball``
    limits: Mapping[str, SwingTwist | tuple[float, float]] = field(default_factory=dict)  # [rad]
    soles: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # some of their numbers [m]
    stance: tuple[str, ...] = ()  # feet to stand on


def read(given: str | PathLike[str] | Mapping[str, Any] | None) -> Corrections:
    """Corrections from a YAML file, or from the same as a dict."""
    table, where = _table(given)
    known = [f.name for f in fields(Corrections)]
    _keys(table, known, where)
    stance = table.get("stance") or ()
    if not isinstance(stance, (list, tuple)) or not all(isinstance(name, str) for name in stance):
        raise BadInput(f"{where}: stance should be a list of feet; given {gate.shown(stance)}")
    made: dict[str, Any] = {"stance": tuple(stance)}
    for key, check in VALUES.items():
        if table.get(key) is not None:
            made[key] = check(table[key], f"{where}: {key}")
    for key, check in TABLES.items():
        entries = table.get(key) or {}
        if not isinstance(entries, Mapping):
            raise BadInput(f"{where}: {key} should be a table of names; given {gate.shown(entries)}")
        made[key] = {str(name): check(value, f"{where}: {key}: {name}") for name, value in entries.items()}
    for body in made["roles"]:
        if not kind_of(body):
            parts = f"parts: {', '.join((*KINDS, *SPINE))}, with _l or _r"
            raise BadInput(f"{where}: roles: {body!r} is no part of a body; {parts}")
    return Corrections(**made)


def _table(given: str | PathLike[str] | Mapping[str, Any] | None) -> tuple[Mapping[str, Any], str]:
    if given is None:
        return {}, "rig"
    if isinstance(given, Mapping):
        return given, "rig"
    import yaml

    path = Path(given)
    try:
        table = yaml.safe_load(gate.read(path, MOST_BYTES).decode("utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError, ValueError) as error:
        raise BadInput(f"rig file {path} is not YAML: {' '.join(str(error).split())}") from None
    if table is not None and not isinstance(table, dict):
        given = type(table).__name__
        raise BadInput(f"rig file {path} should hold keys such as mass or roles; given {given}")
    return table or {}, str(path)


def _keys(table: Mapping[str, Any], known: Collection[str], where: str) -> None:
    for key in table:
        if key not in known:
            raise unknown(f"key of {where}", key, known)


def number(value: Any, where: str) -> float:
    """A number above zero, or a complaint."""
    return gate.number(where, value, 1e-6, unit="a number above zero,")


def _one_of(value: Any, known: tuple, where: str) -> Any:
    if value not in known:
        choices = ", ".join(str(k).lower() for k in known)
        raise BadInput(f"{where} should be one of {choices}; given {gate.shown(value)}")
    return value


def _pair(value: Any, where: str) -> tuple[float, float]:
    two = isinstance(value, (list, tuple)) and len(value) == 2
    if not two:
        raise BadInput(f"{where} should be a pair of numbers; given {gate.shown(value)}")
    return gate.number(where, value[0]), gate.number(where, value[1])


def _limits(value: Any, where: str) -> SwingTwist | tuple[float, float]:
    if not isinstance(value, Mapping):
        return degrees(*_pair(value, where))
    _keys(value, BALL, where)
    x, y, twist = (_pair(value.get(key), f"{where}: {key}") for key in BALL[:3])
    return ball(x, y, twist, _pair(value.get("centre", (0.0, 0.0)), f"{where}: centre"))


def _sole(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise BadInput(f"{where} should be a table of {', '.join(sorted(SOLE))}; given {gate.shown(value)}")
    _keys(value, SOLE, where)
    good = {k: _pair(v, f"{where}: {k}") if k == "width" else v for k, v in value.items()}
    for key, v in good.items():
        if key != "width":
            gate.number(f"{where}: {key}", v)
    return good


VALUES: dict[str, Callable[[Any, str], Any]] = {
    "mass": number, "height": number, "human": lambda value, where: _one_of(value, (True, False), where),
}  # fmt: skip
TABLES: dict[str, Callable[[Any, str], Any]] = {
    "roles": lambda joint, where: None if joint is None else str(joint),
    "joints": lambda kind, where: _one_of(kind, ("hinge", "ball"), where),
    "limits": _limits, "soles": _sole,
}  # fmt: skip

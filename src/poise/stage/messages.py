"""What a page may ask for: typed, bounded and checked before anything is done."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

from poise.errors import BadInput

LONGEST = 4096  # characters of a message
LONGEST_PART = 65536  # of one that carries a part of a file
FAR = 100.0  # [m]: no place is farther out
STRONGEST = 2000.0  # [N] of a shove or a pull
Check = Callable[[Any], Any]


class BadMessage(BadInput):
    """A message that is refused."""


def number(low: float, high: float) -> Check:
    """A finite number within bounds."""

    def check(value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
            raise BadMessage(f"{str(value)[:40]!r} is not a finite number")
        if not low <= value <= high:
            raise BadMessage(f"{value:g} is outside {low:g} to {high:g}")
        return float(value)

    return check


def whole(low: int, high: int) -> Check:
    """A whole number within bounds."""
    inner = number(low, high)

    def check(value: Any) -> int:
        if inner(value) != int(value):
            raise BadMessage(f"{value:g} is not a whole number")
        return int(value)

    return check


def vector(most: float) -> Check:
    """Three finite numbers."""
    inner = number(-most, most)

    def check(value: Any) -> tuple[float, ...]:
        if not isinstance(value, list) or len(value) != 3:
            raise BadMessage("three numbers are needed")
        return tuple(inner(v) for v in value)

    return check


def text(longest: int) -> Check:
    """Text that is printed nowhere and never a path."""

    def check(value: Any) -> str:
        if not isinstance(value, str) or len(value) > longest:
            raise BadMessage(f"text of {longest} characters at the most is needed")
        return value

    return check


def flag(value: Any) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise BadMessage("true or false is needed")
    return value


def wishes(value: Any) -> dict[str, float]:
    """Commands of a behaviour by name."""
    if not isinstance(value, dict) or not 0 < len(value) <= 8:
        raise BadMessage("one to eight wishes by name are needed")
    return {text(20)(name): number(-FAR, FAR)(wish) for name, wish in value.items()}


KINDS: dict[str, dict[str, Check]] = {  # what may be asked for, and with what; all of it must be given
    "pull": {
        "body": text(64), "to": vector(FAR), "at": vector(5.0), "stiffness": number(1.0, 5000.0),
        "most": number(0.0, STRONGEST),
    },
    "release": {"body": text(64)},
    "shove": {"body": text(64), "force": vector(STRONGEST), "seconds": number(0.01, 2.0)},
    "throw": {"place": vector(FAR), "velocity": vector(60.0), "ball": whole(0, 9)},
    "command": {"wishes": wishes},
    "lean": {"body": text(64), "force": vector(STRONGEST), "at": vector(5.0)},
    "behave": {
        "name": text(20), "arms": number(0.001, 2.0), "angular": flag, "dodge": flag, "heading": number(-720.0, 720.0),
        "clip": text(60),
    },
    "adjust": {"friction": number(0.05, 3.0), "strength": number(0.1, 3.0), "delay": number(0.0, 0.1)},
    "ground": {"axis": text(8), "distance": number(-1.0, 1.0), "seconds": number(0.05, 5.0)},
    "pause": {"on": flag},
    "speed": {"factor": number(0.05, 4.0)},
    "step": {"steps": whole(-600, 600)},
    "seek": {"time": number(0.0, 1e6)},
    "again": {},
    "scene": {"name": text(40), "character": text(40)},
    "bring": {"name": text(120), "size": whole(1, 1 << 24)},
    "part": {"data": text(LONGEST_PART)},
    "ping": {},
}  # fmt: skip
# these act, so they are replayed
INPUTS = ("pull", "lean", "release", "shove", "throw", "command", "behave", "adjust", "ground")


def parse(message: str) -> tuple[int, str, dict[str, Any]]:
    """Number of a message, what it asks for and with what. Raises BadMessage."""
    if len(message) > LONGEST_PART + 256:
        raise BadMessage("message too long")
    try:
        found = json.loads(message)
    except (ValueError, RecursionError):
        raise BadMessage("not JSON") from None
    if not isinstance(found, dict):
        raise BadMessage("not an object")
    kind, given = found.pop("do", None), found.pop("id", 0)
    if not isinstance(kind, str) or kind not in KINDS:
        raise BadMessage(f"{str(kind)[:20]!r} is unknown; known: {', '.join(KINDS)}")
    if kind != "part" and len(message) > LONGEST:
        raise BadMessage("message too long")
    fields = KINDS[kind]
    if found.keys() != fields.keys():
        raise BadMessage(
            f"{kind} needs {', '.join(fields) or 'nothing'}; given: {', '.join(map(str, found))[:80]}"
        )
    return whole(0, 2**32 - 1)(given), kind, {name: check(found[name]) for name, check in fields.items()}

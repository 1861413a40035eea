"""Errors a user can meet: each says what was wrong, what was given and what exists."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class PoiseError(Exception):
    """Base of every error that Poise raises on purpose."""


class BadInput(PoiseError):
    """The caller asked for something that does not exist or cannot be done; the command line exits with 2."""


def unknown(kind: str, given: object, known: Iterable[str]) -> BadInput:
    """Error for a name that is not in a list: names the list, and the nearest entry if one is near."""
    names = sorted(known)
    near = [name for name in get_close_matches(str(given), names, n=1) if name != given]
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    return BadInput(
        f"{kind} {str(given)[:80]!r} not found{hint}; {plural(kind)}: {', '.join(names) or 'none'}"
    )


def plural(kind: str) -> str:
    """The plural of what a list holds: one series, many series; a value of it, values of it."""
    head, of, rest = kind.partition(" of ")
    if head.endswith("axis"):
        head = f"{head[:-2]}es"
    elif not head.endswith("s"):
        head = f"{head[:-1]}ies" if head.endswith("y") else f"{head}s"
    return head + of + rest

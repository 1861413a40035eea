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
    near = get_close_matches(str(given), names, n=1)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    plural = f"{kind[:-1]}ies" if kind.endswith("y") else f"{kind}s"
    return BadInput(f"{kind} {given!r} not found{hint}; {plural}: {', '.join(names) or 'none'}")

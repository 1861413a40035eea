"""Names that a file format accepts, still different from one another."""

from __future__ import annotations

import re
from collections.abc import Iterable


def tidy(names: Iterable[str], refused: str, blank: str = "joint") -> tuple[str, ...]:
    """Names with every character of the class `refused` (as in a regular expression) made an underscore."""
    taken: dict[str, None] = {}
    for name in names:
        stem = clean = re.sub(refused, "_", name) or blank
        count = 1
        while clean in taken:
            count += 1
            clean = f"{stem}_{count}"
        taken[clean] = None
    return tuple(taken)

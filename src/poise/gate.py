"""The gate for input: one validator for every number, budgets for every file, and foreign complaints made ours.

Whatever a user can have caused is BadInput, with the file or option and the place; behind the gate values are sane.
"""

from __future__ import annotations

import math
import os
import reprlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from poise.errors import BadInput, PoiseError

MOST_BYTES = 256 << 20  # of a file that is read whole
MOST_JOINTS = 400  # of a skeleton
MOST_DEPTH = 100  # joints from the root to a tip
MOST_NUMBERS = 20_000_000  # of a motion file: frames times channels
MOST_BODIES = 250  # of a model that somebody else made
LONGEST = 3600.0  # [s] of a captured motion
LARGEST = 1e6  # size of a number that no range was named for
NUMBERS = (
    ArithmeticError,
    ValueError,
)  # numbers that do not fit together: arithmetic, linear algebra, the engine
FOREIGN = (*NUMBERS, LookupError, MemoryError, OSError, RecursionError)  # what a file can cause
QUOTED = 64  # characters of a value that a complaint quotes


def number(
    what: str,
    value: Any,
    low: float = -LARGEST,
    high: float = LARGEST,
    *,
    whole: bool = False,
    unit: str = "",
) -> Any:
    """A finite number from ``low`` to ``high``, as int where ``whole``, else as float; anything else is BadInput.

    Args:
        what: Name of the value, as the complaint should call it.
        value: What was given: a number of Python's or numpy's, never a text or a truth value.
        unit: What it counts, for the complaint, e.g. "metres".
    """
    kind = "a whole number" if whole else "a number"
    if isinstance(value, (bool, str, bytes)) or not hasattr(value, "__float__") or getattr(value, "ndim", 0):
        raise BadInput(f"{what} should be {unit or kind}; given {shown(value)}")
    try:
        real = float(value)
    except (OverflowError, ValueError, TypeError):  # an integer of 400 digits
        real = math.inf
    if not low <= real <= high:
        why = "out of range" if math.isfinite(real) or isinstance(value, int) else "not finite"
        least, most = f"{low:g}" if low else "zero", "on" if high >= LARGEST else f"to {high:g}"
        raise BadInput(f"{what} {shown(value)} is {why}; give {unit or kind} from {least} {most}")
    if whole and real != math.floor(real):
        raise BadInput(f"{what} {shown(value)} should be a whole number")
    return int(value) if whole else real


def parse_value(text: str) -> bool | int | float | str:
    """on/off/true/false, a whole number, a number, or the text itself."""
    words = {"on": True, "true": True, "yes": True, "off": False, "false": False, "no": False}
    if text.lower() in words:
        return words[text.lower()]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def shown(value: Any) -> str:
    """A value for a complaint, cut where it is long."""
    try:
        text = repr(value) if isinstance(value, (str, int, float)) else reprlib.repr(value)
    except ValueError:  # Python does not spell out an integer of more than 4300 digits
        return "an integer of thousands of digits"
    return text if len(text) <= QUOTED else f"{text[:QUOTED]}..."


def within(what: str, count: float, most: float, of: str) -> None:
    """Refuse what is over its budget."""
    if count > most:
        raise BadInput(f"{what} has {count:.10g} {of}; {most:.10g} at the most")


def read(path: str | os.PathLike[str], most: int = MOST_BYTES) -> bytes:
    """The bytes of a file within its budget."""
    with openable(path):
        size = os.stat(path).st_size
        within(f"'{path}'", size, most, "bytes")
        return Path(path).read_bytes()


@contextmanager
def openable(path: str | os.PathLike[str], doing: str = "read") -> Iterator[None]:
    """What the system says against a path, or a name that cannot be one, as BadInput."""
    try:
        yield
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise BadInput(f"cannot {doing} {shown(str(path))}: {why}") from error


@contextmanager
def gate(what: str, kinds: tuple[type[Exception], ...] = FOREIGN) -> Iterator[None]:
    """A block that works on what a user gave: what it trips over there is BadInput that names it.

    A TypeError or an AttributeError is never a user's fault: it stays what it is, an error of ours.

    Args:
        kinds: Of errors that the input can cause; by default all that a file can.
    """
    try:
        yield
    except BadInput:
        raise
    except PoiseError as error:  # e.g. no plan: what was asked for does not allow one
        raise BadInput(f"{what}: {error}") from error
    except kinds as error:
        if os.environ.get("POISE_DEBUG"):
            raise
        said = " ".join(str(error).split())[:200] or "no reason given"
        raise BadInput(f"{what}: {type(error).__name__}: {said}") from error

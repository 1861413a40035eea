"""What the commands say: strict JSON on stdout, progress and remarks on stderr."""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Mapping
from io import TextIOWrapper
from typing import Any, ClassVar

kept: list[str] = []  # files that this process has written
REFRESH_S = 0.1  # a terminal's progress line is redrawn at most this often
QUIET_REFRESH_S = 10.0  # when stderr is a file: one line now and then


def dumps(value: Any, indent: int | None = None) -> str:
    """Strict JSON text: no NaN, no Infinity."""
    return json.dumps(plain(value, finite=True), allow_nan=False, indent=indent, ensure_ascii=False)


def plain(value: Any, finite: bool = False) -> Any:
    """The same value made of Python's own types, as JSON wants them; with `finite`, nan and inf become None."""
    if isinstance(value, Mapping):
        return {str(k): plain(v, finite) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v, finite) for v in value]
    if hasattr(value, "tolist"):  # an array or a number of numpy
        return plain(value.tolist(), finite)
    if isinstance(value, float) and finite and not math.isfinite(value):
        return None
    return value if isinstance(value, (bool, int, float, str, type(None))) else str(value)


def say(text: str) -> None:
    """A remark for the person at the terminal."""
    print(text, file=sys.stderr, flush=True)


def wrote(path: object) -> None:
    """Say that a file is there, whole."""
    kept.append(str(path))
    say(f"wrote {path}")


def lenient() -> None:
    """Let a terminal that knows ASCII alone show a question mark rather than fail."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def aside(note: str) -> None:
    """What holds the work up now, e.g. a compilation, on the line of whoever reports progress; else nothing."""
    if Progress.shown:
        Progress.shown[-1](None, note)


class Progress:
    """A line on stderr that is redrawn in place on a terminal and rarely printed elsewhere."""

    shown: ClassVar[list[Progress]] = []  # those not yet closed

    def __init__(self, label: str) -> None:
        self.label = label
        self.begun = time.monotonic()
        self.terminal = sys.stderr.isatty()
        self.last = self.begun  # a task that ends at once prints nothing
        self.drawn = False
        Progress.shown.append(self)

    def __call__(self, fraction: float | None, note: str = "") -> None:
        now = time.monotonic()
        if now - self.last < (REFRESH_S if self.terminal else QUIET_REFRESH_S):
            return
        self.last = now
        share = "" if fraction is None else f" {100 * fraction:3.0f} %"
        text = f"{self.label}{share}  {now - self.begun:.0f} s  {note}"
        start, end = ("\r\033[K", "") if self.terminal else ("", "\n")
        print(f"{start}{text}", end=end, file=sys.stderr, flush=True)
        self.drawn = True

    def close(self) -> None:
        """Wipe the line."""
        if self in Progress.shown:
            Progress.shown.remove(self)
        if self.terminal and self.drawn:
            print("\r\033[K", end="", file=sys.stderr, flush=True)

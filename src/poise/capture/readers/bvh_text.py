"""Reading the text of a BVH file: its header, then its frames. Every error names the line and the reason."""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from poise.errors import BadInput

CHANNELS = tuple(f"{axis}{kind}" for kind in ("position", "rotation") for axis in "XYZ")
BYTE_MARKS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
LARGEST = 1e9  # of a number: a degree or a length beyond it is nonsense, and its square must be finite
QUOTED = 64  # characters of a line that an error quotes


@dataclass
class Header:
    """What stands before the frames, lists indexed by joint; `body` is where the frames begin."""

    labels: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    offsets: list[list[float]] = field(default_factory=list)
    channels: list[tuple[str, ...]] = field(default_factory=list)
    ends: list[list[float]] = field(default_factory=list)
    end_parents: list[int] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    said_frames: float | None = None
    frame_time: float = 0.0
    body: int = 0
    body_line: int = 0


def unique(labels: list[str]) -> tuple[str, ...]:
    """Labels made unique: the second "Arm" is "Arm_2"."""
    taken, names = set(labels), []
    seen: dict[str, int] = {}
    for label in labels:
        seen[label] = seen.get(label, 0) + 1
        name = label
        while seen[label] > 1 and name in taken:
            name = f"{label}_{seen[label]}"
            seen[label] += name in taken
        taken.add(name)
        names.append(name)
    return tuple(names)


def wrong(line: int, why: str) -> BadInput:
    """The error for one line of a file."""
    return BadInput(f"line {line}: {why}")


def clean(data: bytes) -> tuple[bytes, str]:
    """Bytes with one kind of line end and no byte order mark, and the encoding of its names."""
    for mark, encoding in BYTE_MARKS.items():
        if data.startswith(mark):
            try:
                data = data.decode(encoding).encode("utf-8")
            except UnicodeDecodeError as error:
                raise wrong(1, f"the file begins as {encoding} but is not: {error.reason}") from error
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    try:
        data[: _end_of_header(data)].decode("utf-8")
    except UnicodeDecodeError:
        return data, "latin-1"
    return data, "utf-8"


def _end_of_header(data: bytes) -> int:
    found = re.search(rb"(?i)\bmotion\b", data)
    return found.start() if found else len(data)


def lines(data: bytes, start: int = 0, number: int = 1) -> Iterator[tuple[int, int, bytes]]:
    """Lines as (number, where the next begins, text)."""
    while start < len(data):
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        yield number, end + 1, data[start:end]
        start, number = end + 1, number + 1


def number(text: str | bytes, line: int) -> float:
    """A number of a size that means something."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not abs(value) <= LARGEST:
        shown = text.decode("latin-1") if isinstance(text, bytes) else text
        raise wrong(line, f"expected a number of at most {LARGEST:g}, found {shown[:QUOTED]!r}")
    return value


def frames(
    data: bytes, head: Header, width: int, progress: Callable[[float], None] | None
) -> tuple[np.ndarray, list[str]]:
    """Numbers of all frames (T, width), and what was odd. A frame may take several lines, never part of one."""
    values = array("d")
    pending, began = 0, head.body_line
    for k, (line, after, raw) in enumerate(lines(data, head.body, head.body_line)):
        row = _row(raw, line)
        if not row:
            continue
        began = began if pending else line
        pending += len(row)
        if pending > width and pending % width and pending != len(row):
            raise wrong(began, f"a frame of {pending - len(row)} numbers; the channels ask for {width}")
        if pending > width and pending % width:
            raise wrong(line, f"{len(row)} numbers; the channels ask for {width} in a frame")
        pending %= width
        values.extend(row)
        if progress is not None and k % 256 == 0:
            progress(after / len(data))
    if pending:
        raise wrong(began, f"a frame of {pending} numbers; the channels ask for {width}")
    if progress is not None:
        progress(1.0)
    table = np.frombuffer(values, dtype=np.float64) if values else np.zeros(0)
    _check_size(table, data, head)
    return table.reshape(-1, width), _frame_notes(len(values) // width, head.said_frames)


def _row(raw: bytes, line: int) -> list[float]:
    words = raw.split()
    try:
        row = list(map(float, words))
    except ValueError:
        row = [number(word, line) for word in words]
    if b"_" in raw:  # Python reads 1_000, no other tool does
        raise wrong(line, f"expected numbers, found {raw.strip()[:QUOTED].decode('latin-1')!r}")
    return row


def _check_size(table: np.ndarray, data: bytes, head: Header) -> None:
    """Name the line of the first number that is not finite or means nothing."""
    if len(table) and not max(table.max(), -table.min()) <= LARGEST:
        for line, _, raw in lines(data, head.body, head.body_line):
            for word in raw.split():
                number(word, line)


def _frame_notes(found: int, said: float | None) -> list[str]:
    if said is None:
        return [f"no line 'Frames:'; {found} frames found"]
    if said != found:
        return [f"'Frames: {said:.10g}' but {found} frames found; all that were found are used"]
    return []

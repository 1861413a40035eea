"""The blocks of a C3D file: its header, its parameters, and numbers as each kind of processor writes them."""

from __future__ import annotations

import struct

import numpy as np

from poise.errors import BadInput

BLOCK = 512
MAGIC = 0x50
INTEL, DEC, MIPS = 84, 85, 86
TEXT, REAL = -1, 4
Value = tuple[int, tuple[int, ...], bytes]
SIZES = {TEXT: 1, 1: 1, 2: 2, REAL: 4}


def damaged(byte: int, why: str) -> BadInput:
    """The error for a place in a file; a binary file has no lines."""
    return BadInput(f"byte {byte}: {why}")


class Blocks:
    """The header.

    Attributes:
        markers: Points in a frame; analog: other numbers in a frame.
        first: Number of the first frame; last: of the last.
        scale: Units per step of integer data; word: bytes of a number, 4 for real data.
        start: Where the frames begin [byte]; parameters: where the parameters do.
        rate: Frames a second.
    """

    def __init__(self, data: bytes) -> None:
        self.data = data
        if len(data) < 2 * BLOCK or data[1] != MAGIC:
            raise damaged(1, "not a C3D file: its second byte is not 0x50, or it is too short")
        self.parameters = (data[0] - 1) * BLOCK
        if not 0 < self.parameters <= len(data) - BLOCK:
            raise damaged(0, f"the parameters are said to begin at byte {self.parameters}")
        self.processor = data[self.parameters + 3]
        if self.processor not in (INTEL, DEC, MIPS):
            raise damaged(self.parameters + 3, f"processor {self.processor}; known: {INTEL}, {DEC}, {MIPS}")
        self.order = ">" if self.processor == MIPS else "<"
        self.markers, self.analog, self.first, self.last = struct.unpack_from(f"{self.order}4H", data, 2)
        self.start = (struct.unpack_from(f"{self.order}H", data, 16)[0] - 1) * BLOCK
        self.scale, self.rate = (float(self.reals(data[at : at + 4])[0]) for at in (12, 20))
        self.word = 4 if self.scale < 0 else 2
        if not BLOCK <= self.start < len(data):
            raise damaged(16, f"the frames are said to begin at byte {self.start}")
        if not 1e-9 < abs(self.scale) < 1e9 or not abs(self.rate) < 1e9:
            raise damaged(12, f"a scale of {self.scale:g} and a rate of {self.rate:g}")

    def reals(self, raw: bytes) -> np.ndarray:
        """Real numbers; DEC's have their halves swapped and are four times too large."""
        if self.processor == DEC:
            halves = np.frombuffer(raw, "<u2").reshape(-1, 2)[:, ::-1]
            return np.ascontiguousarray(halves).view("<f4").ravel() / np.float32(4.0)
        return np.frombuffer(raw, f"{self.order}f4")

    def numbers(self, count: int) -> np.ndarray:
        """That many numbers of the frames."""
        raw = self.data[self.start : self.start + count * self.word]
        return self.reals(raw) if self.word == 4 else np.frombuffer(raw, f"{self.order}i2")


class Parameters:
    """Groups of named values."""

    def __init__(self, blocks: Blocks) -> None:
        self.blocks = blocks
        groups: dict[int, str] = {}
        found: list[tuple[int, str, Value]] = []
        data, at = blocks.data, blocks.parameters + 4
        while at + 4 < len(data) and data[at] != 0:
            size, group = struct.unpack_from("bb", data, at)
            name = data[at + 2 : at + 2 + abs(size)].decode("latin-1").strip().upper()
            link = at + 2 + abs(size)
            if link + 4 > len(data):
                break
            step = struct.unpack_from(f"{blocks.order}H", data, link)[0]
            if group < 0:
                groups[-group] = name
            elif group > 0:
                found.append((group, name, self._value(link + 2)))
            if step < 2:
                break
            at = link + step
        self.values = {(groups.get(group, ""), name): value for group, name, value in found}

    def _value(self, at: int) -> Value:
        """Type, dimensions and bytes of a value; a value that the file does not hold is cut."""
        data = self.blocks.data
        kind, count = struct.unpack_from("bB", data, at)
        shape = tuple(data[at + 2 : at + 2 + count])
        size = SIZES.get(kind, 1) * int(np.prod(shape, dtype=object)) if shape else SIZES.get(kind, 1)
        start = at + 2 + count
        return kind, shape, data[start : start + min(size, len(data))]

    def texts(self, group: str, name: str) -> list[str]:
        """Strings, the continued lists (LABELS2, LABELS3 ...) with them."""
        texts: list[str] = []
        for k in ("", *range(2, 100)):
            kind, shape, raw = self.values.get((group, f"{name}{k}"), (0, (), b""))
            if kind != TEXT or not shape or shape[0] == 0:
                break
            cells = [raw[i : i + shape[0]] for i in range(0, len(raw), shape[0])]
            texts += [cell.decode("latin-1").strip(" \0") for cell in cells]
        return texts

    def number(self, group: str, name: str) -> float | None:
        """A real number, or None."""
        kind, _, raw = self.values.get((group, name), (0, (), b""))
        return float(self.blocks.reals(raw[:4])[0]) if kind == REAL and len(raw) >= 4 else None

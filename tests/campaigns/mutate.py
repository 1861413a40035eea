"""Seeded mutations of a file, and the smallest part of a bad one that is still bad."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

NASTY = (b"nan", b"inf", b"-inf", b"1e308", b"-1e308", b"1e-308", b"0", b"-0.0", b"-1", b"1e9", b"9" * 400, b"1e-7",
         b"2147483648", b"-2147483649", b"18446744073709551616", b"0x10", b"1_000", b"", b"\0", b"\xff\xfe",
         "°".encode(), b"true", b"[]", b"{}", b"null", b"a" * 300)  # fmt: skip
NUMBER = re.compile(rb"-?\d+\.?\d*(?:[eE][-+]?\d+)?")


def mutated(data: bytes, rng: random.Random) -> bytes:
    """The same bytes with one to four things wrong."""
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        data = rng.choice(WAYS)(data, rng)
    return data


def _number(data: bytes, rng: random.Random) -> bytes:
    found = list(NUMBER.finditer(data[:20000]))
    if not found:
        return _byte(data, rng)
    at = rng.choice(found)
    return data[: at.start()] + rng.choice(NASTY) + data[at.end() :]


def _byte(data: bytes, rng: random.Random) -> bytes:
    made = bytearray(data or b"\0")
    for _ in range(rng.choice((1, 1, 8))):
        made[rng.randrange(len(made))] = rng.randrange(256)
    return bytes(made)


def _cut(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _drop(data: bytes, rng: random.Random) -> bytes:
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    return b"\n".join(lines[:at] + lines[at + rng.randrange(1, 4) :])


def _twice(data: bytes, rng: random.Random) -> bytes:
    lines = data.split(b"\n")
    a = rng.randrange(len(lines))
    b = min(len(lines), a + rng.randrange(1, 20))
    return b"\n".join(lines[:b] + lines[a:b] * rng.choice((1, 1, 3, 50)) + lines[b:])


def _swap(data: bytes, rng: random.Random) -> bytes:
    lines = data.split(b"\n")
    a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[a], lines[b] = lines[b], lines[a]
    return b"\n".join(lines)


def _word(data: bytes, rng: random.Random) -> bytes:
    words = data.split(b" ")
    a, b = rng.randrange(len(words)), rng.randrange(len(words))
    words[a] = rng.choice((words[b], rng.choice(NASTY)))
    return b" ".join(words)


WAYS: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    _number, _number, _number, _byte, _cut, _drop, _twice, _swap, _word,
)  # fmt: skip


def smallest(data: bytes, bad: Callable[[bytes], bool], tries: int = 200) -> bytes:
    """A smaller file that is still bad: parts are left out, halves first, then less and less."""
    part = max(1, len(data) // 2)
    while part >= 1 and tries > 0:
        at = 0
        while at < len(data) and tries > 0:
            tries -= 1
            shorter = data[:at] + data[at + part :]
            if bad(shorter):
                data = shorter
            else:
                at += part
        part //= 2
    return data

"""Judging chaotic takes: several that differ a little, of which four in five must pass."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

SHARE = 0.8  # four of five, the rule of push limits

T = TypeVar("T")


def most(takes: Iterable[T], *passes: Callable[[T], bool]) -> bool:
    """Whether at least four of five takes pass every test; of fewer than five, all."""
    results = [all(test(take) for test in passes) for take in takes]
    return bool(results) and sum(results) >= SHARE * len(results)

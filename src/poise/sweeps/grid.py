"""A grid of values of options: read from the command line, and its points."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import Any

import numpy as np

from poise.errors import BadInput
from poise.gate import number, parse_value, within

RANGE = re.compile(r"^([^:,]+):([^:,]+):(\d+)$")  # from, to, how many
MOST_VALUES = 100_000  # along one axis
MOST_TAKES = 10_000_000  # of one sweep

Grid = dict[str, list[Any]]  # values by key, the first axis is the slowest


def read(texts: Sequence[str]) -> Grid:
    """The grid of ``key=a:b:n`` (n values from a to b) and ``key=a,b,c`` texts."""
    grid: Grid = {}
    for text in texts:
        key, equals, values = (part.strip() for part in text.partition("="))
        if not equals or not key or not values:
            raise BadInput(f"grid {text!r} is not KEY=FROM:TO:COUNT or KEY=A,B,C, e.g. speed=0.2:1.0:5")
        if key in grid:
            raise BadInput(f"grid key {key!r} is given twice; list all its values once")
        found = RANGE.match(values)
        grid[key] = _range(key, *found.groups()) if found else [parse_value(v) for v in _listed(text, values)]
    return grid


def _range(key: str, low: str, high: str, count: str) -> list[Any]:
    """Evenly spaced values; whole numbers where all of them are."""
    many = number(f"grid {key}: number of values", int(count), 1, MOST_VALUES, whole=True)
    start, stop = (number(f"grid {key}: end of the range", parse_value(end)) for end in (low, high))
    values = [round(float(x), 12) for x in np.linspace(start, stop, many)]
    whole = "." not in low + high and all(x == int(x) for x in values)
    return [int(x) for x in values] if whole else values


def _listed(text: str, values: str) -> list[str]:
    parts = [part.strip() for part in values.split(",")]
    if not all(parts) or len(set(parts)) < len(parts):
        raise BadInput(f"grid {text!r} has an empty value, or one twice")
    return parts


def points(grid: Grid) -> Iterator[dict[str, Any]]:
    """Every combination of values, the last key changing fastest; one empty point without axes."""
    for values in product(*grid.values()):
        yield dict(zip(grid, values))


def count(grid: Grid, replicas: int) -> int:
    """How many takes a grid has; one that is over its budget is refused."""
    takes = prod(len(values) for values in grid.values()) * replicas
    within("the sweep", takes, MOST_TAKES, "takes")
    return takes

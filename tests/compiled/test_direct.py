"""Functions of one record, called without numba's own search for a type."""

from __future__ import annotations

import numpy as np

from poise.compiled import compiled_for_record
from poise.records import Record, Vector


class One(Record):
    x: Vector

    def __init__(self, x: list[float]) -> None:
        self.x = np.array(x)
        self.seal()


class Two(Record):
    y: Vector
    x: Vector

    def __init__(self, x: list[float]) -> None:
        self.x, self.y = np.array(x), np.zeros(7)
        self.seal()


@compiled_for_record
def total(record):
    return record.x.sum()


def test_records_of_several_classes_in_turn():
    assert [total(kind([1.0, 2.0, n])) for n, kind in enumerate((One, Two, Two, One, One))] == [3, 4, 5, 6, 7]

"""Records: what compiled code sees of them."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from poise.compiled import compiled
from poise.records import Count, Indices, Matrix, Real, Record, Vector


class Inner(Record):
    values: Vector

    def __init__(self) -> None:
        self.values = np.arange(3.0)
        self.seal()


class Outer(Record):
    inner: Inner
    table: Matrix
    places: Indices
    scale: Real
    count: Count

    def __init__(self, inner: Inner) -> None:
        self.inner, self.table = inner, np.ones((2, 3))
        self.places, self.scale, self.count = np.array([2, 0], dtype=np.int64), 0.5, 4
        self.name = "anything else is Python's own"
        self.seal()


@compiled
def read(outer):
    total = 0.0
    for i in range(outer.places.shape[0]):
        total += outer.inner.values[outer.places[i]]
    outer.table[1, 2] = total * outer.scale
    return outer.count


def test_compiled_code_reads_and_writes_the_same_arrays():
    outer = Outer(Inner())
    assert read(outer) == 4
    assert outer.table[1, 2] == 1.0
    outer.inner.values[2] = 10.0
    read(outer)
    assert outer.table[1, 2] == 5.0


def test_a_field_of_another_kind_is_refused():
    class Wrong(Record):
        values: Vector

        def __init__(self) -> None:
            self.values = np.zeros((2, 2))
            self.seal()

    with pytest.raises(TypeError, match="values"):
        Wrong()


def test_a_rebound_field_is_noticed():
    inner = Inner()
    assert inner.intact()
    inner.values = np.zeros(3)
    assert not inner.intact()


def test_a_copy_has_a_table_of_its_own():
    inner = pickle.loads(pickle.dumps(Inner()))
    assert inner.intact()
    np.testing.assert_array_equal(inner.values, np.arange(3.0))

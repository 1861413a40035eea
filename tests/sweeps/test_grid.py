"""Grids as they are written on the command line."""

from __future__ import annotations

import pytest

from poise.errors import BadInput
from poise.sweeps import grid


def test_ranges_and_lists():
    found = grid.read(["speed=0.2:1.0:5", "steps=1:3:3", "control.mode=robust,fast", "life=on,off"])
    assert found["speed"] == [0.2, 0.4, 0.6, 0.8, 1.0]
    assert found["steps"] == [1, 2, 3] and all(isinstance(n, int) for n in found["steps"])
    assert found["control.mode"] == ["robust", "fast"] and found["life"] == [True, False]


def test_the_last_axis_changes_fastest():
    assert list(grid.points({"a": [1, 2], "b": ["x", "y"]})) == [
        {"a": 1, "b": "x"}, {"a": 1, "b": "y"}, {"a": 2, "b": "x"}, {"a": 2, "b": "y"},
    ]  # fmt: skip
    assert list(grid.points({})) == [{}]


@pytest.mark.parametrize(
    "wrong",
    ["speed", "=1,2", "speed=", "speed=1,,2", "speed=1,1", "speed=1:2:0", "speed=a:2:3", "speed=1:inf:3"],
)
def test_bad_axes_are_refused(wrong):
    with pytest.raises(BadInput):
        grid.read([wrong])


def test_an_axis_is_given_once():
    with pytest.raises(BadInput, match="twice"):
        grid.read(["a=1,2", "a=3,4"])


def test_too_many_takes_are_refused():
    assert grid.count({"a": [1, 2], "b": [1, 2, 3]}, 5) == 30
    with pytest.raises(BadInput, match="takes"):
        grid.count({"a": list(range(10_000)), "b": list(range(10_000))}, 1)

"""The gate for input: one validator for numbers, and foreign complaints made ours."""

from __future__ import annotations

import math

import numpy as np
import pytest

from poise import gate
from poise.errors import BadInput


@pytest.mark.parametrize("value", [0, 1, 0.5, np.float64(0.25), np.int64(1), np.float32(0.5)])
def test_numbers_pass(value):
    assert gate.number("x", value, 0.0, 1.0) == float(value)


@pytest.mark.parametrize(
    "value",
    [
        math.nan,
        math.inf,
        -math.inf,
        10**400,
        -(10**5000),
        True,
        "1",
        b"1",
        None,
        [1],
        {},
        1j,
        np.zeros(3),
        1.5,
        -0.5,
    ],
    ids=lambda v: str(type(v)),
)
def test_everything_else_is_refused_in_one_short_line(value):
    with pytest.raises(BadInput) as caught:
        gate.number("x", value, 0.0, 1.0)
    assert "x " in str(caught.value) and len(str(caught.value)) < 200 and "\n" not in str(caught.value)


def test_whole_numbers():
    assert gate.number("n", 3.0, 0, 9, whole=True) == 3
    assert isinstance(gate.number("n", 3.0, 0, 9, whole=True), int)
    with pytest.raises(BadInput, match="whole"):
        gate.number("n", 2.5, 0, 9, whole=True)


def test_foreign_errors_become_ours_and_own_ones_stay(monkeypatch):
    monkeypatch.delenv("POISE_DEBUG", raising=False)
    for error in (
        KeyError("a"),
        ValueError("b"),
        ZeroDivisionError(),
        np.linalg.LinAlgError("c"),
        RecursionError(),
    ):
        with pytest.raises(BadInput, match=r"'f\.bvh': "), gate.gate("'f.bvh'"):
            raise error
    with pytest.raises(BadInput, match=r"^mine$"), gate.gate("'f.bvh'"):
        raise BadInput("mine")
    with pytest.raises(KeyboardInterrupt), gate.gate("'f.bvh'"):
        raise KeyboardInterrupt


def test_errors_of_ours_stay_what_they_are():
    for error in (TypeError("a"), AttributeError("b"), AssertionError("c")):
        with pytest.raises(type(error)), gate.gate("'f.bvh'"):
            raise error
    with pytest.raises(KeyError), gate.gate("a scene", gate.NUMBERS):  # a name that we should have known
        raise KeyError("chest")


def test_nested_lists_are_shown_short():
    bomb: list = ["lol"]
    for _ in range(60):
        bomb = [bomb, bomb]
    assert len(gate.shown(bomb)) < 80


def test_a_file_over_its_budget_is_not_read(tmp_path):
    (tmp_path / "big").write_bytes(bytes(100))
    assert len(gate.read(tmp_path / "big", 100)) == 100
    with pytest.raises(BadInput, match="99 at the most"):
        gate.read(tmp_path / "big", 99)

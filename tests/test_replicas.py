"""The rule of four in five."""

from __future__ import annotations

import pytest

from replicas import most


@pytest.mark.parametrize(
    ("results", "held"),
    [("11111", True), ("11110", True), ("11100", False), ("1110", False), ("1", True), ("", False)],
)
def test_four_of_five(results: str, held: bool) -> None:
    assert most(results, lambda letter: letter == "1") is held

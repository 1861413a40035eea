"""Stick figures of a stride."""

from __future__ import annotations

import numpy as np
import pytest

import poise
from poise.draw.strip import APART, draw
from poise.errors import BadInput


@pytest.fixture(scope="module")
def walk():
    return poise.simulate(poise.scene("walk", speed=1.1, seconds=6.0))


def test_a_row_for_each_walk(walk, tmp_path):
    from PIL import Image

    one, two = tmp_path / "one.png", tmp_path / "two.png"
    assert draw([("A", walk)], one) and draw([("A", walk), ("B", walk)], two)
    sizes = [Image.open(path).size for path in (one, two)]
    assert sizes[0][0] == sizes[1][0] and sizes[1][1] == pytest.approx(2 * sizes[0][1], abs=2)
    assert np.ptp(np.asarray(Image.open(two).convert("L"))) > 200  # there is something on it
    assert 0.3 < APART < 1.0


def test_who_stands_has_no_strip(tmp_path):
    stand = poise.simulate(poise.scene("stand", seconds=1.0))
    path = tmp_path / "none.png"
    assert not draw([("A", stand)], path) and not path.exists()


def test_a_strip_has_an_ending_of_ours(walk, tmp_path):
    with pytest.raises(BadInput, match="ending"):
        draw([("A", walk)], tmp_path / "strip.doc")

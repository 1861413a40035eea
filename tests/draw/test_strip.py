"""Stick figures of a stride."""

from __future__ import annotations

import numpy as np
import pytest

import poise
from poise.draw import strip
from poise.draw.strip import APART, draw
from poise.errors import BadInput
from poise.record.limbs import limbs_of


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


def test_ankles_are_drawn_as_high_as_peoples(walk):
    limbs, high = limbs_of(walk), 0.05
    i = int(np.argmin(np.abs(limbs.pitch("l")[300:]))) + 300  # flat on the ground
    own, drawn = limbs.places["foot_l"][i], strip._ankle(limbs, i, "l", high)
    sole = 0.5 * (limbs.edge("l", "heel") + limbs.edge("l", "toe"))[i, 2]
    assert own[2] - sole > high + 0.02  # the skeleton's is higher
    assert drawn[2] - sole == pytest.approx(high, abs=0.005)
    along = own - limbs.places["shin_l"][i]
    assert np.linalg.norm(np.cross(drawn - own, along)) < 1e-9  # on the shin: no joint is bent by it


def test_heads_are_as_far_above_shoulders_and_toes_bend_on_the_ground(walk):
    limbs = limbs_of(walk)
    tip = strip._tip(limbs, "l")
    for i in range(300, 400, 7):
        shoulders = strip._middle(limbs, i, "upper_arm")
        assert np.linalg.norm(strip._skull(limbs, i, 1.4, 0.2) - shoulders) == pytest.approx(0.2)
        ankle, heel, ball, toe, last = strip._foot(limbs, i, "l", limbs.places["foot_l"][i], tip)
        assert ankle is last and toe[2] >= 0.0
        assert 0.6 < np.linalg.norm(ball - heel) / np.linalg.norm(toe - heel) < 0.95


def test_who_stands_has_no_strip(tmp_path):
    stand = poise.simulate(poise.scene("stand", seconds=1.0))
    path = tmp_path / "none.png"
    assert not draw([("A", stand)], path) and not path.exists()


def test_a_strip_has_an_ending_of_ours(walk, tmp_path):
    with pytest.raises(BadInput, match="ending"):
        draw([("A", walk)], tmp_path / "strip.doc")

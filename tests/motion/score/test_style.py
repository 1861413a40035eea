"""How people walk, as a score at any speed and turn."""

from __future__ import annotations

import numpy as np
import pytest

from poise.character import Character
from poise.character.soles import bending
from poise.geometry.polygon import hull, signed_distance
from poise.motion.score import columns as cols
from poise.motion.score.samples import DT
from poise.record import looks
from poise.record.kinematic import recording_of
from poise.scenes.stroll import style_of


@pytest.fixture(scope="module")
def style():
    return style_of(bending(Character.named("adult")))


@pytest.fixture(scope="module")
def loop(style):
    return style.at(1.2)


def test_it_is_known_the_second_time(style, loop):
    assert style.at(1.2) is loop and style.near(1.17, 0.02) is loop


def test_it_looks_as_people_do(loop):
    found = looks.looks(recording_of(loop.clip))
    assert found["speed_ms"] == pytest.approx(1.2, rel=0.01)
    assert 0.06 < found["width_m"] < 0.11
    assert 0.35 <= found["heel_off_share"] <= 0.5
    assert 48 < found["knee_range_deg"] < 70 and 35 < found["hip_range_deg"] < 55
    assert 6 < found["pelvis_yaw_deg"] < 18 and 15 < found["shoulder_range_deg"] < 35


def test_load_rolls_on_and_hardly_back(loop):
    steps = np.diff(loop.tables.body[: loop.period, cols.P.start])
    assert -steps[steps < 0].sum() < 0.03 * steps[steps > 0].sum()


def test_the_pressure_lies_under_the_feet(loop):
    for i in range(0, loop.period, 5):
        stands = [p.place for own in loop.prints for p in own if p.first <= i <= p.last]
        reach = np.array(
            [place + d for place in stands for d in ([0.15, 0], [-0.15, 0], [0, 0.06], [0, -0.06])]
        )
        assert signed_distance(hull(reach), loop.tables.body[i, cols.P]) < 0.0


def test_a_turn_bends_the_way(style):
    bent = style.at(0.9, 0.3)
    assert bent.on[1] == pytest.approx(0.3 * bent.period * DT)
    assert np.hypot(*bent.on[0]) == pytest.approx(0.9 * bent.period * DT, rel=0.02)

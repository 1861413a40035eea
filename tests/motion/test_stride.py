"""One stride of a walk as a cycle."""

from __future__ import annotations

import numpy as np
import pytest

from poise.character import Character
from poise.errors import BadInput
from poise.geometry import quat
from poise.motion import library
from poise.motion.blend import moved
from poise.motion.gait import Gait, walk
from poise.motion.stride import stride_of


@pytest.fixture(scope="module")
def clip():
    return walk(Character.named("adult"), Gait(), steps=6)


@pytest.fixture(scope="module")
def stride(clip):
    return stride_of(clip)


def test_it_has_the_speed_and_the_time_of_the_clip(clip, stride):
    way = np.hypot(*(clip.q[-1, :2] - clip.q[0, :2]))
    assert stride.speed == pytest.approx(way / clip.seconds, rel=0.01)
    assert stride.seconds == pytest.approx(2 * Gait().period, rel=0.01)


def test_its_ends_meet(stride):
    ends = stride.pose(np.array([0.0, 1.0]))
    assert np.abs(ends[1] - ends[0]).max() < 1e-9


def test_feet_stand_in_turn(stride):
    for land, lift in stride.stands.values():
        assert 0.0 <= land < 1.0 and 0.55 < lift - land < 0.8
    left, right = stride.stands.values()
    assert (right[0] - left[0]) % 1.0 == pytest.approx(0.5, abs=0.02)


def test_its_way_does_not_depend_on_where_the_clip_goes(clip, stride):
    other = stride_of(moved(clip, (2.0, -1.0, 0.0), yaw=2.0))
    phases = np.linspace(0.0, 1.0, 7)
    turns = quat.difference(stride.pose(phases)[:, 3:7], other.pose(phases)[:, 3:7])
    assert other.speed == pytest.approx(stride.speed, rel=1e-6)
    assert np.abs(turns).max() < 1e-6


def test_faster_sinks_deeper_but_rises_no_higher(stride):
    phases = np.linspace(0.0, 1.0, 97)
    own, fast = stride.pose(phases)[:, 2], stride.pose(phases, 1.3)[:, 2]
    assert fast.max() == pytest.approx(own.max(), abs=2e-4)
    assert fast.min() < own.min() - 1e-3


def test_what_is_no_walk_is_refused():
    body = Character.named("adult")
    with pytest.raises(BadInput, match="no whole stride"):
        stride_of(library.twist(body))

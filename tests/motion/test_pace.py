"""A movement too fast for the feet that carry it is found out, and slowed down until it is not."""

from dataclasses import replace

import numpy as np
import pytest

from mocap import need
from poise.capture.captured import captured
from poise.character import Character
from poise.motion import library
from poise.motion.lock import PACES, carried


def test_a_slow_squat_is_carried():
    assert carried(library.squat(Character.named("adult"), depth=0.2, period=4.0))


def test_a_fast_sway_is_not():
    clip = library.squat(Character.named("adult"), depth=0.2, period=4.0)
    q = clip.q.copy()
    q[:, 0] += 0.1 * np.sin(2 * np.pi * clip.times / 0.8)  # 0.6 g forward and back
    assert not carried(replace(clip, q=q))


def test_a_pose_is_carried():
    clip = library.squat(Character.named("adult"), depth=0.2, period=4.0)
    assert carried(clip.trim(0.0, 0.03))


@pytest.mark.slow
def test_a_jumpy_kick_is_slowed_down():
    took = captured(need("bvh/135_11.bvh")[0], part="kick", speed=0.0)
    assert took.speed in PACES[1:]
    assert carried(took.clip)

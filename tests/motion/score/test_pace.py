"""A clip that asks for more torque than a body has is slowed where it does, and nowhere else."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from poise.behaviours.stepping.legs import Legs
from poise.character import Character
from poise.motion import library
from poise.motion.gait import FLAT, walk
from poise.motion.score import score_of
from poise.motion.score.pace import SLOWEST, _fastest, paced, paces


def squat(period: float, depth: float = 0.2):
    return replace(library.squat(Character.named("adult"), depth=depth, period=period), loop=False)


def pace_of(clip) -> np.ndarray:
    legs = Legs(clip.character).both
    soles = [leg.support for leg in legs]
    return paces(score_of(clip, soles, np.array([leg.half for leg in legs])), soles)


def test_a_slow_squat_keeps_its_pace():
    assert pace_of(squat(4.0)).min() == pytest.approx(1.0)


def test_a_squat_that_is_too_quick_is_slowed_and_then_fits():
    quick = squat(0.4, depth=0.3)
    pace = pace_of(quick)
    assert SLOWEST <= pace.min() < 0.95
    assert pace_of(paced(quick, pace)).min() > pace.min() + 0.02


def test_a_walk_keeps_its_pace():
    assert pace_of(walk(Character.named("adult"), FLAT, steps=4)).min() == pytest.approx(1.0)


def test_half_the_pace_takes_twice_as_long_through_the_same_poses():
    clip = squat(2.0)
    slow = paced(clip, np.full(round(clip.seconds * 100) + 1, 0.5))
    assert slow.seconds == pytest.approx(2 * clip.seconds, rel=1e-6)
    for t in (0.3, 0.9, 1.6):
        assert np.abs(slow.at(slow.start + 2 * t) - clip.at(clip.start + t)).max() < 0.002


def test_the_fastest_pace_puts_one_torque_at_its_limit():
    still, moving = np.array([10.0, -5.0, 0.0]), np.array([90.0, -45.0, 20.0])
    low, high = np.full(3, -30.0), np.full(3, 50.0)
    r = _fastest(still, moving, low, high)
    torque = still + r**2 * (moving - still)
    assert (torque <= high + 1e-9).all() and (torque >= low - 1e-9).all()
    assert min((high - torque).min(), (torque - low).min()) == pytest.approx(0.0, abs=1e-9)


def test_a_pace_ends_where_the_clip_does():
    """Whatever part of a sample is left over: the last frames keep their distance."""
    clip = squat(1.003)
    slow = paced(clip, np.full(101, 0.8))
    assert slow.seconds == pytest.approx(clip.seconds / 0.8, rel=1e-6)
    speed = np.linalg.norm(np.diff(slow.q, axis=0), axis=1)
    assert speed[-1] < 3 * speed[-4:-1].max() + 1e-4

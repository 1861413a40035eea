"""Clips joined about a foot, moved and re-timed."""

import numpy as np
import pytest

from poise.character import Character
from poise.errors import BadInput
from poise.motion import library
from poise.motion.blend import blend, delayed, moved, warped
from poise.motion.clip import Clip
from poise.motion.feet import skate, tracks


@pytest.fixture(scope="module")
def adult():
    return Character.named("adult")


@pytest.fixture(scope="module")
def squat(adult):
    return library.squat(adult, 0.2, 1.6).trim(0.0, 1.6)


def test_moving_a_clip_moves_its_feet_and_nothing_else(squat):
    away = moved(squat, (1.0, -2.0, 0.0), yaw=0.7)
    a, b = tracks(squat), tracks(away)
    turn = np.array([[np.cos(0.7), -np.sin(0.7), 0], [np.sin(0.7), np.cos(0.7), 0], [0, 0, 1]])
    assert b.place == pytest.approx(a.place @ turn.T + [1.0, -2.0, 0.0], abs=1e-12)
    assert np.array_equal(away.q[:, 7:], squat.q[:, 7:])


def test_a_foot_stays_put_through_a_blend(adult, squat):
    twist = moved(library.twist(adult).trim(0.0, 1.5), (0.4, 0.3, 0.0), yaw=1.1)
    joined = blend(squat, twist, 0.5, "foot_l")
    assert joined.seconds == pytest.approx(1.6 + 1.5 - 0.5)
    assert joined.at(0.3) == pytest.approx(squat.at(0.3), abs=1e-4)
    foot = tracks(joined).place[:, [s.name for s in adult.supports].index("foot_l")]
    assert np.ptp(foot, axis=0).max() < 2e-3
    assert skate(joined).slide_m < 2e-3


def test_a_blend_does_not_jump(adult, squat):
    still = Clip(adult, np.array([0.0, 0.5, 1.0, 1.5]), np.tile(adult.q_rest, (4, 1)))
    joined = blend(squat, still, 0.6, "foot_r")
    steps = np.abs(np.diff(joined.q, axis=0)).max(axis=1)
    assert steps.max() < 3 * np.abs(np.diff(squat.resample(120.0).q, axis=0)).max()


def test_contacts_of_both_clips_are_kept(adult, squat):
    kick = library.side_kick(adult, 3.0, "l")
    joined = blend(squat, kick, 0.4, "foot_r")
    at = squat.end - 0.4
    for t in np.linspace(0.0, joined.end, 50):
        expected = kick.on_ground("foot_l", t - at) if t > squat.end - 0.2 else True
        assert joined.on_ground("foot_l", t) == expected


@pytest.mark.parametrize("seconds", [0.0, -1.0, 5.0])
def test_a_blend_that_does_not_fit_is_refused(squat, seconds):
    with pytest.raises(BadInput, match="blend of"):
        blend(squat, squat, seconds, "foot_l")


def test_loops_and_strangers_are_refused(adult, squat):
    with pytest.raises(BadInput, match="loops"):
        blend(library.squat(adult, 0.2, 1.6), squat, 0.3, "foot_l")
    with pytest.raises(BadInput, match="two characters"):
        blend(squat, Clip.still(Character.named("chicken")), 0.3, "foot_l")


def test_a_warp_keeps_poses_and_contacts_at_their_new_times(adult):
    kick = library.side_kick(adult, 3.0, "l")
    keys = [(0.0, 0.0), (1.5, 2.0), (3.0, 3.2)]
    late = warped(kick, keys)
    for old, new in keys:
        assert late.at(new) == pytest.approx(kick.at(old), abs=1e-6)
    (_, lift), *_ = kick.contacts["foot_l"]
    (_, lift_late), *_ = late.contacts["foot_l"]
    assert lift_late > lift and late.on_ground("foot_l", lift_late - 0.01)


def test_warps_that_go_back_in_time_are_refused(adult, squat):
    for keys in ([(0.0, 0.0)], [(0.0, 0.0), (1.6, -1.0)], [(0.0, 0.0), (1.0, 1.0)]):
        with pytest.raises(BadInput):
            warped(squat, keys)


def test_delay():
    clip = delayed(Clip.still(Character.named("adult")), 2.0)
    assert clip.start == 2.0

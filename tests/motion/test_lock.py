"""Noise filtered out, and feet that skate, float and tilt brought back to the ground."""

from dataclasses import replace

import numpy as np
import pytest

from poise.character import Character
from poise.errors import BadInput
from poise.geometry import quat
from poise.motion import library
from poise.motion.feet import skate, stands, tracks
from poise.motion.filters import smoothed
from poise.motion.lock import locked


@pytest.fixture(scope="module")
def adult():
    return Character.named("adult")


def spoiled(clip, slide=0.03, tilt=0.06):
    """The clip as a bad capture would have it: the whole body drifts about, sinks, and the ankles tilt."""
    q = np.array(clip.q)
    t = clip.times[:, None]
    q[:, :2] += slide * np.sin(2 * np.pi * np.array([0.5, 0.7]) * t)
    q[:, 2] += 0.02 * np.sin(3 * clip.times) - 0.01
    for side in "lr":
        at = clip.character.model.joint(f"ankle_{side}").qposadr[0]
        wobble = quat.from_rotvec(tilt * np.sin(np.array([2.0, 3.0, 1.0]) * t))
        q[:, at : at + 4] = quat.multiply(q[:, at : at + 4], wobble)
    return replace(clip, q=q)


@pytest.fixture(scope="module")
def squat(adult):
    return library.squat(adult, 0.2, 1.6).trim(0.0, 1.6).resample(60.0)


def test_feet_are_locked_flat(squat):
    bad = spoiled(squat)
    before, after = skate(bad), skate(locked(bad))
    assert before.slide_m > 0.01 and before.tilt_deg > 2 and before.sink_m > 0.005
    assert after.slide_m < 1e-3 and after.tilt_deg < 0.1 and after.sink_m < 1e-3 and after.float_m < 1e-3


def test_a_clip_with_good_feet_is_left_alone(squat):
    again = locked(squat, balanced=False)
    assert np.abs(again.q - squat.q).max() < 0.015  # the filter takes a little off the fastest moments


def test_a_foot_in_the_air_keeps_its_path_and_lands_in_its_place(adult):
    kick = library.side_kick(adult, 3.0, "l").resample(60.0)
    fixed = locked(spoiled(kick), balanced=False)
    foot = [s.name for s in adult.supports].index("foot_l")
    raw, now, down = tracks(kick), tracks(fixed), stands(kick)
    assert now.place[~down[:, foot], foot, 2].max() == pytest.approx(
        raw.place[~down[:, foot], foot, 2].max(), abs=0.05
    )
    steps = np.linalg.norm(np.diff(now.place[:, foot], axis=0), axis=1)
    assert steps.max() < 1.5 * np.linalg.norm(np.diff(raw.place[:, foot], axis=0), axis=1).max()
    assert skate(fixed).slide_m < 1e-3


def test_noise_is_filtered_and_motion_is_kept(squat):
    rng = np.random.default_rng(0)
    noisy = replace(squat, q=squat.q + 0.004 * rng.standard_normal(squat.q.shape))
    clean = smoothed(noisy, 6.0)
    noise, left = noisy.q - squat.q, clean.q - squat.q
    assert np.std(left) < 0.6 * np.std(noise)
    assert np.abs(np.linalg.norm(clean.q[:, 3:7], axis=1) - 1).max() < 1e-12
    assert smoothed(squat, 1000.0) is squat


def test_a_loop_stays_a_loop(adult):
    loop = library.squat(adult, 0.2, 1.6)
    clean = smoothed(loop, 4.0)
    assert clean.loop and np.array_equal(clean.q[0], clean.q[-1])


def test_filter_refuses_uneven_frames_and_bad_cutoffs(squat):
    uneven = replace(squat, times=squat.times**1.5)
    with pytest.raises(BadInput, match="even frames"):
        smoothed(uneven, 6.0)
    with pytest.raises(BadInput, match="cut-off"):
        smoothed(squat, 0.0)

"""Clips: exact derivatives, contracts, and what they refuse."""

import mujoco
import numpy as np
import pytest

from poise.character.character import Character
from poise.errors import BadInput
from poise.geometry import quat
from poise.motion import Clip
from poise.motion.mirror import mirror_pose

ADULT = Character.named("adult")
MODEL = ADULT.model


def tangent(a, b):
    """v (nv,) that takes pose a to pose b in one second."""
    out = np.zeros(MODEL.nv)
    mujoco.mj_differentiatePos(MODEL, out, 1.0, np.asarray(a), np.asarray(b))
    return out


def random_clip(loop=False, frames=30, seconds=1.0):
    """A smooth wild movement of every joint: sums of sines in the tangent space of the rest pose."""
    rng = np.random.default_rng(3)
    size, phase = rng.uniform(0.1, 0.8, MODEL.nv), rng.uniform(0, 6, MODEL.nv)
    times, q = np.linspace(0, seconds, frames), []
    for t in times:
        pose = ADULT.q_rest.copy()
        mujoco.mj_integratePos(MODEL, pose, size * np.sin(2 * np.pi * t / seconds + phase), 1.0)
        q.append(pose)
    q[-1] = q[0] if loop else q[-1]
    return Clip(ADULT, times, np.array(q), loop=loop)


@pytest.mark.parametrize("loop", [False, True])
def test_velocity_and_acceleration_are_derivatives(loop):
    clip, h = random_clip(loop), 1e-5
    for t in np.linspace(0.01, 0.99, 23):
        q, v, v_dot = clip.sample(t)
        assert np.allclose(v, tangent(clip.at(t - h), clip.at(t + h)) / (2 * h), atol=1e-6)
        assert np.allclose(v_dot, (clip.velocity(t + h) - clip.velocity(t - h)) / (2 * h), atol=2e-3)
        assert np.array_equal(q, clip.at(t)) and np.array_equal(v_dot, clip.acceleration(t))
        assert np.allclose(np.linalg.norm(q[3:7]), 1)


def test_passes_through_its_frames():
    clip = random_clip()
    assert max(np.abs(tangent(clip.at(t), q)).max() for t, q in zip(clip.times, clip.q, strict=True)) < 1e-9


def test_spline_is_smooth_in_acceleration():
    clip = random_clip(loop=True)
    for t in [*clip.times[1:-1], clip.end]:
        assert np.allclose(clip.acceleration(t - 1e-9), clip.acceleration(t + 1e-9), atol=1e-4)


def test_ends_are_held_and_loops_repeat():
    clip, loop = random_clip(), random_clip(loop=True)
    for t, end in ((-1, 0), (5, -1)):
        q, v, v_dot = clip.sample(t)
        assert np.allclose(q, clip.q[end]) and not v.any() and not v_dot.any()
    for t in (0.0, 0.3, 0.99):
        for one, two in zip(loop.sample(t), loop.sample(t + 7 * loop.seconds), strict=True):
            assert np.allclose(one, two, atol=1e-9)


def test_arrays_are_read_only_and_own():
    q = np.tile(ADULT.q_rest, (5, 1))
    clip = Clip(ADULT, np.arange(5.0), q)
    q[:] = 7
    assert np.allclose(clip.q, ADULT.q_rest)
    for array in (clip.times, clip.q):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_still():
    q, v, v_dot = Clip.still(ADULT).sample(12.3)
    assert np.allclose(q, ADULT.q_rest, atol=1e-14) and not v.any() and not v_dot.any()
    assert Clip.still(ADULT).resample(60).seconds == 0


def test_quaternion_signs_do_not_matter():
    clip = random_clip()
    q = np.array(clip.q)
    q[::2, 3:7] *= -1
    assert np.allclose(Clip(ADULT, clip.times, q).velocity(0.41), clip.velocity(0.41), atol=1e-9)


def test_resample_trim_slower():
    clip = random_clip(frames=60)
    fine = clip.resample(240)
    assert len(fine.times) == 241 and np.abs(tangent(fine.at(0.377), clip.at(0.377))).max() < 1e-4
    part = clip.trim(0.25, 0.75)
    assert part.start == 0 and np.isclose(part.seconds, 0.5) and not part.loop
    assert np.abs(tangent(part.at(0.2), clip.at(0.45))).max() < 1e-4
    slow = clip.slower(2)
    assert np.allclose(slow.velocity(0.8), clip.velocity(0.4) / 2)
    assert np.allclose(slow.acceleration(0.8), clip.acceleration(0.4) / 4)


def test_contacts_follow_the_operations():
    clip = Clip(ADULT, np.arange(5.0), np.tile(ADULT.q_rest, (5, 1)), contacts={"foot_l": ((0, 1), (3, 4))})
    assert [clip.on_ground("foot_l", t) for t in (0.5, 2, 3.5)] == [True, False, True]
    assert clip.on_ground("foot_r", 2) and clip.mirrored().on_ground("foot_l", 2)
    assert not clip.mirrored().on_ground("foot_r", 2)
    assert not clip.slower(2).on_ground("foot_l", 5) and clip.trim(2.5, 4).on_ground("foot_l", 1)
    with pytest.raises(BadInput, match=r"support .foot_x. not found.*foot_l, foot_r"):
        clip.on_ground("foot_x", 0)


def test_mirror_reflects_the_world():
    clip = random_clip()
    assert np.allclose(clip.mirrored().mirrored().q, clip.q)
    q = clip.at(0.3)
    here, there = ADULT.posed(q), ADULT.posed(mirror_pose(ADULT, q))
    flip = np.array([1, -1, 1])
    for a, b in [*ADULT.pairs, ("head", "head"), ("pelvis", "pelvis")]:
        assert np.allclose(here.body(a).xpos, there.body(b).xpos * flip, atol=1e-9)
        for u in np.eye(3):
            turned = quat.rotate(here.body(a).xquat, u * flip) * flip
            assert np.allclose(quat.rotate(there.body(b).xquat, u), turned, atol=1e-9)


@pytest.mark.parametrize(
    ("times", "frames", "loop", "message"),
    [
        ([], 0, False, "at least one frame"),
        ([0, 1, 1], 3, False, "times must increase; 1.0 follows 1.0"),
        ([0, np.nan, 2], 3, False, "finite"),
        ([0, 1], 3, False, "shape"),
        ([0, 1], 2, True, "at least 3 frames"),
    ],
)
def test_refuses(times, frames, loop, message):
    with pytest.raises(BadInput, match=message):
        Clip(ADULT, np.array(times, float), np.tile(ADULT.q_rest, (frames, 1)), loop=loop)


def test_refuses_open_loops_and_bad_operations():
    clip = random_clip()
    q = np.tile(ADULT.q_rest, (3, 1))
    q[2, 0] += 0.1
    with pytest.raises(BadInput, match="does not close"):
        Clip(ADULT, np.arange(3.0), q, loop=True)
    with pytest.raises(BadInput, match=r"trim from 0\.5 to 2"):
        clip.trim(0.5, 2)
    with pytest.raises(BadInput, match="positive"):
        clip.slower(0)
    with pytest.raises(BadInput, match="positive"):
        clip.resample(-60)

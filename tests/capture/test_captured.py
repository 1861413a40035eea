"""A motion file as a body and a clip: made in code from our own adult, and from real captures where they are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mocap import need
from poise.capture.captured import captured, steady
from poise.capture.readers import bvh
from poise.character import Character
from poise.dynamics.limits import beyond
from poise.errors import BadInput
from poise.formats.writers import bvh as bvh_take
from poise.geometry.skeleton import Capture
from poise.motion import library
from poise.motion.clip import Clip
from poise.record.kinematic import recording_of


@pytest.fixture(scope="module")
def squat_file(tmp_path_factory):
    """Two squats of the adult as a BVH file: centimetres, y up, 100 Hz."""
    path = tmp_path_factory.mktemp("motion") / "squat.bvh"
    clip = library.squat(Character.named("adult"), 0.2, 1.6).trim(0.0, 1.6)
    bvh_take.save(recording_of(clip), path)
    return path


@pytest.fixture(scope="module")
def squat(squat_file):
    return captured(squat_file)


def test_the_body_has_the_size_of_the_file(squat):
    adult = Character.named("adult")
    assert squat.intake.metres_per_unit == pytest.approx(0.01)
    assert squat.character.height == pytest.approx(adult.height, rel=0.06)
    assert squat.character.mass == pytest.approx(adult.mass, rel=0.2)
    assert {"pelvis", "torso", "head", "thigh_l", "shin_r", "foot_l", "upper_arm_r"} <= set(
        squat.character.body_names
    )


def test_feet_stand_and_are_locked(squat):
    for support in squat.character.supports:
        assert all(squat.clip.on_ground(support.name, t) for t in np.linspace(0.1, 1.5, 20))
    assert squat.after.slide_m < 1e-3 and squat.after.sink_m < 1e-3 and squat.after.tilt_deg < 0.2


def test_the_movement_is_kept(squat):
    depth = np.ptp(squat.clip.q[:, 2])
    assert depth == pytest.approx(0.2, abs=0.05)
    assert max(beyond(squat.character, q) for q in squat.clip.q[::10]) < 0.02


def test_a_part_can_be_chosen(squat_file):
    part = captured(squat_file, start=0.4, end=1.2, lock=False)
    assert part.clip.seconds == pytest.approx(0.8, abs=0.02) and part.start == 0.4
    with pytest.raises(BadInput, match="asked for"):
        captured(squat_file, start=5.0, end=9.0)
    with pytest.raises(BadInput, match="part of a clip"):
        captured(squat_file, part="middle")


def test_another_body_can_follow(squat_file):
    made = captured(squat_file, Character.named("insectoid"))
    assert made.retargeted and made.character.name == "insectoid"
    assert made.after.slide_m < 2e-3 and made.after.sink_m < 2e-3


def test_legs_that_jump_from_pose_to_pose_are_refused():
    adult = Character.named("adult")
    bent = np.array(adult.q_rest)
    bent[adult.model.joint("knee_l").qposadr[0]] += 3.0
    times = np.arange(4) / 60.0
    still = Clip(adult, times, np.tile(adult.q_rest, (4, 1)))
    assert steady(still, Path("still.bvh")) is still
    with pytest.raises(BadInput, match=r"'jump.bvh' does not go on 'adult'.* joint 'knee_l' would turn at"):
        steady(Clip(adult, times, np.array([adult.q_rest, adult.q_rest, bent, bent])), Path("jump.bvh"))


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(BadInput, match="cannot read"):
        captured(tmp_path / "none.bvh")


def test_a_capture_of_a_still_figure_needs_no_motion(squat_file, tmp_path):
    """One frame is a pose: it makes a body and a clip that stands."""
    whole = bvh.read(squat_file)
    path = tmp_path / "pose.bvh"
    bvh.write(whole.with_values(whole.values[:1]), path)
    made = captured(path)
    assert isinstance(made.intake.capture, Capture) and made.clip.seconds == 0.0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["49_18", "22_14", "13_30"])
def test_real_feet_are_locked_without_kinks(name):
    (path,) = need(f"bvh/{name}.bvh")
    made = captured(path, part="in-place")
    assert made.after.slide_m < 2e-3 and made.after.sink_m < 2e-3
    speeds = np.diff(made.clip.q[:, :3], axis=0) * 60.0
    assert np.abs(np.diff(speeds, axis=0)).max() * 60.0 < 30.0  # [m/s²] of the root

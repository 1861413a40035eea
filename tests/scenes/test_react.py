"""A clip in, a reacting clip on the same skeleton out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import poise
from mocap import need
from poise.capture.readers import bvh
from poise.character import Character
from poise.errors import BadInput
from poise.formats.writers import bvh as bvh_take
from poise.motion import library
from poise.record.kinematic import recording_of


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """A twist of the adult as a BVH file."""
    path = tmp_path_factory.mktemp("react") / "twist.bvh"
    bvh_take.save(recording_of(library.twist(Character.named("adult")).trim(0.0, 1.5)), path)
    return path


@pytest.fixture(scope="module")
def take(file):
    return poise.simulate(poise.scene("react", motion=file, push="torso:60,0,0@0.5+0.1"))


def test_it_stands_and_follows(take):
    assert not take.fell and take.info["motion"]["start"] == 0.0
    assert take.metrics["tracking_rmse_rad"] < 0.15
    assert take.metrics["clip_slide_after_m"] < 1e-3


def test_the_file_written_has_the_same_skeleton_channels_and_frames(file, take, tmp_path):
    take.save(tmp_path / "out.bvh")
    a, b = bvh.read(file), bvh.read(tmp_path / "out.bvh")
    assert a.names == b.names and a.channels == b.channels and np.array_equal(a.parents, b.parents)
    assert b.offsets == pytest.approx(a.offsets, abs=1e-6)
    assert b.frame_time == pytest.approx(a.frame_time) and len(b) == len(a)


def test_before_the_push_the_take_is_near_the_clip(file, take, tmp_path):
    take.save(tmp_path / "out.bvh")
    a, b = bvh.read(file), bvh.read(tmp_path / "out.bvh")
    early = slice(5, 40)
    assert np.abs(a.values[early, :3] - b.values[early, :3]).max() < 5.0  # [cm] of the root
    assert np.abs(a.values[early] - b.values[early]).mean() < 5.0  # [deg]


def test_other_files_of_a_take_are_written_too(take, tmp_path):
    for name in ("take.glb", "take.html", "take.npz"):
        take.save(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 1000


def test_a_take_whose_file_has_changed_cannot_be_written_back(file, take, tmp_path):
    original = file.read_bytes()
    file.write_bytes(original + b"\n")
    try:
        with pytest.raises(BadInput, match="changed"):
            take.save(tmp_path / "out.bvh")
        assert not (tmp_path / "out.bvh").exists()
    finally:
        file.write_bytes(original)


def test_a_joint_of_the_file_may_be_pushed(file):
    body = poise.Character.from_bvh(file)
    assert body.mapped is not None
    joint = body.mapped.skeleton.names[0]
    (push,) = poise.scene("stand", character=body, push=f"{joint}:10,0,0@1+0.1").world.pushes
    assert push.body == "pelvis"
    with pytest.raises(BadInput, match=f"bodies: .*{joint}.*pelvis"):
        poise.scene("stand", character=body, push="nobody:10,0,0@1+0.1")


def test_replay_of_a_motion_scene_repeats(file, take, tmp_path):
    from poise.cli.replay import scene_of
    from poise.record.replay import verify

    take.save(tmp_path / "t.npz")
    loaded = poise.Recording.load(tmp_path / "t.npz")
    assert verify(loaded, poise.simulate(scene_of(loaded.info))).equal


@pytest.mark.slow
def test_a_real_stand_survives_its_push(tmp_path):
    (path,) = need("bvh/113_21.bvh")
    take = poise.simulate(poise.scene("react", motion=path, push="torso:250,0,0@2+0.1"))
    assert not take.fell
    take.save(tmp_path / "out.bvh")
    a, b = bvh.read(path), bvh.read(tmp_path / "out.bvh")
    assert (
        a.names == b.names and a.channels == b.channels and a.frame_time == b.frame_time and len(a) == len(b)
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scene", "name"),
    [
        ("stand", "113_21"),
        ("stand", "49_18"),
        ("butterfly", "13_30"),
        ("squat", "22_14"),
        ("side-kick", "135_11"),
    ],
)
def test_scenes_on_real_clips_do_not_fall(scene, name):
    (path,) = need(f"bvh/{name}.bvh")
    take = poise.simulate(poise.scene(scene, motion=path))
    assert not take.fell


def test_with_life_a_fall_is_got_up_from(file):
    take = poise.simulate(poise.scene("react", motion=file, push="torso:2600,0,0@0.5+0.1", life=True))
    found: Any = take.metrics
    assert found["falls"] == found["up_again"] == 1 and found["state_final"] in ("stand", "walk")
    assert take["clip"][-1, 0] > 1.4 and found["kept_share"] < 1.0  # to its end, but not without a fall
    assert np.isnan(take["xi_error"][take["life"][:, 0] > 1]).all()


def test_with_life_nothing_changes_while_it_stays_up(file, take):
    alive = poise.simulate(poise.scene("react", motion=file, push="torso:60,0,0@0.5+0.1", life=True))
    np.testing.assert_array_equal(alive["q"], take["q"])

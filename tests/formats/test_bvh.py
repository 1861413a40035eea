"""Takes as BVH: what is written reads back as the motion that was recorded."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bodies
from poise.capture.readers import bvh
from poise.errors import BadInput
from poise.formats import skeletal, y_up
from poise.formats.writers import bvh as bvh_take
from poise.geometry import quat
from poise.geometry.skeleton import Capture, Skeleton, forward


def world(read: bvh.Bvh) -> np.ndarray:
    """Joints as the file has them (T, J, 3) [cm], y up."""
    rotations, positions = bvh.local(read)
    return forward(read.parents, positions, rotations)[0]


def same(read: bvh.Bvh, capture: Capture) -> bool:
    expected = 100 * y_up.vectors(capture.world[0])
    return bool(np.abs(world(read) - expected).max() <= 1e-6 * np.abs(expected).max())


@pytest.mark.parametrize("seed", range(3))
def test_any_body_reads_back_with_its_joints_in_place(tmp_path, seed):
    take = bodies.recording(bodies.ODD, frames=60, seed=seed)
    take.save(tmp_path / "odd.bvh")
    read = bvh.read(tmp_path / "odd.bvh")
    assert read.labels == ("base_one", "hip", "body5", "two_points", "weld", "bare")
    assert same(read, skeletal.capture(take)) and not read.notes
    assert read.frame_time == pytest.approx(0.01, rel=1e-9) and len(read) == 60


def test_the_take_of_a_character(take, tmp_path):
    take.save(tmp_path / "take.bvh")
    read = bvh.read(tmp_path / "take.bvh")
    assert same(read, skeletal.capture(take)) and len(read) == len(take)
    assert {len(c) for c in read.channels[1:]} == {3} and read.channels[0][:3] == bvh_take.PLACE
    assert (read.offsets[0] == 0).all()
    left = read.offsets[read.labels.index("upper_arm_l")]
    assert np.allclose(left, [20, 38, 0])  # x left, y up, centimetres
    assert np.abs(np.diff(read.values, axis=0)).max() < 20  # no angle jumps


def test_what_slides_has_position_channels(tmp_path):
    bodies.recording(bodies.ODD).save(tmp_path / "odd.bvh")
    assert [len(c) for c in bvh.read(tmp_path / "odd.bvh").channels] == [6, 3, 6, 6, 3, 3]


def test_one_frame_has_a_rate(take, tmp_path):
    one = replace(
        take, time=take.time[:1], series={n: s._replace(values=s.values[:1]) for n, s in take.series.items()}
    )
    one.save(tmp_path / "one.bvh")
    read = bvh.read(tmp_path / "one.bvh")
    assert len(read) == 1 and read.frame_time == 0.01


@given(seed=st.integers(0, 10_000), joints=st.integers(1, 9), hz=st.sampled_from([24.0, 29.97, 60.0, 120.0]))
@settings(max_examples=25)
def test_any_skeleton_in_any_order_reads_back(tmp_path_factory, seed, joints, hz):
    rng = np.random.default_rng(seed)
    parents = np.array([-1, *(rng.integers(0, j) for j in range(1, joints))])
    names = tuple(f"{'a b' if j % 2 else 'a_b'}{j // 2}" for j in range(joints))  # alike once tidied
    skeleton = Skeleton(
        names, parents, rng.normal(size=(joints, 3)), rng.normal(size=(2, 3)), np.zeros(2, int)
    )
    rotations = quat.align(quat.normalize(rng.normal(size=(8, joints, 4))))
    positions = np.tile(skeleton.offsets, (8, 1, 1))
    positions[:, 0] = rng.normal(size=(8, 3))
    capture = Capture(skeleton, np.arange(8) / hz, rotations, positions)
    made = bvh_take.of_capture(capture)
    assert len(set(made.labels)) == joints
    path = tmp_path_factory.mktemp("any") / "any.bvh"
    bvh.write(made, path)
    read = bvh.read(path)
    assert read.frame_time == pytest.approx(1 / hz, rel=1e-9)
    # the file is in depth-first order: compare bones as a set
    expected, at = 100 * y_up.vectors(capture.world[0])[3], world(read)[3]
    pairs = (expected, np.maximum(parents, 0)), (at, np.maximum(read.parents, 0))
    bones, found = (sorted(np.hstack([x, x[p]]).tolist()) for x, p in pairs)
    assert np.allclose(bones, found, atol=1e-5)


def test_a_take_that_cannot_be_written_leaves_nothing(take, tmp_path):
    bad = replace(take, model_xml=bodies.FIXED)
    with pytest.raises(BadInput):
        bad.save(tmp_path / "bad.bvh")
    assert list(tmp_path.iterdir()) == []

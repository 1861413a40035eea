"""Takes as skeletons: joints where bodies turn, whatever their joints and frames are."""

from dataclasses import replace

import mujoco
import numpy as np
import pytest

import bodies
from poise.character import Character
from poise.errors import BadInput
from poise.formats import skeletal
from poise.geometry import quat


@pytest.mark.parametrize("seed", range(3))
def test_joints_lie_where_the_engine_has_them(seed):
    take = bodies.recording(bodies.ODD, seed=seed)
    capture = skeletal.capture(take)
    assert capture.skeleton.names == ("base one", "hip", "body5", "two points", "weld", "bare")
    at, turned = capture.world
    for frame in (0, 7, 29):
        model, data = bodies.posed(take, frame)
        for j, name in enumerate(("base one", "hip", 5, "two points", "weld", "bare")):
            body = data.body(name)
            joint = model.body_jntadr[body.id]
            turns = joint >= 0 and model.jnt_type[joint] != mujoco.mjtJoint.mjJNT_FREE
            anchor = body.xpos + body.xmat.reshape(3, 3) @ (model.jnt_pos[joint] if turns else np.zeros(3))
            assert np.allclose(at[frame, j], anchor, atol=1e-12), name
            rest = quat.to_matrix(skeletal.bodies(take).zero.xquat[body.id])
            assert np.allclose(quat.to_matrix(turned[frame, j]), body.xmat.reshape(3, 3) @ rest.T, atol=1e-12)


def test_nothing_is_turned_when_all_joints_are_at_zero():
    take = bodies.recording(bodies.ODD, frames=1)
    model = mujoco.MjModel.from_xml_string(bodies.ODD)
    zero = replace(take, series={"q": take.series["q"]._replace(values=model.qpos0[None])})
    capture = skeletal.capture(zero)
    assert np.allclose(capture.rotations, quat.IDENTITY, atol=1e-12)
    assert np.allclose(capture.positions[0], capture.skeleton.offsets, atol=1e-12)


def test_only_what_slides_or_turns_about_several_points_moves_in_its_parent():
    capture = skeletal.capture(bodies.recording(bodies.ODD))
    moving = np.abs(np.diff(capture.positions, axis=0)).max(axis=(0, 2)) > 1e-6
    assert moving.tolist() == [True, False, True, True, False, False]
    assert np.array_equal(capture.positions[5, 1], capture.skeleton.offsets[1])  # exactly


def test_tips_are_where_shapes_reach_farthest():
    adult = Character.named("adult")
    xml = adult.spec_xml
    capture = skeletal.capture(bodies.recording(xml, frames=2))
    skeleton = capture.skeleton
    assert skeleton.names == adult.body_names
    tips = {skeleton.names[j]: end for j, end in zip(skeleton.end_parents, skeleton.ends)}
    assert set(tips) == {"head", "hand_l", "hand_r", "foot_l", "foot_r"}
    assert tips["head"][2] > 0.25 and tips["hand_l"][2] < -0.15 and tips["foot_l"][0] > 0.18


def test_signs_of_rotations_do_not_jump():
    capture = skeletal.capture(bodies.recording(bodies.ODD, frames=200, step=0.6))
    assert (np.sum(capture.rotations[1:] * capture.rotations[:-1], axis=2) >= 0).all()


def test_a_take_is_cut_where_it_is_no_longer_finite():
    take = bodies.recording(bodies.ODD)
    q = take["q"].copy()
    q[20:, 3] = np.nan
    cut = replace(take, series={"q": take.series["q"]._replace(values=q)})
    assert len(skeletal.capture(cut)) == 20
    nothing = replace(take, series={"q": take.series["q"]._replace(values=q * np.nan)})
    with pytest.raises(BadInput, match="no record of the take is finite"):
        skeletal.capture(nothing)


def test_a_body_without_a_free_joint_is_the_largest_tree():
    capture = skeletal.capture(bodies.recording(bodies.FIXED))
    assert capture.skeleton.names == ("pole", "arm")
    assert capture.skeleton.ends[0] @ [0, 0, 1] > 0.5  # hidden geoms are better than none


def test_numbers_that_do_not_fit_the_model_are_bad_input():
    take = bodies.recording(bodies.ODD)
    with pytest.raises(BadInput, match="numbers for a model"):
        skeletal.capture(replace(take, model_xml=bodies.FIXED))

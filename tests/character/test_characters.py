"""What every body must satisfy, whoever adds it."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from poise.character import CHARACTERS, Character, load
from poise.errors import BadInput
from poise.geometry import polygon, quat

BALL, HINGE = int(mujoco.mjtJoint.mjJNT_BALL), int(mujoco.mjtJoint.mjJNT_HINGE)


ROLLERS = {"baby"}  # lies and rolls over: tests/rolling has it


@pytest.fixture(params=sorted(CHARACTERS.keys() - ROLLERS))
def character(request: pytest.FixtureRequest) -> Character:
    return load(request.param)


def soles(character: Character, q: np.ndarray) -> np.ndarray:
    data = character.posed(q)
    parts = [(character.support(n).points, data.body(character.support(n).body)) for n in character.stance]
    return np.vstack([b.xpos + p @ b.xmat.reshape(3, 3).T for p, b in parts])


def on_ground(character: Character) -> mujoco.MjModel:
    spec = mujoco.MjSpec.from_string(character.spec_xml)
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[5, 5, 0.1], friction=[0.8, 0.005, 0.0001])
    spec.option.timestep = 0.002
    spec.option.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_AUTORESET)
    return spec.compile()


def test_root_is_the_only_free_part(character: Character):
    model = character.model
    assert model.joint(0).type[0] == mujoco.mjtJoint.mjJNT_FREE
    assert set(model.jnt_type[1:]) <= {BALL, HINGE}
    assert model.nv <= 50
    np.testing.assert_array_equal(model.body_quat, np.tile([1.0, 0, 0, 0], (model.nbody, 1)))
    np.testing.assert_array_equal(model.jnt_pos[1:], 0.0)  # frames sit at their joints


def test_motors_follow_the_degrees_of_freedom(character: Character):
    model, data = character.model, character.posed(character.q_rest)
    assert model.nu == model.nv - 6
    assert model.actuator_ctrllimited.all() and (model.actuator_ctrlrange[:, 1] > 0).all()
    np.testing.assert_array_equal(model.actuator_ctrlrange[:, 0], -model.actuator_ctrlrange[:, 1])
    ctrl = model.actuator_ctrlrange[:, 1] * np.linspace(-0.9, 0.9, model.nu)
    data.ctrl[:] = ctrl
    mujoco.mj_forward(model, data)
    np.testing.assert_allclose(data.qfrc_actuator, np.r_[np.zeros(6), ctrl], atol=1e-12)


def test_motor_names(character: Character):
    expected = []
    for j in range(1, character.model.njnt):
        name = character.model.joint(j).name
        ball = character.model.jnt_type[j] == BALL
        expected += [f"{name}_{axis}" for axis in "xyz"] if ball else [name]
    assert [character.model.actuator(i).name for i in range(character.model.nu)] == expected


def test_inertia_is_possible(character: Character):
    for mass, inertia in zip(character.model.body_mass[1:], character.model.body_inertia[1:]):
        assert mass > 0 and (inertia > 0).all()
        assert inertia.sum() > 2 * inertia.max()  # triangle inequality


def test_every_joint_has_two_limits(character: Character):
    model = character.model
    for j in range(1, model.njnt):
        name = model.joint(j).name
        if model.jnt_type[j] == BALL:
            limits = character.limits[name]
            assert all(low < 0 < high for low, high in (limits.swing_x, limits.swing_y, limits.twist))
            assert not model.jnt_limited[j] or model.jnt_range[j, 1] > limits.cone
        else:
            assert model.jnt_limited[j] and model.jnt_range[j, 0] < model.jnt_range[j, 1]


def test_rest_is_inside_the_limits(character: Character):
    model, q = character.model, character.q_rest
    for name, limits in character.limits.items():
        start = model.joint(name).qposadr[0]
        swing, twist = limits.reach(q[start : start + 4])
        assert swing < 0.95 and twist < 0.95, name
    for j in np.flatnonzero(model.jnt_type == HINGE):
        low, high = model.jnt_range[j]
        assert low + 0.05 < q[model.jnt_qposadr[j]] < high - 0.05, model.joint(j).name


def test_sides_mirror_each_other(character: Character):
    model, data = character.model, character.posed(character.q_rest)
    assert character.pairs
    for left, right in character.pairs:
        a, b = model.body(left), model.body(right)
        np.testing.assert_allclose(a.mass, b.mass)
        np.testing.assert_allclose(a.inertia, b.inertia, rtol=1e-5)
        np.testing.assert_allclose(data.body(left).xipos * [1, -1, 1], data.body(right).xipos, atol=1e-6)
        np.testing.assert_allclose(
            quat.to_matrix(a.iquat)[1] ** 2, quat.to_matrix(b.iquat)[1] ** 2, atol=1e-4
        )
    for name, limits in character.limits.items():
        if name.endswith("_l"):
            other = character.limits[name[:-2] + "_r"]
            assert other.swing_y == limits.swing_y
            assert other.swing_x == tuple(-x for x in reversed(limits.swing_x))
            assert other.twist == tuple(-x for x in reversed(limits.twist))


def test_rest_stands_flat_and_balanced(character: Character):
    q = character.q_rest
    points = soles(character, q)
    np.testing.assert_allclose(points[:, 2], 0.0, atol=1e-5)
    np.testing.assert_allclose(points[:, :2].mean(axis=0), 0.0, atol=1e-9)
    np.testing.assert_allclose(character.com_rest[:2], 0.0, atol=0.005)
    margin = 0.07 if character.name == "acrobat" else 0.08  # hands are shorter than feet
    assert polygon.inside(polygon.hull(points[:, :2]), character.com_rest[:2], margin=margin)
    for name in character.stance:
        support = character.support(name)
        corners = support.points @ quat.to_matrix(np.array(support.frame))
        edges = np.roll(corners, -1, axis=0) - corners
        turns = np.cross(edges, np.roll(edges, -1, axis=0))
        assert (turns[:, 2] > 0).all()  # counter-clockwise
        np.testing.assert_allclose(corners[:, 2], corners[0, 2])


def test_nothing_touches_at_rest(character: Character):
    assert character.posed(character.q_rest).ncon == 0


def test_feet_meet_a_plane_in_their_corners(character: Character):
    model = on_ground(character)
    data = mujoco.MjData(model)
    data.qpos[:] = character.q_rest
    data.qpos[2] -= 0.001
    mujoco.mj_forward(model, data)
    corners = soles(character, character.q_rest)[:, :2]
    gaps = np.linalg.norm(data.contact.pos[:, None, :2] - corners[None], axis=2)
    assert gaps.shape == (len(corners), len(corners))
    assert (gaps.min(axis=0) < 1e-3).all() and (gaps.min(axis=1) < 1e-3).all()


def test_held_pose_stands_for_a_second(character: Character):
    if character.name == "acrobat":
        pytest.skip("wrists as stiff as this do not hold a body of m g h = 700 N m/rad upright")
    model = on_ground(character)
    data = mujoco.MjData(model)
    data.qpos[:] = character.q_rest
    stiffness = 6.0 * model.actuator_ctrlrange[:, 1]  # [N m/rad]
    model.dof_damping[6:] = 0.08 * stiffness
    error = np.zeros(model.nv)
    for _ in range(500):
        mujoco.mj_differentiatePos(model, error, 1.0, data.qpos, character.q_rest)
        data.ctrl[:] = stiffness * error[6:]
        mujoco.mj_step(model, data)
    assert np.abs(data.qvel).max() < 0.5
    assert np.linalg.norm(data.subtree_com[0] - character.com_rest) < 0.05
    assert {int(b) for b in model.geom_bodyid[data.contact.geom].ravel()} == {
        0,
        *(model.body(character.support(n).body).id for n in character.stance),
    }


def test_free_limbs_stay_calm(character: Character):
    """Limp and thrown, at the usual step, nothing speeds up without end."""
    model = on_ground(character)
    data = mujoco.MjData(model)
    data.qpos[:] = character.q_rest
    data.qpos[2] += 0.2
    data.qvel[3:6] = 1.0
    for _ in range(500):
        mujoco.mj_step(model, data)
        assert np.abs(data.qvel).max() < 100.0


def test_arms_do_not_pass_through_the_trunk(character: Character):
    if not character.arms or character.name == "dinosaur":
        pytest.skip("no arms, or short ones that hang below the trunk")
    model, q = character.model, character.q_rest.copy()
    start = model.joint("shoulder_l").qposadr[0]
    q[start : start + 4] = quat.from_rotvec([-0.5, 0.3, 0.0])
    data = character.posed(q)
    touching = {model.body(b).name for b in model.geom_bodyid[data.contact.geom].ravel()}
    assert touching & {"upper_arm_l", "forearm_l"}


def test_names_resolve(character: Character):
    assert {"pelvis", "torso", "head", "foot_l", "foot_r"} <= set(character.body_names)
    hands = {"hand_l", "hand_r"} if character.arms else set()
    assert {"head_top", "foot_l", "foot_r"} | hands <= set(character.effectors)
    assert set(character.track_weights) == set(character.joint_names[1:])
    assert all(w > 0 for w in character.track_weights.values())
    for body in (*character.arms, *(b for b, _ in character.effectors.values())):
        assert character.model.body(character.body(body)).name == body
    for name in character.joint_names:
        assert character.joint_names[character.joint(name)] == name


def test_unknown_names_say_what_exists(character: Character):
    with pytest.raises(BadInput, match=r"body 'toe' not found.*pelvis"):
        character.body("toe")
    with pytest.raises(BadInput, match=r"joint 'hip' not found.*hip_l"):
        character.joint("hip")
    with pytest.raises(BadInput, match=r"effector 'nose' not found.*head_top"):
        character.point("nose")
    with pytest.raises(BadInput, match=rf"support 'knee' not found.*{character.stance[0]}"):
        character.support("knee")


def test_rest_is_read_only(character: Character):
    with pytest.raises(ValueError, match="read-only"):
        character.q_rest[0] = 1.0


def test_load_is_shared_and_named():
    assert load("adult") is load("adult") is Character.named("adult")
    with pytest.raises(BadInput, match=r"character 'adlt' not found.*did you mean 'adult'"):
        load("adlt")

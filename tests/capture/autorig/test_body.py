"""The bodies that the auto-rig makes: flat feet, clips inside limits, a table's masses, and the way there and back."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import poise
from creatures import CREATURES, KNEES, person, quadruped
from poise.capture import autorig
from poise.character import Character
from poise.dynamics.limits import beyond
from poise.errors import BadInput
from poise.geometry import polygon, quat
from poise.motion.coordinates import aligned

HINGE = int(mujoco.mjtJoint.mjJNT_HINGE)


def rigged(name: str, **more) -> Character:
    taken = CREATURES[name]().taken(hinges=KNEES if "shank_l" in CREATURES[name]().joints else None)
    return autorig.from_capture(taken, name=name, **more)


@pytest.fixture(scope="module", params=sorted(CREATURES))
def body(request: pytest.FixtureRequest) -> Character:
    return rigged(request.param)


def soles(character: Character) -> np.ndarray:
    data = character.posed(character.q_rest)
    parts = [(character.support(n).points, data.body(character.support(n).body)) for n in character.stance]
    return np.vstack([b.xpos + p @ b.xmat.reshape(3, 3).T for p, b in parts])


def test_stands_flat_and_balanced_at_rest(body: Character):
    corners = soles(body)
    np.testing.assert_allclose(corners[:, 2], 0.0, atol=1e-5)
    assert polygon.inside(polygon.hull(corners[:, :2]), body.com_rest[:2], margin=0.03)
    assert body.posed(body.q_rest).ncon == 0
    assert beyond(body, body.q_rest) == 0.0
    assert body.model.nv <= 74
    np.testing.assert_array_equal(body.model.body_quat, np.tile([1.0, 0, 0, 0], (body.model.nbody, 1)))


def test_stands_five_seconds(body: Character):
    take = poise.simulate(poise.scene("stand", character=body, seconds=5.0, idle=False))
    assert not take.fell and np.linalg.norm(take["com_velocity"][-1]) < 1e-3
    assert float(take.metrics["foot_slip_m"] or 0.0) < 0.005


def test_the_clip_is_inside_the_limits(body: Character):
    assert body.mapped is not None
    capture = body.mapped.plan.anatomy.figure.capture
    q = autorig.poses(body, capture)
    assert max(beyond(body, x) for x in q) == 0.0


def test_torso_and_head_can_be_named(body: Character):
    assert "torso" in body.body_names
    assert ("head" in body.body_names) == (body.name != "crab")
    assert bool(body.arms) == (body.name not in ("quadruped", "crab"))
    assert set(body.track_weights) == set(body.joint_names[1:])


def test_there_and_back_is_exact(body: Character):
    """Frames in which joints without a body do not move come back as they were; poses always do."""
    assert body.mapped is not None
    capture = body.mapped.plan.anatomy.figure.capture
    q = autorig.poses(body, capture)
    back = autorig.capture_of(body, q, capture.times)
    np.testing.assert_allclose(autorig.poses(body, back), q, atol=1e-9)
    again = autorig.capture_of(body, autorig.poses(body, back), capture.times)
    np.testing.assert_allclose(again.rotations, back.rotations, atol=1e-9)
    np.testing.assert_allclose(again.world[0], back.world[0], atol=1e-9)


def test_poses_of_one_frame_and_of_chance():
    """A file of one frame makes a body, and any pose of it becomes a capture and comes back."""
    taken = CREATURES["detailed"]().taken()
    taken.capture = taken.capture.frames(slice(0, 1))
    body = autorig.from_capture(taken)
    rng, q = np.random.default_rng(0), np.tile(body.q_rest, (10, 1))
    for row in q:
        mujoco.mj_integratePos(body.model, row, 0.3 * rng.normal(size=body.model.nv), 1.0)
    back = autorig.poses(body, autorig.capture_of(body, q, np.arange(10.0)))
    np.testing.assert_allclose(aligned(body.model, back), aligned(body.model, q), atol=1e-9)


def test_joints_without_a_body_follow_the_clip():
    body = rigged("detailed")
    assert body.mapped is not None
    capture = body.mapped.plan.anatomy.figure.capture
    back = autorig.capture_of(body, autorig.poses(body, capture), capture.times, capture)
    turned, expected = back.world[1], capture.world[1]
    gap = np.degrees(np.linalg.norm(quat.difference(expected, turned), axis=2)).max(axis=0)
    assert gap.max() < 1e-5
    assert np.abs(back.world[0] - capture.world[0]).max() < 0.05  # twists have moved what hangs on them


def test_the_model_is_where_the_skeleton_is():
    """Bodies of the model stand where the joints of the capture are."""
    taken = person().taken(hinges=KNEES)
    body = autorig.from_capture(taken)
    assert body.mapped is not None
    names = taken.capture.skeleton.names
    data = body.posed(autorig.poses(body, taken.capture)[7])
    for part in body.mapped.plan.parts:
        np.testing.assert_allclose(
            data.body(part.name).xpos,
            taken.capture.world[0][7, part.joint],
            atol=1e-9,
            err_msg=names[part.joint],
        )


def test_bodies_by_the_skeletons_own_names():
    body = rigged("detailed")
    assert [autorig.body_of(body, n) for n in ("hips", "ground", "toe_l", "index_r")] == [
        "pelvis",
        "pelvis",
        "foot_l",
        "hand_r",
    ]
    with pytest.raises(BadInput, match="joint 'nose' not found"):
        autorig.body_of(body, "nose")


def test_other_skeletons_are_refused():
    body, other = rigged("person"), CREATURES["bird"]().taken()
    with pytest.raises(BadInput, match="another skeleton"):
        autorig.poses(body, other.capture)
    with pytest.raises(BadInput, match="not made from a skeleton"):
        autorig.poses(Character.named("adult"), other.capture)


def test_knees_are_hinges_where_the_clip_says_so():
    body = rigged("person")
    assert body.model.jnt_type[body.joint("knee_l")] == HINGE
    assert body.model.jnt_type[body.joint("elbow_l")] != HINGE  # they swing about all axes in this clip
    np.testing.assert_allclose(body.model.jnt_axis[body.joint("knee_r")], [0, 1, 0], atol=1e-6)
    low, high = np.degrees(body.model.jnt_range[body.joint("knee_r")])
    assert -6 < low <= 0 and 145 < high < 155


def test_zero_pose_hangs_straight():
    """As for all characters, zero everywhere is upright with arms and legs hanging down."""
    body = rigged("person")
    data = body.posed(body.model.qpos0)
    for upper, lower in (
        ("thigh_l", "shin_l"),
        ("upper_arm_r", "forearm_r"),
        ("forearm_l", "hand_l"),
        ("shin_r", "foot_r"),
    ):
        bone = data.body(lower).xpos - data.body(upper).xpos
        np.testing.assert_allclose(bone / np.linalg.norm(bone), [0, 0, -1], atol=1e-3)


def test_masses_are_the_tables():
    adult, body = Character.named("adult"), rigged("person")
    share = {n: float(body.model.body(n).mass[0]) / body.mass for n in body.body_names}
    for name in ("thigh_l", "shin_l", "foot_r", "upper_arm_l", "forearm_r", "hand_l"):
        assert share[name] == pytest.approx(float(adult.model.body(name).mass[0]) / adult.mass, rel=0.1)
    trunk = sum(share[n] for n in ("pelvis", "torso", "chest", "clavicle_l", "clavicle_r"))
    assert trunk == pytest.approx(0.4346, abs=0.01)
    assert share["head"] + share["neck_1"] == pytest.approx(0.0694, abs=0.003)
    assert body.com_rest[2] / 1.72 == pytest.approx(adult.com_rest[2] / 1.75, abs=0.02)


def test_mass_from_height_and_given():
    small = autorig.from_capture(person().moved(scale=0.7).taken())
    assert 25 < small.mass < 35  # a child of 1.2 m, a little heavy
    assert rigged("person", mass=90.0).mass == pytest.approx(90.0, rel=1e-6)
    assert rigged("bird", mass=20.0).mass == pytest.approx(20.0, rel=1e-6)


def test_strength_goes_with_mass_times_height():
    light, heavy = rigged("person", mass=60.0), rigged("person", mass=90.0)
    ratio = heavy.model.actuator_ctrlrange[:, 1] / light.model.actuator_ctrlrange[:, 1]
    np.testing.assert_allclose(ratio, 1.5, rtol=1e-4)


def test_inertia_is_possible(body: Character):
    for mass, inertia in zip(body.model.body_mass[1:], body.model.body_inertia[1:]):
        assert mass > 0 and inertia.sum() > 2 * inertia.max()


def test_sole_from_stance_frames():
    """A foot that stands tilted in its own frame gets a sole that is level then, at the height of the floor."""
    taken = person().taken(swing=0.0)
    names = taken.capture.skeleton.names
    on = np.ones(len(taken.capture), bool)
    taken.contacts = {name: on for name in names if name.startswith(("foot", "toe"))}
    body = autorig.from_capture(taken)
    assert body.report is not None
    assert body.report.settings["soles"]["foot_l"]["depth"] == pytest.approx(0.08, abs=1e-3)
    tilt = quat.from_rotvec(np.array([0.0, 0.2, 0.0]))  # the standing pose has the toes up, the clip not
    for foot in ("foot_l", "foot_r"):
        below = [names.index(foot)]
        for k in below:  # grows: what hangs on the foot
            below += taken.capture.skeleton.children[k]
            taken.reference[k] = quat.multiply(quat.conjugate(tilt), taken.reference[k])
    again = autorig.from_capture(taken)
    np.testing.assert_allclose(soles(again)[:, 2], 0.0, atol=1e-5)
    q = autorig.poses(again, taken.capture)[0]
    foot = again.posed(q).body("foot_l")
    np.testing.assert_allclose(foot.xmat.reshape(3, 3)[2, 2], 1.0, atol=1e-6)


def test_feet_are_above_the_floor(body: Character):
    """Also where an ankle is low: no centre of mass lies under the soles."""
    data = body.posed(body.q_rest)
    assert data.xipos[1:, 2].min() > 0.0


def test_human_tables_need_a_human():
    with pytest.raises(BadInput, match="human: the tables are about"):
        rigged("bird", rig={"human": True})
    plain = rigged("person", rig={"human": False})
    assert plain.report is not None and plain.report.about("mass").evidence == "[kg] volume of its shapes"


def test_hooves_stay_level():
    body = autorig.from_capture(quadruped(paws=False).taken())
    assert body.mapped is not None
    q = autorig.poses(body, body.mapped.plan.anatomy.figure.capture)[3]
    for foot in body.stance:
        np.testing.assert_allclose(body.posed(q).body(foot).xmat.reshape(3, 3)[2, 2], 1.0, atol=1e-9)

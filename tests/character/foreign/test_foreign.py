"""Bodies from MJCF files of other people: what is found in them, and that they stand."""

from __future__ import annotations

import os
import pickle

import mujoco
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import foreign_files as files
import poise
from poise.character import Character, Support
from poise.character.foreign import with_motors
from poise.errors import BadInput
from poise.geometry import quat

FLOOR = '<geom name="floor" type="plane" size="5 5 0.1" friction="0.7"/>'


def standing(character: Character, seconds: float = 1.0, **options):
    take = poise.simulate(poise.scene("stand", character=character, seconds=seconds, **options))
    assert not take.fell, take.fall_time
    return take


def loop(
    character: Character, model: mujoco.MjModel, seconds: float, place=(0.0, 0.0, 0.0), yaw: float = 0.0
):
    """Somebody's own loop on somebody's own model; returns how far the centre of mass moved [m]."""
    data, ctrl = mujoco.MjData(model), poise.Controller(character, poise.behaviours.Balance())
    tree = poise.dynamics.tree.Tree.of(model, character)
    q = np.array(character.q_rest)
    turn = quat.from_rotvec(np.array([0.0, 0.0, yaw]))
    q[:3] = quat.rotate(turn, q[:3]) + place
    q[3:7] = quat.multiply(turn, q[3:7])
    data.qpos[tree.qs] = q
    mujoco.mj_forward(model, data)
    start = data.subtree_com[tree.body0].copy()
    for _ in range(round(seconds / model.opt.timestep)):
        data.ctrl[:] = ctrl(model, data)
        mujoco.mj_step(model, data)
    return float(np.linalg.norm(data.subtree_com[tree.body0] - start))


def test_a_biped_stands_on_the_corners_of_its_boxes(tmp_path):
    body = Character.from_mjcf(files.write(tmp_path, files.biped()))
    assert [s.name for s in body.supports] == ["foot_l", "foot_r"]
    assert body.mass == pytest.approx(50.0) and body.model.nv == 17
    for support in body.supports:
        np.testing.assert_allclose(np.ptp(support.points, axis=0), [0.24, 0.1, 0.0], atol=1e-6)
    assert {frozenset(p) for p in body.pairs} >= {
        frozenset(("foot_l", "foot_r")),
        frozenset(("shin_l", "shin_r")),
    }
    assert body.q_rest[body.model.joint("knee_l").qposadr[0]] > 0.2  # straight knees cannot give way
    take = standing(body)
    assert files.metric(take, "foot_slip_m") < 1e-3 and take.metrics["solver_failures"] == 0


def test_the_rest_pose_is_level_and_balanced(tmp_path):
    body = Character.from_mjcf(files.write(tmp_path, files.biped()))
    data = body.posed(body.q_rest)
    for support in body.supports:
        foot = data.body(support.body)
        world = foot.xpos + support.points @ foot.xmat.reshape(3, 3).T
        np.testing.assert_allclose(world[:, 2], 0.0, atol=1e-5)
    assert np.abs(body.com_rest[:2]).max() < 0.01


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.permutations(files.JOINTS),
    st.lists(st.sampled_from([-50.0, 1.0, 0.5, 120.0]), min_size=11, max_size=11),
)
def test_any_order_and_gear_of_motors_gives_the_same_torques(tmp_path, order, gears):
    plain = Character.from_mjcf(files.write(tmp_path, files.biped()))
    motors = "".join(
        f'<general joint="{joint}" gear="{gear}" gainprm="2" ctrllimited="true" ctrlrange="-9 9"/>'
        for joint, gear in zip(order, gears)
    )
    model = mujoco.MjModel.from_xml_string(files.biped(motors, world=FLOOR))
    data = mujoco.MjData(model)
    data.qpos[:] = plain.q_rest
    ctrl = poise.Controller(plain, poise.behaviours.Balance())
    data.ctrl[:] = ctrl(model, data)
    mujoco.mj_fwdActuation(model, data)
    wanted = np.clip(ctrl.solution.tau, ctrl.actuation.low, ctrl.actuation.high)
    np.testing.assert_allclose(data.qfrc_actuator[6:], wanted[6:], atol=1e-6)


def test_its_own_motors_drive_it_in_a_loop_of_somebody_else(tmp_path):
    motors = "".join(f'<motor joint="{j}" gear="-100" ctrlrange="-3 3"/>' for j in reversed(files.JOINTS))
    path = files.write(tmp_path, files.biped(motors, world=FLOOR + '<light pos="0 0 3"/>'))
    assert loop(Character.from_mjcf(path), mujoco.MjModel.from_xml_path(str(path)), 1.5) < 0.005


def test_it_stands_wherever_it_is_put(tmp_path):
    """On a floor at another height, far away, turned."""
    high = '<geom type="box" size="9 9 0.25" pos="0 0 0.25" friction="0.7"/>'
    path = files.write(tmp_path, files.biped(world=high))
    body = Character.from_mjcf(path)
    moved = loop(body, mujoco.MjModel.from_xml_path(str(path)), 1.5, place=(3.0, -2.0, 0.5), yaw=2.0)
    assert moved < 0.005


def test_it_is_found_under_a_prefix_and_without_names(tmp_path):
    path = files.write(tmp_path, files.quadruped())
    body = Character.from_mjcf(path, actuators="torque")
    scene = mujoco.MjSpec.from_string(f"<mujoco><worldbody>{FLOOR}<site name='here'/></worldbody></mujoco>")
    scene.attach(mujoco.MjSpec.from_string(body.spec_xml), prefix="robot/", site="here")
    ball = scene.worldbody.add_body(name="ball", pos=[2, 0, 1])
    ball.add_freejoint()
    ball.add_geom(type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[0.1, 0, 0])
    assert loop(body, scene.compile(), 1.0) < 0.01
    nameless = mujoco.MjSpec.from_string(body.spec_xml)
    for part in nameless.bodies[1:]:
        part.name = ""
    for exclude in list(nameless.excludes):
        nameless.delete(exclude)
    nameless.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[5, 5, 0.1])
    assert loop(body, nameless.compile(), 0.5) < 0.01


def test_servos_are_refused_by_name_and_replaced_on_request(tmp_path):
    servos = "".join(
        f'<position name="servo_{j}" joint="{j}" kp="200" forcerange="-250 250"/>' for j in files.JOINTS
    )
    path = files.write(tmp_path, files.biped(servos, world=FLOOR))
    body = Character.from_mjcf(path)
    assert files.guess(body, "actuators replaced by motors").value == len(files.JOINTS)
    assert body.model.actuator("knee_l").ctrlrange == pytest.approx([-250.0, 250.0])
    with pytest.raises(BadInput, match=r"servo_waist.*position servo.*with_motors"):
        loop(body, mujoco.MjModel.from_xml_path(str(path)), 0.1)
    assert loop(body, with_motors(path).compile(), 1.0) < 0.005
    standing(body, 0.5)


@pytest.mark.parametrize(
    ("actuator", "word"),
    [
        ('<velocity joint="waist" kv="10"/>', "velocity servo"),
        ('<general joint="waist" dyntype="filter" dynprm="0.1"/>', "filtered"),
        ('<muscle joint="waist" lengthrange="0.1 1"/>', "muscle"),
    ],
)
def test_what_is_no_torque_is_called_what_it_is(tmp_path, actuator, word):
    model = mujoco.MjModel.from_xml_string(files.biped(actuator, world=FLOOR))
    body = Character.from_mjcf(files.write(tmp_path, files.biped()))
    with pytest.raises(BadInput, match=word):
        poise.Controller(body, poise.behaviours.Balance())(model, mujoco.MjData(model))


def test_a_body_without_actuators_gets_motors_by_size(tmp_path):
    body = Character.from_mjcf(files.write(tmp_path, files.biped("")))
    assert body.model.nu == body.model.nv - 6
    assert files.guess(body, "torque limits by size").value == len(files.JOINTS)
    standing(body, 0.5)


def test_joints_that_the_file_does_not_drive_swing_freely(tmp_path):
    motors = "".join(f'<motor joint="{j}" ctrlrange="-300 300"/>' for j in files.JOINTS if j != "waist")
    waist = 'name="waist" axis="0 1 0"'
    path = files.write(tmp_path, files.biped(motors).replace(waist, f'{waist} stiffness="600" damping="30"'))
    body = Character.from_mjcf(path)
    assert files.guess(body, "joints without a drive").value == ["waist"]
    assert body.model.nu == body.model.nv - 7
    standing(body, 1.0)
    assert Character.from_mjcf(path, actuators="torque").model.nu == body.model.nv - 6


def test_a_quadruped_without_names_stands_on_points_and_takes_a_push(tmp_path):
    body = Character.from_mjcf(files.write(tmp_path, files.quadruped()))
    assert len(body.supports) == 4 and all(s.is_point for s in body.supports)
    assert all(s.radius == pytest.approx((0.02,)) for s in body.supports)
    assert len(set(body.body_names)) == len(body.body_names) == 13 and "" not in body.body_names
    push = f"trunk:{0.3 * body.mass / 0.1},0,0@0.3+0.1"
    standing(body, 2.0, push=push)


def key(pelvis: str, bend: float) -> str:
    """A keyframe of the biped: where its pelvis is, and how far its knees are bent."""
    leg = f"0 {-bend / 2} {bend} {-bend / 2} 0"
    return f'<keyframe><key name="home" qpos="{pelvis} 0 {leg} {leg}"/></keyframe>'


def test_a_keyframe_that_stands_is_taken_as_it_is(tmp_path):
    body = Character.from_mjcf(files.write(tmp_path, files.biped(more=key("0 0 0.9 1 0 0 0", 0.8))))
    assert "home" in files.guess(body, "rest pose").value
    assert body.q_rest[body.model.joint("knee_l").qposadr[0]] == pytest.approx(0.8, abs=0.02)


def test_a_keyframe_that_lies_is_passed_over(tmp_path):
    path = files.write(tmp_path, files.biped(more=key("0 0 0.2 0.7 0.7 0 0", 0.1)))
    body = Character.from_mjcf(path)
    assert files.guess(body, "rest pose").value == "found"
    assert files.guess(body, "keyframes passed over").value == ["home"]
    with pytest.raises(BadInput, match=r"'hom' not found.*home"):
        Character.from_mjcf(path, rest="hom")


def test_rest_and_supports_may_be_given(tmp_path):
    path = files.write(tmp_path, files.biped())
    bent = {
        f"{j}_{s}": v for s in "lr" for j, v in (("hip_pitch", -0.3), ("knee", 0.6), ("ankle_pitch", -0.3))
    }
    body = Character.from_mjcf(path, rest=bent, supports=["foot_r", "foot_l"], stance=["foot_l"])
    assert body.q_rest[body.model.joint("knee_l").qposadr[0]] == pytest.approx(0.6)
    assert [s.name for s in body.supports] == ["foot_r", "foot_l"] and body.stance == ("foot_l",)
    own = Support("heel", "foot_l", np.array([[-0.09, 0.0, -0.07]]))
    assert Character.from_mjcf(path, rest=bent, supports=[own]).supports == (own,)
    with pytest.raises(BadInput, match="body 'hand' not found"):
        Character.from_mjcf(path, supports=["hand"])
    with pytest.raises(BadInput, match="joint 'kne' not found"):
        Character.from_mjcf(path, rest={"kne": 1.0})


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.tuples(*[st.floats(-3, 3)] * 3))
def test_frames_of_bodies_may_be_turned_any_way(tmp_path, rotation):
    """The same foot described in another frame gives the same sole in the world, and balances."""
    turn = quat.from_rotvec(np.array(rotation))
    back = quat.conjugate(turn)
    text = files.biped()
    for s in "lr":
        axes = {"ankle_pitch": np.array([0.0, 1, 0]), "ankle_roll": np.array([1.0, 0, 0])}
        head = f'<body name="foot_{s}" pos="0 0 -0.4"'
        text = text.replace(head, f'{head} quat="{_text(turn)}"')
        for joint, axis in axes.items():
            turned = _text(quat.rotate(back, axis))
            text = text.replace(
                f'name="{joint}_{s}" axis="{_text(axis, "g")}"', f'name="{joint}_{s}" axis="{turned}"'
            )
    place = quat.rotate(back, np.array([0.03, 0, -0.05]))
    text = text.replace('pos="0.03 0 -0.05" mass="1"', f'pos="{_text(place)}" quat="{_text(back)}" mass="1"')
    body = Character.from_mjcf(files.write(tmp_path, text))
    data = body.posed(body.q_rest)
    for support in body.supports:
        foot = data.body(support.body)
        world = foot.xpos + support.points @ foot.xmat.reshape(3, 3).T
        np.testing.assert_allclose(np.ptp(world, axis=0), [0.24, 0.1, 0.0], atol=2e-3)
        sole = foot.xmat.reshape(3, 3) @ quat.to_matrix(np.array(support.frame))
        np.testing.assert_allclose(sole, np.eye(3), atol=2e-3)
    standing(body, 0.3)


def _text(vector, form: str = ".9f") -> str:
    return " ".join(format(float(x), form) for x in vector)


def test_the_file_keeps_its_physics(tmp_path):
    """Includes, defaults, a mesh folder and springs survive; the body alone moves as in the file."""
    files.obj(tmp_path / "shapes", "sole.obj", (0.12, 0.05, 0.02))
    assets = '<mujocoinclude><asset><mesh name="sole" file="sole.obj"/></asset></mujocoinclude>'
    files.write(tmp_path, assets, "assets.xml")
    text = files.biped(world=FLOOR).replace(
        '<mujoco model="biped">',
        '<mujoco model="biped"><compiler meshdir="shapes"/><include file="assets.xml"/><default>'
        '<joint damping="2" stiffness="3" armature="0.02" frictionloss="0.1"/>'
        '<geom friction="0.6 0.01 0.001"/></default>',
    )
    path = files.write(tmp_path, text.replace('type="box" size="0.12 0.05 0.02"', 'type="mesh" mesh="sole"'))
    body = Character.from_mjcf(path)
    assert body.model.nmesh == 1 and len(body.supports[0].points) == 4
    theirs = mujoco.MjModel.from_xml_path(str(path))
    rng = np.random.default_rng(1)
    a, b = mujoco.MjData(theirs), mujoco.MjData(body.model)
    mujoco.mj_integratePos(theirs, a.qpos, rng.normal(0, 0.3, theirs.nv), 1.0)
    a.qvel[:] = rng.normal(0, 1, theirs.nv)
    b.qpos[:], b.qvel[:] = a.qpos, a.qvel
    for model, data in ((theirs, a), (body.model, b)):
        mujoco.mj_fwdPosition(model, data)
        mujoco.mj_fwdVelocity(model, data)
    for name in ("qfrc_bias", "qfrc_passive", "subtree_com"):
        left, right = (getattr(d, name).ravel()[-body.model.nv :] for d in (a, b))
        np.testing.assert_allclose(left, right, atol=1e-3)
    np.testing.assert_allclose(body.model.dof_frictionloss[6:], 0.1)
    folder = os.getcwd()
    os.chdir("/")
    try:
        assert mujoco.MjSpec.from_string(body.spec_xml).compile().nv == body.model.nv  # needs no file
        assert pickle.loads(pickle.dumps(body)).mass == body.mass
    finally:
        os.chdir(folder)
    standing(body, 0.5)


def test_friction_and_firmness_of_the_file_are_kept(tmp_path):
    floor = '<geom type="plane" size="5 5 .1" friction="0.4" solref="0.01 0.9" contype="2" conaffinity="2"/>'
    foot = 'friction="0.35" solref="0.01 0.9" contype="2" conaffinity="2" type="box" size="0.12'
    text = files.biped(world=floor).replace('type="box" size="0.12', foot)
    body = Character.from_mjcf(files.write(tmp_path, text))
    assert body.floor is not None and body.floor.friction == pytest.approx(0.4)
    scene = poise.scene("stand", character=body, seconds=0.5)
    assert scene.world.friction == pytest.approx(0.4)
    arena = poise.worlds.Arena(scene.world, body)
    ground = arena.model.geom("ground")
    assert ground.solref == pytest.approx([0.01, 0.9]) and ground.contype[0] & 2
    assert not poise.simulate(scene).fell


def test_a_fixed_base_is_set_free_and_other_roots_are_told_apart(tmp_path):
    fixed = files.TRUNK.replace('<freejoint name="floating"/>', "")
    body = Character.from_mjcf(files.write(tmp_path, files.biped(trunk=fixed)))
    assert body.model.nv == 17 and "free joint was added" in files.guess(body, "root").evidence
    six = "".join(
        f'<joint name="t{a}" type="slide" axis="{v}"/>' for a, v in zip("xyz", ("1 0 0", "0 1 0", "0 0 1"))
    )
    six += "".join(f'<joint name="r{a}" axis="{v}"/>' for a, v in zip("xyz", ("1 0 0", "0 1 0", "0 0 1")))
    trunk = files.TRUNK.replace('<freejoint name="floating"/>', six)
    assert Character.from_mjcf(files.write(tmp_path, files.biped(trunk=trunk))).model.nv == 17
    plane = files.TRUNK.replace(
        '<freejoint name="floating"/>', '<joint name="slide_x" type="slide"/><joint name="pitch"/>'
    )
    with pytest.raises(BadInput, match="slide_x, pitch only"):
        Character.from_mjcf(files.write(tmp_path, files.biped(trunk=plane)))


def test_a_body_that_lies_in_its_file_is_stood_up(tmp_path):
    lying = files.TRUNK.replace('pos="0 0 1.0"', 'pos="0 0 1.0" euler="90 0 0"')
    body = Character.from_mjcf(files.write(tmp_path, files.biped(trunk=lying)))
    assert files.guess(body, "up").value == pytest.approx([-np.pi / 2, 0, 0], abs=0.01)
    assert body.com_rest[2] > 0.7
    standing(body, 0.5)


def test_parts_that_are_missing_or_not_needed_do_not_stand_in_the_way(tmp_path):
    more = (
        '<sensor><touch site="nowhere"/></sensor>'
        '<contact><pair geom1="left_sole" geom2="floor"/><pair geom1="right_sole" geom2="floor"/></contact>'
        '<asset><mesh name="shell" file="gone.obj"/></asset>'
    )
    text = files.biped(more=more)
    for s, name in (("l", "left_sole"), ("r", "right_sole")):
        head, tail = text.split(f'name="foot_{s}"')
        text = (
            head + f'name="foot_{s}"' + tail.replace('<geom type="box"', f'<geom name="{name}" type="box"', 1)
        )
    shell = '<geom type="mesh" mesh="shell" contype="0" conaffinity="0" mass="0"/>'
    text = text.replace('<geom type="box" size="0.1 0.17', f'{shell}<geom type="box" size="0.1 0.17')
    with pytest.raises(ValueError, match=r"gone|nowhere|floor"):
        mujoco.MjModel.from_xml_string(text)
    body = Character.from_mjcf(files.write(tmp_path, text))
    assert files.guess(body, "drawn meshes left out").value == 1
    assert len(body.supports) == 2
    solid = text.replace(' contype="0" conaffinity="0"', "")
    with pytest.raises(BadInput, match=r"gone\.obj of body 'chest'"):
        Character.from_mjcf(files.write(tmp_path, solid))


def test_two_ball_feet_balance_over_their_line(tmp_path):
    box, ball = (
        'type="box" size="0.12 0.05 0.02" pos="0.03 0 -0.05"',
        'type="sphere" size="0.03" pos="0 0 -0.04"',
    )
    text = files.biped().replace(box, ball)
    body = Character.from_mjcf(files.write(tmp_path, text))
    assert len(body.supports) == 2 and all(s.is_point for s in body.supports)
    take = standing(body, 4.0)
    assert files.metric(take, "com_speed_final_ms") < 0.02


def test_what_cannot_stand_is_refused_with_a_reason(tmp_path):
    arm = """<mujoco><worldbody><body name="base"><geom size=".1" mass="5"/><body pos="0 0 .2"><joint axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 0 0 .4" size=".04" mass="2"/></body></body></worldbody></mujoco>"""
    with pytest.raises(BadInput, match="two or more legs"):
        Character.from_mjcf(files.write(tmp_path, arm))
    still = "<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>"
    with pytest.raises(BadInput, match="no body has a joint"):
        Character.from_mjcf(files.write(tmp_path, still))
    with pytest.raises(BadInput, match="not found"):
        Character.from_mjcf(tmp_path / "nothing.xml")
    with pytest.raises(BadInput, match="MuJoCo cannot compile"):
        Character.from_mjcf(files.write(tmp_path, "<mujoco><worldbody><body/></worldbody>"))
    sideways = files.biped().replace("<worldbody>", '<option gravity="0 -9.81 0"/><worldbody>')
    with pytest.raises(BadInput, match="along -z"):
        Character.from_mjcf(files.write(tmp_path, sideways))


def test_gravity_and_radians_that_a_file_forgot(tmp_path):
    text = files.biped().replace("<worldbody>", '<option gravity="0 0 0"/><worldbody>')
    body = Character.from_mjcf(files.write(tmp_path, text))
    assert body.model.opt.gravity[2] == pytest.approx(-9.81)
    ranges = {
        "-40 40": "-0.7 0.7",
        "-110 40": "-1.9 0.7",
        "0 140": "0 2.4",
        "-50 50": "-0.9 0.9",
        "-30 30": "-0.5 0.5",
    }
    text = files.biped()
    for degrees, radians in [*ranges.items(), ("-40 60", "-0.7 1")]:
        text = text.replace(f'range="{degrees}"', f'range="{radians}"')
    body = Character.from_mjcf(files.write(tmp_path, text))
    assert files.guess(body, "angles").value == "radians"
    assert body.model.joint("knee_l").range[1] == pytest.approx(2.4)


def test_every_guess_has_its_evidence(tmp_path):
    body = Character.from_mjcf(files.write(tmp_path, files.biped()))
    assert body.report is not None
    assert {"rest pose", "supports", "facing", "arms"} <= {g.what for g in body.report}
    assert all(g.evidence for g in body.report)
    assert "foot_l" in str(body.report)


def test_a_file_may_be_named_like_a_character(tmp_path):
    path = files.write(tmp_path, files.biped(), "robot.xml")
    take = poise.simulate(poise.scene("balance-push", character=str(path), seconds=1.5))
    assert not take.fell and take.info["pushes"][0].startswith("chest:")  # the scene's own push, on its trunk


def test_shapes_that_only_show_are_made_solid(tmp_path):
    text = files.biped().replace("<geom ", '<geom contype="0" conaffinity="0" ')
    body = Character.from_mjcf(files.write(tmp_path, text, "scene.xml"))
    assert files.guess(body, "collision shapes").value == "all"
    assert len(body.supports) == 2 and body.name == "biped"  # "scene" says nothing

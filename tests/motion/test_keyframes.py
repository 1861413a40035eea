"""Key poses in readable numbers."""

import numpy as np
import pytest

from poise.character.character import Character
from poise.errors import BadInput
from poise.geometry import quat
from poise.motion.keyframes import ease, from_keys, pose

ADULT = Character.named("adult")
SPINE = ("spine_low", "spine_mid", "spine_top")


def hand(numbers, side="l", name="upper_arm_{}"):
    """Direction of a limb's own -z axis in the world."""
    data = ADULT.posed(pose(ADULT, numbers))
    return quat.rotate(data.body(name.format(side)).xquat, [0, 0, -1.0])


@pytest.mark.parametrize(("side", "left"), [("l", 1), ("r", -1)])
def test_numbers_mean_what_they_say(side, left):
    arm = f"shoulder_{side}"
    assert np.allclose(hand({arm: dict(flex=90)}, side), [1, 0, 0], atol=1e-9)
    assert np.allclose(hand({arm: dict(abduct=90)}, side), [0, left, 0], atol=1e-9)
    assert np.allclose(hand({arm: dict(elevate=90, plane=0)}, side), [1, 0, 0], atol=1e-9)
    assert np.allclose(hand({arm: dict(elevate=90, plane=90, twist=30)}, side), [0, left, 0], atol=1e-9)
    leg = hand({f"hip_{side}": dict(flex=30), f"knee_{side}": 30}, side, "shin_{}")
    assert np.allclose(leg, [0, 0, -1], atol=1e-9)
    forearm = hand({arm: dict(flex=0), f"elbow_{side}": 90}, side, "forearm_{}")
    assert np.allclose(forearm, [1, 0, 0], atol=1e-9)
    toes = ADULT.posed(pose(ADULT, {f"hip_{side}": dict(twist=40), f"knee_{side}": 0, f"ankle_{side}": {}}))
    assert quat.rotate(toes.body(f"foot_{side}").xquat, [1.0, 0, 0])[1] * left > 0.6


def test_trunk_and_root():
    up = ADULT.posed(pose(ADULT, dict(spine_low=dict(flex=20, bend=0), neck=dict(bend=10)))).body("head")
    top = quat.rotate(up.xquat, [0, 0, 1.0])
    assert top[0] > 0.3 and top[1] > 0.1
    q = pose(ADULT, dict(root=dict(x=0.1, z=-0.2, twist=90)))
    assert np.allclose(q[:3] - ADULT.q_rest[:3], [0.1, 0, -0.2])
    assert np.allclose(quat.rotate(q[3:7], [1.0, 0, 0]), [0, 1, 0])


def test_none_is_the_rest_pose():
    assert np.allclose(pose(ADULT, dict.fromkeys(ADULT.joint_names)), ADULT.q_rest)
    clip = from_keys(ADULT, [(0, dict.fromkeys(ADULT.joint_names)), (1, dict(shoulder_l=dict(elevate=90)))])
    assert np.allclose(clip.q[0], ADULT.q_rest)


def test_keys_are_reached_at_rest_and_without_overshoot():
    clip = from_keys(
        ADULT, [(0, dict(knee_l=0)), (0.5, dict(knee_l=30)), (0.7, dict(knee_l=90)), (1, dict(knee_l=20))]
    )
    at = ADULT.model.joint("knee_l").qposadr[0]
    knee = np.degrees([clip.at(t)[at] for t in np.linspace(0, 1, 300)])
    for t, angle in ((0, 0), (0.5, 30), (0.7, 90), (1, 20)):
        assert np.isclose(np.degrees(clip.at(t)[at]), angle, atol=0.05)
    assert knee.max() < 90.1 and knee.min() > -0.1 and np.diff(knee)[:205].min() > -0.01
    assert (
        not clip.velocity(0).any()
        and np.abs(clip.velocity(0.7)[clip.character.model.joint("knee_l").dofadr]) < 0.2
    )


def test_joints_keep_to_their_own_keys():
    clip = from_keys(
        ADULT, [(0, dict(knee_l=0, elbow_l=0)), (0.5, dict(knee_l=90)), (1, dict(knee_l=0, elbow_l=40))]
    )
    at = ADULT.model.joint("elbow_l").qposadr[0]
    assert np.isclose(
        np.degrees(clip.at(0.5)[at]), -20, atol=0.1
    )  # the adult's elbow flexes to the negative side


def test_loop_is_smooth_across_its_seam():
    keys = [(0, dict(knee_l=10)), (0.3, dict(knee_l=60)), (0.6, dict(knee_l=30)), (1, dict(knee_l=10))]
    clip = from_keys(ADULT, keys, loop=True)
    for one, two in zip(clip.sample(1 - 1e-9), clip.sample(1e-9), strict=True):
        assert np.allclose(one, two, atol=1e-4)
    with pytest.raises(BadInput, match="equal first and last"):
        from_keys(ADULT, [(0, dict(knee_l=10)), (1, dict(knee_l=20))], loop=True)


def test_ease_is_twice_differentiable():
    t = np.linspace(0, 2, 20001)
    x = ease(np.array([0, 0.5, 1.2, 2.0]), np.array([[0.0], [1.0], [1.5], [-1.0]]), t, False)[:, 0]
    rate = np.gradient(np.gradient(x, t), t)
    assert np.abs(np.diff(rate[2:-2])).max() < 0.05 and np.abs(rate[[2, -3]]).max() < 0.2


def test_one_key_is_a_still():
    assert from_keys(ADULT, [(0, dict(knee_l=10))]).seconds == 0


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ([], "no keys"),
        ([(0, {}), (0, {})], "key times must increase; given 0, 0"),
        ([(0, dict(kneel=3)), (1, {})], "joint 'kneel' not found .did you mean 'knee_l'"),
        ([(0, dict(hip_l=dict(bend=3))), (1, {})], "number of joint hip_l 'bend' not found"),
        ([(0, dict(shoulder_l=dict(elevate=3, flex=2))), (1, {})], "'flex' not found"),
        ([(0, dict(knee_l=dict(twist=2))), (1, {})], "'twist' not found"),
    ],
)
def test_refuses(keys, message):
    with pytest.raises(BadInput, match=message):
        from_keys(ADULT, keys)

"""One layout of poses for hinges and balls."""

from __future__ import annotations

import math

import numpy as np
import pytest

from poise.behaviours.rolling.cycle import CHANNELS, named, shipped
from poise.behaviours.rolling.joints import OVER, Joints, errors, within
from poise.character import Character
from poise.character.hinged import hinged
from poise.dynamics.limits import JointLimits
from poise.geometry import quat


@pytest.fixture
def adult() -> Character:
    return Character.named("adult")


def test_every_channel_has_its_place_in_both_bodies(adult: Character) -> None:
    ball, hinge = Joints(adult), Joints(hinged(adult, "hinged"))
    names = {name for joints in CHANNELS.values() for name, _ in joints}
    stiff = {name for name in names if name.startswith("wrist")}
    for joints, known in ((ball, names), (hinge, names - stiff)):
        places = [joints.place(name) for name in known]
        assert None not in places and len(set(places)) == len(known)
    assert ball.place("hip_l") is None and ball.place("tail_y") is None and hinge.place("wrist_y_l") is None


def test_a_ball_turns_as_a_stack_of_hinges_does(adult: Character) -> None:
    rng, stacked = np.random.default_rng(0), hinged(adult, "hinged")
    ball, hinge = Joints(adult), Joints(stacked)
    pose, stack = np.zeros(ball.size), np.zeros(hinge.size)
    for name in (
        "hip_y_l",
        "hip_x_l",
        "hip_z_l",
        "shoulder_y_r",
        "shoulder_x_r",
        "knee_l",
        "spine_low_y",
        "neck_y",
    ):
        pose[ball.place(name)] = stack[hinge.place(name)] = rng.uniform(-1, 1)
    q, p = (np.concatenate([[0, 0, 0, 1, 0, 0, 0], j.q(x)]) for j, x in ((ball, pose), (hinge, stack)))
    one, other = adult.posed(q), stacked.posed(p)
    for body in ("shin_l", "forearm_r", "head", "foot_l"):
        np.testing.assert_allclose(one.body(body).xpos, other.body(body).xpos, atol=1e-12)
        np.testing.assert_allclose(one.body(body).xmat, other.body(body).xmat, atol=1e-12)


def test_the_error_turns_a_joint_to_its_target(adult: Character) -> None:
    rng, joints = np.random.default_rng(1), Joints(adult)
    q, target = (joints.q(rng.uniform(-1, 1, joints.size)) for _ in range(2))
    error = np.zeros(joints.size)
    errors(joints, q, target, error)
    at, dof = (int(adult.model.joint("hip_r").qposadr[0]) - 7, int(adult.model.joint("hip_r").dofadr[0]) - 6)
    reached = quat.multiply(q[at : at + 4], quat.from_rotvec(error[dof : dof + 3]))
    assert abs(reached @ target[at : at + 4]) == pytest.approx(1.0)
    knee = int(adult.model.joint("knee_l").dofadr[0]) - 6
    place = int(adult.model.joint("knee_l").qposadr[0]) - 7
    assert error[knee] == target[place] - q[place]


@pytest.mark.parametrize("name", sorted(shipped()))
def test_targets_are_within_the_ranges_of_balls(name: str, adult: Character) -> None:
    joints, limits = Joints(adult), JointLimits.of(adult)
    balls = slice(2 * len(limits.hinges), None)
    worst = -math.inf
    for row in named(name).table(adult):
        limits.update(np.concatenate([np.zeros(7), joints.q(row)]))
        worst = max(worst, float(limits.excess[balls].max()))
    assert worst <= OVER + 1e-6


def test_what_is_within_range_stays_as_it_is(adult: Character) -> None:
    poses = np.full((2, Joints(adult).size), 0.05)
    poses[1, Joints(adult).place("hip_y_l")] = -3.0
    kept = within(adult, poses.copy())
    assert (kept[0] == poses[0]).all()
    assert -2.6 < kept[1, Joints(adult).place("hip_y_l")] < -2.0

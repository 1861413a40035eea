"""Poses, passages and springs, one by one."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import poise
from poise.behaviours.falling import poses
from poise.behaviours.falling.passage import Key, Passage
from poise.behaviours.falling.poses import Figure
from poise.behaviours.falling.sense import Sense
from poise.behaviours.falling.springs import Hold, Springs, gains
from poise.control.command import Solution
from poise.dynamics.state import State
from poise.geometry import quat


@pytest.fixture(scope="module")
def adult() -> poise.Character:
    return poise.Character.named("adult")


def state_of(body: poise.Character) -> State:
    data = body.posed(np.array(body.q_rest))
    mujoco.mj_forward(body.model, data)
    return State(body, body.model, data).update()


def joint(body: poise.Character, joints: np.ndarray, name: str) -> np.ndarray:
    at = int(body.model.joint(name).qposadr[0]) - 7
    return joints[at : at + 4]


def test_two_ways_to_name_an_arm_overhead_are_one(adult):
    a, b = (Figure(adult).joints({"shoulder": angles}) for angles in ((0, 160, 160), (-180, 20, -20)))
    assert np.abs(quat.difference(joint(adult, a, "shoulder_l"), joint(adult, b, "shoulder_l"))).max() < 1e-9


def test_a_mirrored_pose_is_the_other_side(adult):
    figure = Figure(adult)
    for pose in (*poses.TURN, poses.leftward(40)):
        a, b = figure.joints(pose), figure.joints(pose, mirrored=True)
        for left, right in (("shoulder_l", "shoulder_r"), ("hip_l", "hip_r"), ("spine_low", "spine_low")):
            flipped = joint(adult, b, right) * (1, -1, 1, -1)
            np.testing.assert_allclose(joint(adult, a, left), flipped, atol=1e-12)


def test_the_spine_shares_a_bend_by_what_its_joints_allow(adult):
    q = Figure(adult).joints({"spine": (95.0, 0.0, 0.0)})
    parts = [np.degrees(quat.to_rotvec(joint(adult, q, f"spine_{s}"))[1]) for s in ("low", "mid", "top")]
    assert sum(parts) == pytest.approx(95.0) and parts[0] == pytest.approx(parts[1]) and parts[2] < parts[0]


def test_a_passage_goes_the_shortest_way_and_arrives(adult):
    state, figure = state_of(adult), Figure(adult)
    passage, goal = Passage(state), figure.joints(poses.FOURS)
    passage.begin([Key(figure.joints(poses.CHILD), 0.3, 0.1), Key(goal, 0.2)], state.q)
    last, most = passage.joints.copy(), 0.0
    for _ in range(61):
        passage.advance(0.01)
        most = max(most, float(np.abs(passage.joints - last).max()))
        last = passage.joints.copy()
    assert passage.done and most < 0.2
    np.testing.assert_allclose(passage.joints, goal)
    assert np.linalg.norm(joint(adult, passage.joints, "hip_l")) == pytest.approx(1.0)


def test_springs_are_within_limits_and_still_at_their_goal(adult):
    state = state_of(adult)
    low, high = -5.0 * np.ones(state.nv), 5.0 * np.ones(state.nv)
    springs = Springs(state, (low, high), Solution.empty(state.nv, 2))
    springs.refresh(Hold(Figure(adult).joints(poses.FOURS)))
    tau = springs.step().tau
    assert np.abs(tau).max() == pytest.approx(5.0) and not tau[:6].any()
    springs.refresh(Hold(np.array(state.q[7:]), firm=0.0, damped=0.0))
    assert np.abs(springs.step().tau).max() == 0.0  # at rest, with no stiffness: nothing


def test_gains_are_those_of_the_joint(adult):
    kp, kd = gains(adult)
    at = int(adult.model.joint("knee_l").dofadr[0]) - 6
    pace = np.sqrt(adult.height / 1.75)  # damping goes with the body's own time
    assert pace * kp[at] / kd[at] == pytest.approx(18.0) and (kp > 0).all() and (kd > 0).all()


def test_sway_makes_one_leg_longer_and_the_other_shorter(adult):
    figure = Figure(adult)
    q = np.array(adult.q_rest)
    q[7:] = figure.balanced(figure.joints(poses.HOP[2]), 0.4, 0.0, 0.0)
    at = adult.posed(q).body
    far = [np.linalg.norm(at(f"foot_{s}").xpos - at(f"thigh_{s}").xpos) for s in "lr"]
    assert far[0] > far[1] + 0.03
    np.testing.assert_array_equal(figure.balanced(q[7:], 0.0, 0.0, 0.0), q[7:])


def test_xi_anywhere_between_the_feet_is_over_them(adult):
    state, sense = state_of(adult), Sense(state_of(adult))
    sense.look(state)
    assert sense.on_feet(state) and sense.off_feet(state) == 0.0
    for away, off in (((0.0, 0.09), 0.0), ((0.0, 0.3), 0.1), ((0.3, 0.0), 0.1)):
        sense.xi[:] = sense.middle + away
        assert (
            sense.off_feet(state) == pytest.approx(0.0, abs=1e-9) if off == 0 else sense.off_feet(state) > off
        )


def test_all_of_a_body_is_soft_but_for_the_joints_named(adult):
    parts = Figure(adult).soft(0.4, but="neck")
    at = int(adult.model.joint("neck").dofadr[0]) - 6
    assert (parts[at : at + 3] == 1.0).all() and (parts == 0.4).sum() == len(parts) - 3

"""Inverse kinematics: targets met, limits kept, style kept."""

import mujoco
import numpy as np
import pytest

from poise.character.character import Character
from poise.dynamics.limits import JointLimits, beyond
from poise.errors import BadInput
from poise.geometry import quat
from poise.motion.clip import Clip
from poise.motion.ik import Solver, Targets
from poise.motion.keyframes import from_keys, pose
from poise.motion.plant import middle, path, plant, rest_places

ADULT = Character.named("adult")
FEET = {name: rest_places(ADULT)[name] for name in ADULT.stance}


def test_rows_are_derivatives():
    """J dq is the change of the error, for every kind of target."""
    solver, rng = Solver(ADULT), np.random.default_rng(0)
    q = pose(ADULT, dict(hip_l=dict(flex=40, abduct=10), knee_l=50, shoulder_r=dict(elevate=70, plane=50)))
    posed = ADULT.posed(q)
    targets = Targets(  # at the target itself, so that rotation vectors are small
        bodies={"foot_l": (posed.body("foot_l").xpos, posed.body("foot_l").xquat)},
        com=posed.subtree_com[1],
        points={"hand_r": posed.body("hand_r").xpos},
        level={"head": posed.body("head").xquat},
        root_height=0.8,
    )
    J, error = solver.rows(q, targets)
    for step in rng.normal(size=(5, ADULT.model.nv)) * 1e-6:
        moved = q.copy()
        mujoco.mj_integratePos(ADULT.model, moved, step, 1.0)
        assert np.allclose(solver.rows(moved, targets)[1] - error, -J @ step, atol=1e-10)


def test_feet_and_centre_of_mass_reach_their_targets():
    wanted = pose(ADULT, dict(shoulder_l=dict(flex=90), shoulder_r=dict(flex=90), root=dict(flex=20, z=-0.1)))
    com = np.array([0.02, 0.03])
    q = Solver(ADULT).solve(wanted, Targets(bodies=FEET, com=com))
    posed = ADULT.posed(q)
    for name, (place, turn) in FEET.items():
        assert np.abs(posed.body(name).xpos - place).max() < 1e-5
        assert np.linalg.norm(quat.difference(posed.body(name).xquat, turn)) < 1e-5
    assert np.allclose(posed.subtree_com[1][:2], com, atol=1e-5)
    arms = slice(*ADULT.model.joint("shoulder_l").qposadr[[0, 0]] + [0, 4])
    assert np.linalg.norm(quat.difference(q[arms], wanted[arms])) < np.radians(3)


def test_points_and_height():
    where = np.array([0.35, 0.2, 1.0])
    q = Solver(ADULT).solve(ADULT.q_rest, Targets(bodies=FEET, points={"hand_l": where}, root_height=0.85))
    body, local = ADULT.point("hand_l")
    hand = ADULT.posed(q).body(body)
    assert np.allclose(hand.xpos + quat.rotate(hand.xquat, local), where, atol=1e-4)
    assert np.isclose(q[2], 0.85, atol=1e-4)


def test_nothing_asked_changes_nothing():
    q = pose(ADULT, dict(knee_l=40))
    assert np.allclose(Solver(ADULT).solve(q, Targets()), q)


def test_limits_are_kept():
    far = pose(ADULT, dict(knee_l=-20, hip_l=dict(abduct=100), neck=dict(twist=120), elbow_r=170))
    assert beyond(ADULT, far) > np.radians(15)
    assert beyond(ADULT, Solver(ADULT).solve(far, Targets())) == 0
    low = Solver(ADULT).solve(ADULT.q_rest, Targets(bodies=FEET, com=np.zeros(2), root_height=0.55))
    assert beyond(ADULT, low) < 1e-6  # deep: the ankles are at their limit


def test_unknown_names():
    with pytest.raises(BadInput, match="effector 'hand' not found"):
        Solver(ADULT).solve(ADULT.q_rest, Targets(points={"hand": np.zeros(3)}))
    with pytest.raises(BadInput, match="body 'paw' not found"):
        Solver(ADULT).solve(ADULT.q_rest, Targets(level={"paw": quat.IDENTITY}))


def test_plant_fixes_floating_feet():
    lean = dict(root=dict(z=0.2, y=0.1, flex=25, bend=8))
    clip = from_keys(ADULT, [(0, dict(root=dict(z=0.1))), (0.5, lean)])
    done = plant(clip)
    for t in np.linspace(0, 0.5, 31):
        posed = ADULT.posed(done.at(t))
        for name, (place, turn) in FEET.items():
            assert np.abs(posed.body(name).xpos - place).max() < 1e-4
            assert np.linalg.norm(quat.difference(posed.body(name).xquat, turn)) < 1e-3
        assert np.linalg.norm(posed.subtree_com[1][:2] - middle(ADULT, ADULT.stance)) < 1e-3
    assert done.times is not clip.times and np.array_equal(done.times, clip.times)


def test_planting_twice_changes_little():
    once = plant(from_keys(ADULT, [(0, {}), (0.3, dict(root=dict(flex=15), shoulder_l=dict(flex=80)))]))
    assert np.abs(plant(once).q - once.q).max() < 1e-4


def test_plant_holds_a_level_head_and_points():
    clip = from_keys(ADULT, [(0, dict(root=None)), (0.4, dict(root=dict(bend=15, flex=10)))])
    reach = path(clip.times, [(0, [0.3, 0.3, 1.0]), (0.4, [0.4, 0.2, 1.1])])
    done = plant(clip, level=["head"], points={"hand_l": reach})
    posed = ADULT.posed(done.at(0.4))
    assert np.linalg.norm(quat.difference(posed.body("head").xquat, quat.IDENTITY)) < 1e-3
    body, local = ADULT.point("hand_l")
    assert np.allclose(
        posed.body(body).xpos + quat.rotate(posed.body(body).xquat, local), reach[-1], atol=1e-3
    )


def test_plant_checks_lengths():
    with pytest.raises(BadInput, match="com has 3 rows; the clip has 1 frames"):
        plant(Clip.still(ADULT), com=np.zeros((3, 2)))


def test_limits_agree_with_the_character_and_their_gradient():
    limits, rng = JointLimits.of(ADULT), np.random.default_rng(2)
    for _ in range(20):
        q = ADULT.q_rest.copy()
        mujoco.mj_integratePos(ADULT.model, q, rng.normal(size=ADULT.model.nv), 0.6)
        g, G = limits.inequalities(q)
        first, count = 2 * len(limits.hinges), len(ADULT.limits)
        swings, twists, others = g[first::2][:count], g[first + 1 :: 2][:count], g[-count:]
        for i, (name, limit) in enumerate(ADULT.limits.items()):
            at = ADULT.model.joint(name).qposadr[0]
            swing, twist = limit.reach(q[at : at + 4])
            assert (swings[i] > 0) == (swing > 1) and (max(twists[i], others[i]) > 0) == (abs(twist) > 1)
        step = rng.normal(size=ADULT.model.nv) * 1e-5
        moved = q.copy()
        mujoco.mj_integratePos(ADULT.model, moved, step, 1.0)
        assert np.allclose(limits.inequalities(moved)[0] - g, G @ step, atol=2e-8, rtol=1e-3)

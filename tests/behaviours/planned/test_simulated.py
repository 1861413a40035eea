"""The plan on a simulated body: it walks, climbs, is pushed, and moves its landings by what pushes have done."""

from __future__ import annotations

import math

import numpy as np
import pytest

import poise
from mocap import need
from poise.behaviours.planned.course import course
from poise.behaviours.planned.footing import FARTHEST, INWARD, ON_STAIRS, Footing
from poise.behaviours.planned.reference import reference
from poise.behaviours.planned.segments import controller
from poise.motion.gait import FLAT, walk

RATE = 3.2  # [1/s] √(g/h)


@pytest.fixture(scope="module")
def plan():
    ref = reference(walk(poise.Character.named("adult"), FLAT, steps=4))
    return ref, controller(ref)


def mid_swing(ref) -> tuple[int, int]:
    """A frame in the middle of the first swing, and the foot that swings."""
    alone = np.flatnonzero(ref.feet.on.any(axis=2).sum(axis=1) == 1)
    first = alone[: np.flatnonzero(np.diff(alone) > 1)[0] + 1]
    k = int(first[len(first) // 3])
    return k, int(np.flatnonzero(~ref.feet.on[k].any(axis=1))[0])


def planned(ref, k: int) -> tuple[np.ndarray, np.ndarray]:
    return ref.x[k, :3].copy(), ref.x[k, 3:6] / ref.character.mass


def test_a_captured_walk_begins_on_the_ground():
    made = poise.scene("ofc-walk", physics=True, push=(), seconds=1.0, motion=str(need("bvh/136_21.bvh")[0]))
    session = poise.Session(made)
    behaviour = made.behaviour
    first = behaviour.control.segments[0].start  # type: ignore[attr-defined]
    wanted = behaviour.ref.x[first]  # type: ignore[attr-defined]
    assert abs(session.state.c[2] - wanted[2]) < 2e-3
    assert np.linalg.norm(session.state.L - wanted[3:6]) < 0.05 * np.linalg.norm(wanted[3:6])


def test_on_plan_no_landing_is_moved(plan):
    ref, control = plan
    feet = Footing(ref, course(ref, control), RATE)
    k, foot = mid_swing(ref)
    np.testing.assert_allclose(feet.aim(*planned(ref, k), k, 1.0, foot), 0.0, atol=1e-12)


def test_a_body_that_is_too_fast_steps_farther_and_no_farther_than_it_can(plan):
    ref, control = plan
    feet = Footing(ref, course(ref, control), RATE)
    k, foot = mid_swing(ref)
    c, c_dot = planned(ref, k)
    small = feet.aim(c, c_dot + np.array([0.02, 0.0, 0.0]), k, 1.0, foot)[0]
    assert 0.02 / RATE < small < FARTHEST[0]  # the error has grown until the foot lands
    assert feet.aim(c, c_dot + np.array([5.0, 0.0, 0.0]), k, 1.0, foot)[0] == FARTHEST[0]


def test_feet_do_not_cross(plan):
    ref, control = plan
    feet = Footing(ref, course(ref, control), RATE)
    k, foot = mid_swing(ref)
    side = np.sign(ref.feet.place[k, foot, 1] - ref.feet.place[k, 1 - foot, 1])
    c, c_dot = planned(ref, k)
    assert feet.aim(c, c_dot - [0.0, side * 2.0, 0.0], k, 1.0, foot)[1] == pytest.approx(-side * INWARD)


def test_on_stairs_a_landing_stays_on_its_tread(plan):
    ref, control = plan
    rises = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 0.1]])
    feet = Footing(ref, course(ref, control, rises), RATE)
    k, foot = mid_swing(ref)
    c, c_dot = planned(ref, k)
    assert feet.aim(c, c_dot + np.array([5.0, 0.0, 0.0]), k, 1.0, foot)[0] == ON_STAIRS


def test_the_plan_goes_on_from_where_a_foot_has_landed(plan):
    ref, control = plan
    way = course(ref, control)
    feet = Footing(ref, way, RATE)
    k, foot = mid_swing(ref)
    feet.land(way.place[k, foot] + [0.05, -0.02, 0.01], k, foot)
    np.testing.assert_allclose(feet.anchor, [0.05, -0.02, 0.0], atol=1e-12)
    c, c_dot = planned(ref, k)
    assert np.abs(feet.aim(c + feet.anchor, c_dot, k, 1.0, 1 - foot)).max() <= 0.015  # only on its way back


def test_a_swing_begins_where_the_foot_was_lifted(plan):
    ref, control = plan
    way = course(ref, control)
    feet = Footing(ref, way, RATE)
    k, foot = mid_swing(ref)
    down = np.flatnonzero(ref.feet.on[:k, foot].any(axis=1))[-1]
    feet.lift(way.place[down, foot] + [0.03, 0.02, 0.0], int(down), foot)
    aside, faster = feet.swing(float(down), foot)
    np.testing.assert_allclose(aside, [0.03, 0.02, 0.0], atol=1e-12)
    np.testing.assert_allclose(faster, 0.0, atol=1e-12)


def test_a_squat_squats():
    take = poise.simulate(poise.scene("ofc-squat", physics=True))
    height, way = take["com"][:, 2], np.linalg.norm(take["com"][:, :2] - take["com"][0, :2], axis=1)
    assert not take.fell and height[0] - height.min() >= 0.15 and way.max() < 0.1
    assert float(take.metrics["moment_gap_nm"] or 0) < 5.0


@pytest.mark.slow
def test_a_long_step_steps():
    take = poise.simulate(poise.scene("ofc-long-step", physics=True))
    assert not take.fell and take.steps >= 5 and take["com"][-1, 0] - take["com"][0, 0] > 3.8


@pytest.mark.slow
@pytest.mark.parametrize("rise", [-0.08, -0.10, -0.12])
def test_three_stairs_down(rise: float):
    take = poise.simulate(poise.scene("ofc-stairs", physics=True, rise=rise, seconds=5.0))
    assert not take.fell
    assert take["com"][-1, 2] - take["com"][0, 2] == pytest.approx(3 * rise, abs=0.06)


@pytest.mark.slow
@pytest.mark.parametrize("noise", [0.0, 0.01])
@pytest.mark.parametrize("file", ["136_21", "02_01"])
def test_captured_walks_walk_ten_steps(file: str, noise: float):
    (path,) = need(f"bvh/{file}.bvh")
    made = poise.scene(
        "ofc-walk", physics=True, motion=path, push=[], seconds=7.0, pose_noise=noise, seed=21
    )  # fmt: skip
    take = poise.simulate(made)
    assert not take.fell and take.steps >= 10


@pytest.mark.slow
def test_twenty_steps():
    take = poise.simulate(poise.scene("ofc-walk", physics=True, push=[], seconds=13.0))
    assert not take.fell and take.steps >= 20 and take["com"][-1, 0] - take["com"][0, 0] > 5.0


@pytest.mark.slow
@pytest.mark.parametrize("rise", [0.06, 0.12])
def test_three_stairs(rise: float):
    take = poise.simulate(poise.scene("ofc-stairs", physics=True, rise=rise, seconds=5.0))
    assert not take.fell
    assert take["com"][-1, 2] - take["com"][0, 2] == pytest.approx(3 * rise, abs=0.06)


@pytest.mark.slow
@pytest.mark.parametrize("degrees", range(0, 360, 45))
def test_a_push_from_every_side(degrees: int):
    newtons = 0.3 * poise.Character.named("adult").mass / 0.1
    force = (newtons * math.cos(math.radians(degrees)), newtons * math.sin(math.radians(degrees)), 0.0)
    push = poise.Push("torso", force, 2.2, 0.1)
    take = poise.simulate(poise.scene("ofc-walk", physics=True, push=push, seconds=6.5))
    assert not take.fell and take.steps >= 9

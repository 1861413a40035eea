"""Steps: one that lands where it should, recovery from a push, and a walk, on several bodies."""

from __future__ import annotations

import numpy as np
import pytest

import poise
from foreign_files import metric
from mocap import need
from poise.behaviours import Footprint, Footprints, Stepper
from poise.behaviours.stepping.legs import Legs
from poise.scenes.stepping import course
from poise.simulate import Scene, simulate
from poise.worlds.world import World
from replicas import most

SEEDS = range(5)
NOISE = 0.001  # [rad] of each joint at the start, as for push limits


def run(name: str, **how) -> poise.Recording:
    return simulate(poise.scene(name, after_fall=0.0, **how))


def test_a_directed_step_lands_on_its_footprint():
    body = poise.Character.named("adult")
    stepper = Stepper(Footprints([Footprint(1, 0.25, -0.12, 0.2)]))
    take = simulate(Scene("one", body, World(), stepper, seconds=2.2))
    assert not take.fell and take.steps == 1
    x, y, heading = take["soles"][-1, 3:]
    assert abs(x - 0.25) < 0.015 and abs(y + 0.12) < 0.015 and abs(heading - 0.2) < 0.08


def test_an_eager_body_answers_by_a_step_what_another_leaves_to_its_balance():
    eager, calm = (
        run("reactive-step", push="torso:0,170,0@0.5+0.1", seconds=3.0, eager=e, style="plain")
        for e in (2.0, 1.0)
    )
    assert not eager.fell and not calm.fell
    assert eager.steps == 1 and calm.steps == 0


@pytest.mark.parametrize("force", [(450.0, 0.0, 0.0), (0.0, 450.0, 0.0), (-450.0, 0.0, 0.0)])
def test_a_push_is_recovered_by_stepping(force):
    x, y, z = force
    push = f"torso:{x},{y},{z}@0.5+0.1"
    takes = [run("reactive-step", push=push, seconds=5.0, seed=seed, pose_noise=NOISE) for seed in SEEDS]
    assert most(
        takes,
        lambda take: not take.fell and take.steps >= 1,
        lambda take: metric(take, "com_speed_final_ms") < 0.15,
    )


def test_a_light_push_takes_no_step():
    take = run("reactive-step", push="torso:120,0,0@0.5+0.1", seconds=2.5)
    assert not take.fell and take.steps == 0


@pytest.mark.parametrize("character", ["adult", "chicken", "dinosaur"])
def test_walk_six_steps(character: str):
    how = {"character": character, "style": "plain", "seconds": 4.2, "speed": 0.5, "pose_noise": NOISE}
    takes = [run("walk", seed=seed, **how) for seed in SEEDS]
    assert most(
        takes,
        lambda take: not take.fell and take.steps >= 6,
        lambda take: 0.3 < metric(take, "speed_ms") < 0.7,
        lambda take: metric(take, "foot_slip_m") < 0.05,
        lambda take: abs(take["com"][-1, 1]) < 0.1,
    )


def test_legs_are_measured_from_any_body():
    legs = Legs(poise.Character.named("adult"))
    assert legs.left.side == 1 and legs.right.side == -1
    assert legs.width == pytest.approx(0.19, abs=1e-6)
    assert legs.left.reach == pytest.approx(0.85, abs=1e-6)
    np.testing.assert_allclose(legs.left.half, [0.13, 0.0475])


def test_a_body_with_more_supports_is_refused():
    from dataclasses import replace

    body = poise.Character.named("adult")
    with pytest.raises(poise.BadInput, match="two supports"):
        Legs(replace(body, stance=("foot_l",)))


def test_course_has_24_prints_of_both_feet():
    prints = course(Legs(poise.Character.named("adult")))
    assert len(prints) == 24 and {p.limb for p in prints} == {0, 1}


def test_a_walk_lands_on_its_heels_with_nearly_straight_knees():
    take = run("walk", speed=1.1, seconds=7.0, seed=303)
    assert not take.fell and metric(take, "stance_knee_deg") < 25.0 and metric(take, "foot_slip_m") < 0.025
    corners = take["support_points"].reshape(len(take), 2, 4, 3)  # heel, toe, toe, heel
    on = np.isfinite(corners.sum(axis=3))[take.time > 4.0]
    for foot in (0, 1):
        stance = on[:, foot]
        touch = np.flatnonzero(stance.any(axis=1) & ~np.r_[True, stance[:-1].any(axis=1)])
        assert len(touch) >= 2 and not stance[touch][:, (1, 2)].any()  # heels touch first


def test_the_arc_of_a_hurried_walk_stays_gentle():
    """The body never falls freely under its own arc, however short the step."""
    take = run("walk", speed=0.8, time=0.36, seconds=5.0, seed=304)
    force = take["contact_force"][take.time > 3.0, 2]
    assert not take.fell and np.percentile(force, 1) > 150.0


@pytest.mark.slow
def test_legs_heavier_than_peoples_do_not_scuff():
    assert not run("walk", character="heavy-leg", pose_noise=0.01, seconds=15.0, seed=26).fell


@pytest.mark.slow
def test_directed_steps_all_land():
    take = run("directed-steps")
    assert not take.fell and take.steps == 24
    assert metric(take, "landing_error_max_m") < 0.03


@pytest.mark.slow
@pytest.mark.parametrize("direction", range(0, 360, 45))
def test_600_newtons_from_any_side(direction: int):
    angle = np.radians(direction)
    push = f"torso:{600 * np.cos(angle):.1f},{600 * np.sin(angle):.1f},0@1.0+0.1"
    take = run("reactive-step", style="plain", push=push, seconds=5.1)
    assert not take.fell and metric(take, "com_speed_final_ms") < 0.15


@pytest.mark.slow
@pytest.mark.parametrize("speed", [0.5, 0.8, 1.1, 1.3])
def test_a_minute_of_walking(speed: float):
    """Of the stepper itself: people's walk, the default, follows a score, and is judged in scenes and docs/looks.md."""
    take = run("walk", style="plain", speed=speed, seconds=60.0, seed=301, pose_noise=0.01)
    assert not take.fell and take.steps > 100
    assert metric(take, "speed_ms") == pytest.approx(speed, rel=0.05)
    assert metric(take, "foot_slip_m") < 0.03 and metric(take, "stance_knee_deg") < 25.0
    assert abs(metric(take, "arm_leg_phase_deg") - 180) < 40


@pytest.mark.slow
@pytest.mark.parametrize(
    "way", [{"speed": 0.0}, {"speed": -0.4}, {"side": 0.2, "speed": 0.0}, {"turn": 30.0}, {"stop": 5.0}]
)
def test_it_walks_any_way(way):
    take = run("walk", style="plain", seconds=8.0, seed=302, pose_noise=0.01, **way)
    assert not take.fell and take.steps >= 10


@pytest.mark.slow
@pytest.mark.parametrize("name", ["02_01", "76_03", "90_01"])
def test_captured_skeletons_walk_without_tuning(name: str):
    (path,) = need(f"bvh/{name}.bvh")
    take = run("walk", character=poise.Character.from_bvh(path), speed=0.5, seconds=17.0)
    assert not take.fell and take.steps >= 30


@pytest.mark.slow
def test_a_walker_pushed_from_the_side_returns_to_its_way():
    take = run("walk", style="plain", push="torso:0,150,0@4.1+0.1", seconds=9.2)
    assert not take.fell and take.metrics["back_in_gait"]

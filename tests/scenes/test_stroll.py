"""Walk in the style of a clip."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import poise
from mocap import need
from poise.behaviours.following.stroll import Stroll
from poise.behaviours.following.variety import Variety
from poise.character import Character
from poise.errors import BadInput
from poise.motion.gait import walk
from poise.motion.stride import stride_of
from poise.scenes.stroll import scored
from poise.simulate import Scene, simulate
from poise.sweeps import trial
from poise.worlds import World


def test_a_stride_walks_on_and_on():
    stride = stride_of(walk(Character.named("adult"), steps=6))
    loop = scored(stride, 0.9, 0.2)
    q, v, _ = loop.clip.sample(1e-6)
    take = simulate(
        Scene(
            "", loop.clip.character, World(), Stroll(loop), seconds=9.0, q_start=q, v_start=v, pose_noise=0.01
        )
    )
    assert not take.fell
    assert take["clip"][-1, 0] > 2 * loop.period * 0.01 * 2  # beyond its tables
    velocity = take["com_velocity"][-loop.period :, :2].mean(axis=0)
    assert np.hypot(*velocity) == pytest.approx(0.9, rel=0.05)
    angle = np.arctan2(velocity[1], velocity[0])
    late = take.time[-1] - 0.5 * loop.period * 0.01
    assert angle == pytest.approx(0.2 * late, abs=0.15)


@pytest.mark.parametrize("speed", [None, 0.8])
def test_a_captured_walk_goes_on_in_its_style(speed):
    options = {} if speed is None else {"speed": speed}
    take = poise.simulate(
        poise.scene("walk", motion=need("bvh/02_01.bvh")[0], seconds=10.0, pose_noise=0.01, **options)
    )
    found: Any = take.metrics
    assert not take.fell
    assert found["speed_ms"] == pytest.approx(speed or found["stride_speed_ms"], rel=0.05)
    assert min(found[f"{name}_correlation"] for name in ("hip", "knee", "ankle")) > 0.8
    assert found["back_in_gait"]


def test_a_speed_that_is_none_is_refused():
    with pytest.raises(BadInput, match="speed"):
        poise.scene("walk", motion=need("bvh/02_01.bvh")[0], speed=9.0)


def test_a_clip_without_a_stride_is_refused():
    """A spin kick: the ends of its best stride are metres apart."""
    with pytest.raises(BadInput, match=r"'90_05.bvh' has no stride that goes on"):
        poise.scene("walk", motion=need("bvh/90_05.bvh")[0])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["02_01", "136_21"])
@pytest.mark.parametrize("options", [{}, {"speed": 0.8}, {"speed": 1.0}, {"speed": 1.3}, {"turn": 20.0}])
def test_a_minute_of_it(name, options):
    take = poise.simulate(
        poise.scene(
            "walk", motion=need(f"bvh/{name}.bvh")[0], seconds=60.0, pose_noise=0.01, seed=5, **options
        )
    )
    assert not take.fell
    wanted = options.get("speed", take.metrics["stride_speed_ms"])
    assert take.metrics["speed_ms"] == pytest.approx(wanted, rel=0.05)


def test_people_walk_without_any_file():
    take = poise.simulate(
        poise.scene("walk", style="human", speed=1.1, seconds=8.0, pose_noise=0.005, seed=2)
    )
    found: Any = take.metrics
    assert not take.fell and found["back_in_gait"]
    assert found["speed_ms"] == pytest.approx(1.1, rel=0.03)
    assert 0.05 <= found["width_m"] <= 0.11 and 0.0050 <= found["walk_ratio_m_min"] <= 0.0078
    assert 0.35 <= found["heel_off_share"] <= 0.5 and found["foot_force_peak_bw"] < 1.6
    assert found["work_mgd"] < 0.2 and found["hy_over_mvh"] < 0.042 and found["knock_n"] < 50.0


@pytest.mark.parametrize("speed", [1.5, 1.7])
def test_people_hurry(speed):
    take = poise.simulate(poise.scene("walk", speed=speed, seconds=8.0, pose_noise=0.005, seed=3))
    found: Any = take.metrics
    assert not take.fell and found["speed_ms"] == pytest.approx(speed, rel=0.02)
    assert found["foot_force_peak_bw"] < 1.8 and found["knock_n"] < 50.0
    neck = take.series["q"].values[300:, poise.Character.named("adult").model.joint("neck").qposadr[0] + 2]
    assert np.degrees(2 * np.abs(neck.mean())) < 5.0  # the head stays up


def test_people_change_their_speed_stop_and_set_off_again():
    session = poise.Session(poise.scene("walk", style="human", speed=0.8, seconds=60.0))
    session.command(speed=1.2, turn=17.0)
    session.step(6.0)
    take = session.recording(last=1.1)
    assert np.hypot(*take["com_velocity"].mean(axis=0)[:2]) == pytest.approx(1.2, rel=0.05)
    session.command(speed=0.0, turn=0.0)
    session.step(9.0)
    assert np.abs(session.recording(last=0.5)["com_velocity"]).max() < 0.1
    session.command(speed=0.7)
    session.step(7.0)
    take = session.recording(last=1.4)
    assert not take.fell
    assert np.hypot(*take["com_velocity"].mean(axis=0)[:2]) == pytest.approx(0.7, rel=0.08)


@pytest.mark.parametrize(
    ("body", "asked", "why"),
    [
        ("chicken", {}, "chicken has no"),
        ("adult", {"side": 0.3}, "forward"),
        ("adult", {"time": 0.4}, "time"),
    ],
)
def test_what_people_do_not_do_is_walked_plainly_and_said(body, asked, why):
    scene = poise.scene("walk", body, style="human", **asked)
    plain = poise.scene("walk", body, **asked)
    assert type(scene.behaviour) is type(plain.behaviour)
    assert any("plain style" in note and why in note for note in scene.info["notes"])


def test_strides_differ_by_the_seed_alone():
    one, other = Variety(3), Variety(4)
    drawn = [one.higher(step) for step in range(40)]
    assert (
        drawn == [Variety(3).higher(step) for step in range(40)] != [other.higher(step) for step in range(40)]
    )
    assert np.abs(drawn).max() <= 1.5 * one.lift and np.std(drawn) > 0.5 * one.lift


def test_people_also_step_aside_and_turn_on_the_spot():
    session = poise.Session(poise.scene("walk", style="human", speed=0.5, seconds=60.0))
    session.command(speed=0.0, side=0.3)
    session.step(7.0)
    assert session.recording(last=2.0)["com_velocity"].mean(axis=0)[1] == pytest.approx(0.3, abs=0.08)
    session.command(side=0.0, turn=30.0)
    session.step(3.0)
    before = session.recording(last=0.1)["soles"][-1, 2]
    session.step(2.0)
    take = session.recording(last=0.1)
    assert not take.fell and 0.5 < take["soles"][-1, 2] - before < 1.6


def test_pushed_towards_the_foot_that_has_just_landed_it_walks_on():
    """Its other foot would have to cross over: it steps twice, at once, and goes on."""
    case = trial.Case("walk", None, {"speed": 0.8}, poise.scene("walk").mass, seed=31)
    found = [trial.run(trial.draw(case, d, 0.47, k, onset_s=4.0)) for d in (90, 135) for k in range(4)]
    assert sum(not one["fell"] for one in found) >= 6


def test_what_a_walk_cannot_be_told_is_refused():
    session = poise.Session(poise.scene("walk", style="human", seconds=1.0))
    with pytest.raises(BadInput, match="jump"):
        session.command(jump=0.3)
    with pytest.raises(BadInput, match="finite"):
        session.command(side=math.nan)

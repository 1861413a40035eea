"""Life: a body that falls gets up again, by rules that say why, and the take is like any other."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import poise
from poise.behaviours.falling.stages import FALL, RISE, STATES
from poise.record.replay import verify

UP_WITHIN = 14.0  # [s] after a push, with a second of standing


def shoved(angle_deg: float, speed: float, seconds: float = 1.0 + UP_WITHIN, **options) -> poise.Scene:
    a, force = math.radians(angle_deg), 75.0 * speed / 0.1
    push = f"torso:{force * math.cos(a)},{force * math.sin(a)},0@1.0+0.1"
    return poise.scene("reactive-step", push=push, seconds=seconds, life=True, **options)


def until_up(session: poise.Session, seconds: float = UP_WITHIN) -> bool:
    """Step until the body stands after a fall."""
    life: Any = session.controller.behaviour
    while session.time < 1.0 + seconds and not session.over:
        session.step(0.1)
        if life.falls and life.up_again == life.falls:
            return True
    return False


@pytest.mark.parametrize("angle_deg", [10, 100, 190])
def test_it_gets_up_whichever_way_it_falls(angle_deg: float):
    session = poise.Session(shoved(angle_deg, 2.6), keep=1.0)
    assert until_up(session)
    session.step(1.0)
    life: Any = session.controller.behaviour
    state = session.state
    assert STATES[life.state] == "stand" and life.falls == 1
    assert float(state.ground.height_of(state.c)) > 0.9 * session.scene.character.com_rest[2]
    assert session.controller.solution.failures < 10


def test_what_a_step_can_catch_is_no_fall():
    with_life = poise.simulate(shoved(0, 0.9, seconds=3.5))
    a = poise.simulate(
        poise.scene("reactive-step", push=[with_life.info["pushes"][0]], seconds=3.5, style="plain")
    )
    assert with_life.metrics["falls"] == 0 and not with_life.fell
    np.testing.assert_array_equal(with_life["q"], a["q"])  # not even a bit of difference


def test_torques_stay_within_their_limits():
    scene = shoved(200, 2.6, seconds=9.0, strength=0.8)
    take = poise.simulate(scene)
    model = scene.character.model
    assert take.metrics["falls"] == 1
    most = 0.8 * np.abs(model.actuator_ctrlrange).max(axis=1)
    assert (np.abs(take["tau"]) <= most + 1e-6).all()


def test_it_records_what_it_does_and_why():
    take = poise.simulate(shoved(0, 2.5, seconds=9.0, roll_out=False))
    states = take["life"][:, 0].astype(int)
    order = [STATES[s] for s, before in zip(states[1:], states[:-1]) if s != before]
    assert order[:2] == ["walk", "fall"] and order[-1] in ("stand", "walk")
    assert order.index("fall") < order.index("fours") < order.index("hop") < order.index("rise")
    assert take.metrics["falls"] == take.metrics["up_again"] == 1
    down: Any = take.metrics["time_down_s"]
    assert 2.0 < down[0] < 9.0
    assert take.fell  # it has been on the ground, and says so
    assert np.isnan(take["gait"][states == FALL]).all() and np.isfinite(take["gait"][states < FALL, 0]).all()


@pytest.mark.parametrize("when", ["fall", "roll-out", "rise"])
def test_saved_in_the_middle_it_goes_on_bit_for_bit(when: str):
    session = poise.Session(shoved(0, 2.5))
    life: Any = session.controller.behaviour
    while STATES[life.state] != when:
        session.step(0.02)
    session.step(0.05)
    mark = session.save()
    session.step(1.0)
    first = session.recording()
    session.restore(mark)
    session.step(1.0)
    again = session.recording()
    for name in ("q", "v", "tau", "life"):
        np.testing.assert_array_equal(again[name], first[name])


def test_it_replays_bit_for_bit():
    scene = shoved(180, 2.5, seconds=4.0)
    assert verify(poise.simulate(scene), poise.simulate(scene)).equal


@pytest.mark.slow
def test_a_walker_walks_on():
    push = "torso:0,2000,0@3.0+0.1"
    session = poise.Session(poise.scene("walk", push=push, seconds=20, life=True), keep=1.0)
    life: Any = session.controller.behaviour
    while session.time < 17 and life.up_again == 0:
        session.step(0.1)
    session.step(3.0)
    assert life.falls == life.up_again == 1 and STATES[life.state] == "walk"
    assert float(np.linalg.norm(session.state.L[:2])) > 0.3 * session.state.m


@pytest.mark.slow
def test_a_second_push_while_it_rises():
    session = poise.Session(shoved(0, 2.5, seconds=30), keep=1.0)
    life: Any = session.controller.behaviour
    while life.state != RISE:
        session.step(0.02)
    session.push("torso", (0.0, 1200.0, 0.0))
    assert until_up(session, 26.0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(900, 912))
def test_unseen_pushes(seed: int):
    rng = np.random.default_rng(seed)
    assert until_up(poise.Session(shoved(rng.uniform(0, 360), rng.uniform(2.0, 4.0), 18.0), keep=1.0), 16.0)


@pytest.mark.parametrize("angle_deg", [45, 160, 270])
def test_a_fall_begins_while_the_trunk_is_still_upright(angle_deg: float):
    session = poise.Session(shoved(angle_deg, 2.5), keep=1.0)
    life: Any = session.controller.behaviour
    while life.falls == 0 and session.time < 2.0:
        session.step(0.01)
    assert session.time < 1.15  # the push lasts until 1.1 s
    assert life.reasons[-1] == "no step can catch it" and life.sense.lean_deg < 35

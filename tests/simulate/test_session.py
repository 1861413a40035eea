"""Session: stepped from outside it is the same take; saved and restored it goes on bit for bit."""

from __future__ import annotations

import copy
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest

import poise
from poise.errors import BadInput
from poise.worlds.ball import Ball

SAVED = {  # scene: when it is saved [s]
    "walk": 1.3,
    "reactive-step": 1.1,
    "roll-forward": 0.7,
    "balance-push": 1.05,
    "platform": 0.4,
    "anticipate": 0.5,
}
KEPT = ("q", "v", "tau", "contact_force", "cp", "angular_momentum_rate_solved")


def same(a, b, where: str = "") -> None:
    for name in KEPT:
        np.testing.assert_array_equal(a[name], b[name], err_msg=f"{where} {name}")


def test_steps_of_any_length_make_the_same_take():
    scene = poise.scene("reactive-step", seconds=1.6)
    session = poise.Session(scene)
    for seconds in (0.002, 0.5, 0.038, 1.06):
        session.step(seconds)
    assert session.time == pytest.approx(1.6)
    same(session.recording(), poise.simulate(scene))


@pytest.mark.parametrize("name", SAVED)
def test_restored_it_goes_on_bit_for_bit(name: str):
    session = poise.Session(poise.scene(name, seconds=SAVED[name] + 0.6, seed=4))
    session.step(SAVED[name])
    mark = session.save()
    session.step(0.6)
    first = session.recording()
    for _ in range(2):
        session.restore(mark)
        assert session.time == mark.time
        session.step(0.6)
        same(session.recording(), first, name)


@pytest.mark.parametrize("mode", ["fast", "paper"])
def test_restored_in_every_mode(mode: str):
    options: dict[str, Any] = {"control.mode": mode}
    session = poise.Session(poise.scene("balance-push", seconds=2.0, **options))
    session.step(1.05)
    mark = session.save()
    session.step(0.3)
    first = session.recording()
    session.restore(mark)
    session.step(0.3)
    same(session.recording(), first, mode)


def test_another_life_from_the_same_moment():
    session = poise.Session(poise.scene("stand", seconds=2.0))
    session.step(0.3)
    mark = session.save()
    session.step(0.4)
    calm = session.recording()
    session.restore(mark)
    session.push("torso", (200.0, 0.0, 0.0), 0.1)
    session.step(0.4)
    shoved = session.recording()
    assert shoved["com_velocity"][:, 0].max() > calm["com_velocity"][:, 0].max() + 0.1
    session.restore(mark)
    session.step(0.4)
    same(session.recording(), calm)


def test_a_push_now_is_the_push_of_a_scene():
    session = poise.Session(poise.scene("stand", seconds=1.0))
    session.step(0.4)
    session.push("torso", (150.0, 0.0, 0.0), 0.1)
    session.step(0.6)
    scene = poise.scene("stand", push="torso:150,0,0@0.4+0.1", seconds=1.0)
    same(session.recording(), poise.simulate(scene))
    assert session.recording().info["pushes"][0].startswith("torso:150.0,0.0,0.0@0.4")


def test_a_pull_draws_and_lets_go():
    session = poise.Session(poise.scene("stand", seconds=3.0))
    session.step(0.2)
    x = session.state.place("hand_l", (0, 0, 0)).copy()
    session.pull("hand_l", (x[0] + 0.15, x[1], x[2] + 0.1))
    session.step(0.8)
    drawn = session.state.place("hand_l", (0, 0, 0)).copy()
    assert np.linalg.norm(drawn - x) > 0.03
    session.release("hand_l")
    session.step(0.01)
    assert not session.arena.data.xfrc_applied.any()


def test_a_pull_tells_how_hard_it_draws_and_by_what():
    session = poise.Session(poise.scene("stand", seconds=3.0))
    session.step(0.2)
    session.pull("torso", (0.5, 0.0, 1.5), stiffness=300.0, strongest=80.0, at=(0.0, 0.0, 0.1))
    (pull,) = session.pulls
    held = session.state.place("torso", (0.0, 0.0, 0.1))
    np.testing.assert_allclose(pull.point, held)
    np.testing.assert_allclose(pull.target, (0.5, 0.0, 1.5))
    assert np.linalg.norm(pull.force) == pytest.approx(80.0)
    session.step()
    assert np.linalg.norm(session.arena.data.xfrc_applied[:, :3]) == pytest.approx(80.0)
    session.release("torso")
    assert session.pulls == []


def test_forward_again_to_what_was_recorded():
    session = poise.Session(poise.scene("walk", seconds=3.0))
    session.step(0.5)
    early = session.save()
    session.step(0.7)
    late = session.save()
    session.step(0.3)
    whole = session.recording()
    session.restore(early)
    assert len(session.recording()) == 51
    session.restore(late)
    session.step(0.3)
    same(session.recording(), whole)
    session.restore(early)
    session.push("torso", (120.0, 0.0, 0.0), 0.1)
    session.step(0.2)
    session.restore(late)  # of the other life: what this one recorded stays, the rest is gone
    assert session.recording().time[-1] == pytest.approx(0.7)


def test_a_ball_is_thrown_again_and_again():
    world = poise.scene("stand", seconds=2.0).world
    balls = (Ball((-30.0, 0.0, 0.11), (0.0, 0.0, 0.0), 1.0),)
    scene = replace(poise.scene("stand", seconds=2.0), world=replace(world, balls=balls))
    session = poise.Session(scene)
    session.step(0.3)
    mark = session.save()
    for _ in range(2):
        session.throw((1.5, 0.0, 1.3), (-7.0, 0.0, 0.5))
        session.step(0.5)
    first = session.recording()
    assert first["impact"].sum(axis=1)[-1] > 2.0
    session.restore(mark)
    for _ in range(2):
        session.throw((1.5, 0.0, 1.3), (-7.0, 0.0, 0.5))
        session.step(0.5)
    same(session.recording(), first)
    with pytest.raises(BadInput, match="ball 1 not found"):
        session.throw((1.0, 0.0, 1.0), (0.0, 0.0, 0.0), ball=1)
    with pytest.raises(BadInput, match="finite"):
        session.throw((np.nan, 0.0, 1.0), (0.0, 0.0, 0.0))


def test_another_behaviour_takes_over_and_is_taken_back():
    session = poise.Session(poise.scene("roam", seconds=6.0))
    session.step(0.3)
    mark = session.save()
    session.command(speed=0.5)
    session.step(2.0)
    session.command(speed=0.0)
    session.step(2.0)
    walked = session.recording()
    session.behave(cast(Any, poise.scene("squat").behaviour))
    session.step(1.5)
    assert not session.fell and session.state.c[2] < 0.93 * walked["com"][0, 2]
    assert np.isnan(session.row["xi"]).all()
    session.behave(cast(Any, poise.scene("roam").behaviour))
    session.step(1.0)
    assert not session.fell and np.isfinite(session.row["xi"]).all()
    session.restore(mark)
    session.command(speed=0.5)
    session.step(2.0)
    session.command(speed=0.0)
    session.step(2.0)
    same(session.recording(), walked)


def test_the_ground_is_tilted_underfoot():
    session = poise.Session(poise.scene("platform", ride="still", seconds=3.0))
    session.step(0.2)
    session.move_ground("roll", 0.1, 0.6)
    session.step(1.5)
    assert 2 * np.arcsin(session.row["ground"][4]) == pytest.approx(0.1, abs=0.005)
    assert not session.fell and session.status.word == "standing"
    with pytest.raises(BadInput, match="'yaw' not found"):
        session.move_ground("yaw", 0.1)
    with pytest.raises(BadInput, match="finite"):
        session.move_ground("x", np.inf)
    with pytest.raises(BadInput, match="is fixed"):
        poise.Session(poise.scene("stand", seconds=1.0)).move_ground("x", 0.1)


def test_a_walk_obeys_commands():
    session = poise.Session(poise.scene("walk", seconds=1.0, speed=0.4))
    session.step(3.0)
    session.command(speed=0.9)
    session.step(4.0)
    fast = session.recording(last=1.0)["com_velocity"][:, 0].mean()
    session.command(speed=0.0)
    session.step(4.0)
    still = abs(session.recording(last=0.5)["com_velocity"][:, 0].mean())
    assert fast == pytest.approx(0.9, abs=0.1) and still < 0.05 and not session.fell
    with pytest.raises(BadInput, match="'jump' not found"):
        session.command(jump=1.0)


def test_only_the_last_seconds_are_kept():
    session = poise.Session(poise.scene("stand", seconds=1.0), keep=0.5)
    session.step(2.0)
    take = session.recording(last=0.4)
    assert len(take) == 40 and take.time[-1] == pytest.approx(2.0)
    assert len(session.recording()) <= 110


def test_a_scene_stays_as_it_was_made():
    scene = poise.scene("walk", seconds=0.5)
    before = copy.deepcopy(vars(scene.behaviour))
    poise.simulate(scene)
    assert vars(scene.behaviour).keys() == before.keys()


def test_a_scene_can_be_given_to_two_threads():
    scene = poise.scene("walk", seconds=1.0, seed=2)
    alone = poise.simulate(scene)
    with ThreadPoolExecutor(2) as pool:
        takes = list(pool.map(lambda _: poise.simulate(scene), range(4)))
    for take in takes:
        same(take, alone)


def test_bad_calls_are_refused():
    session = poise.Session(poise.scene("stand", seconds=1.0))
    with pytest.raises(BadInput, match="body 'toe' not found"):
        session.push("toe", (1.0, 0.0, 0.0))
    with pytest.raises(BadInput, match="from zero on"):
        session.step(-1.0)
    with pytest.raises(BadInput, match="finite"):
        session.pull("head", (np.nan, 0.0, 0.0))
    with pytest.raises(BadInput, match="command of a balance 'speed' not found"):
        session.command(speed=1.0)
    with pytest.raises(BadInput, match="ahead = 3"):
        session.command(ahead=3.0)
    with pytest.raises(BadInput, match="takes no command"):
        poise.Session(poise.scene("reactive-step")).command(speed=1.0)
    with pytest.raises(BadInput, match="without physics"):
        poise.Session(poise.scene("turn-step"))


def test_a_hand_leans_and_is_taken_away():
    session = poise.Session(poise.scene("stand", seconds=3.0))
    session.step(0.2)
    session.lean("torso", (40.0, 0.0, -20.0), (0.1, 0.0, 0.1))
    session.step(0.05)
    (hand,) = session.pulls
    assert 0.0 < np.linalg.norm(hand.force) < 30.0 and np.isnan(hand.target).all()  # it comes on smoothly
    session.step(0.8)
    np.testing.assert_allclose(session.pulls[0].force, (40.0, 0.0, -20.0))
    assert session.row["cp"][0] > session.row["com"][0] + 0.02 and not session.fell  # it leans back on it
    session.release("torso")
    assert session.pulls == []
    with pytest.raises(BadInput, match="finite"):
        session.lean("torso", (np.inf, 0.0, 0.0))


def test_conditions_act_at_once_and_are_taken_back():
    session = poise.Session(poise.scene("stand", seconds=3.0))
    session.step(0.3)
    mark = session.save()
    session.adjust(friction=0.2, strength=0.5, delay=0.01)
    session.push("torso", (120.0, 0.0, 0.0), 0.1)
    session.step(0.5)
    first = session.recording()
    assert session.arena.model.geom("ground").friction[0] == 0.2
    session.restore(mark)
    assert vars(session.conditions) == {"friction": 0.8, "strength": 1.0, "delay": 0.0}
    assert session.arena.model.geom("ground").friction[0] == 0.8
    session.push("torso", (120.0, 0.0, 0.0), 0.1)
    session.step(0.5)
    usual = session.recording()
    assert not np.array_equal(usual["tau"], first["tau"])
    session.restore(mark)
    session.adjust(friction=0.2, strength=0.5, delay=0.01)
    session.push("torso", (120.0, 0.0, 0.0), 0.1)
    session.step(0.5)
    same(session.recording(), first)
    with pytest.raises(BadInput, match="friction"):
        session.adjust(friction=-1.0)
    fixed = poise.Session(poise.scene("stand", seconds=1.0, contact="penalty"))
    with pytest.raises(BadInput, match="keeps its friction"):
        fixed.adjust(friction=0.5)


def test_what_is_adjusted_is_what_a_scene_has():
    session = poise.Session(poise.scene("balance-push", seconds=1.6))
    session.adjust(friction=0.5)
    session.behave(cast(Any, poise.scene("balance-push", friction=0.5).behaviour))
    session.step(1.6)
    other = poise.simulate(poise.scene("balance-push", seconds=1.6, friction=0.5))
    assert np.abs(session.recording()["com"] - other["com"]).max() < 2e-3


def test_late_torques_are_those_found_before():
    session = poise.Session(poise.scene("stand", seconds=2.0))
    session.step(0.2)
    session.adjust(delay=0.02)
    found = []
    for _ in range(25):
        found.append(session.controller.solution.tau[6:].copy())
        session.step()
    np.testing.assert_array_equal(session.arena.data.ctrl, found[-10])


def test_a_behaviour_that_ends_hands_over():
    ends, then = poise.scene("stand", seconds=1.0).behaviour, poise.scene("squat").behaviour
    session = poise.Session(poise.scene("roam", seconds=3.0))
    session.behave(cast(Any, ends), then=cast(Any, then))
    session.step(0.1)
    mark = session.save()
    session.controller.behaviour.done = True
    session.step(0.1)
    assert not session.over and type(session.controller.behaviour) is type(then)
    session.restore(mark)
    session.controller.behaviour.done = True
    session.step(0.1)
    assert session.controller.behaviour.clip is not None and session._then == []  # type: ignore[attr-defined]


def test_what_is_seen_of_it():
    session = poise.Session(poise.scene("walk", seconds=3.0))
    session.step(2.0)
    places, rotations = session.places
    assert session.bodies[1] == "pelvis" and places.shape == (len(session.bodies), 3)
    followed = session.reference
    assert followed is not None and followed[0].shape == places.shape and followed[1].shape == rotations.shape
    assert session.spin in ("ZS", "NZS") and session.lies is False and session.pushes == ()
    np.testing.assert_allclose(session.capture_point, session.row["xi"], atol=0.1)
    take = session.recording(part=(0.5, 1.0))
    assert take.time[0] == pytest.approx(0.5) and take.time[-1] == pytest.approx(1.0)

"""The act: any moment can be lived again bit for bit, touched differently, and compared with what was."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import poise
from poise.errors import BadInput
from poise.scenes import SCENES, repertoire
from poise.simulate.scene import Performance
from poise.stage import house
from poise.stage.act import KEPT, KEY, Act, with_balls
from poise.stage.house import Play

KEPT_SERIES = ("q", "v", "tau", "contact_force", "cp", "angular_momentum_rate_solved")
SHOVE: dict[str, Any] = {"body": "torso", "force": (200.0, 60.0, 0.0), "seconds": 0.1}
PULL: dict[str, Any] = {
    "body": "torso", "to": (0.4, 0.1, 1.3), "at": (0.0, 0.0, 0.1), "stiffness": 500.0, "most": 200.0,
}  # fmt: skip
THROW: dict[str, Any] = {"place": (2.0, 0.0, 1.4), "velocity": (-8.0, 0.0, 1.0), "ball": 1}


def go(act: Act, seconds: float) -> None:
    act.advance(round(seconds / act.dt))


def state(act: Act) -> bytes:
    session = act.session
    return b"".join(
        a.tobytes()
        for a in (*session.places, session.state.q, session.state.v, session.row["tau"], session.state.f)
    )


def lively(act: Act) -> None:
    """Some of everything."""
    go(act, 0.4)
    act.do("shove", SHOVE)
    go(act, 0.9)
    act.do("pull", PULL)
    go(act, 0.3)
    act.do("pull", PULL | {"to": (0.5, -0.2, 1.2)})
    go(act, 0.3)
    act.do("release", {"body": "torso"})
    act.do("lean", {"body": "chest", "force": (-50.0, 10.0, -30.0), "at": (0.05, 0.1, 0.1)})
    go(act, 0.3)
    act.do("release", {"body": "chest"})
    act.do("adjust", {"friction": 0.5, "strength": 0.9, "delay": 0.004})
    act.do("command", {"wishes": {"speed": 0.6, "turn": 20.0}})
    go(act, 1.0)
    act.do("throw", THROW)
    go(act, 0.7)
    act.do("command", {"wishes": {"speed": 0.0, "turn": 0.0}})
    act.do("behave", {"name": "stand", "arms": 0.1, "angular": True})
    go(act, 0.4)


def test_every_moment_is_found_again_bit_for_bit(play: Play):
    act = play.act
    seen: dict[float, bytes] = {}
    lively(act)
    full = act.recording()
    for time in (3.3, 0.7, 2.116, 0.0, 1.6, 3.9):
        act.seek(time)
        assert act.session.time == pytest.approx(time)
        seen[time] = state(act)
    for time in (2.116, 3.9, 0.7):
        act.seek(time)
        assert state(act) == seen[time]
    act.seek(act.newest)
    assert act.session.conditions.friction == 0.5
    again = act.recording()
    for name in KEPT_SERIES:
        np.testing.assert_array_equal(again[name], full[name], err_msg=name)
    np.testing.assert_array_equal(again.time, full.time)


def test_untouched_the_old_future_comes_again(play: Play):
    act = play.act
    lively(act)
    end = state(act)
    steps = act.session.steps
    act.seek(1.0)
    assert act.newest == pytest.approx(steps * act.dt)
    act.advance(steps - act.session.steps)
    assert state(act) == end


def test_touched_it_is_another_life_and_the_old_one_a_ghost(play: Play):
    act = play.act
    act.keep_poses(b"start")
    go(act, 1.0)
    act.keep_poses(b"calm")
    calm = state(act)
    act.seek(0.5)
    act.do("shove", SHOVE)
    assert act.newest == pytest.approx(0.5)
    go(act, 0.5)
    assert state(act) != calm
    assert act.ghost[act.tick] == b"calm"
    act.seek(0.5)
    assert len(act.recording()) == 51


def test_a_branch_leaves_no_hole_in_the_recording(play: Play):
    act = play.act
    go(act, 2.5)
    act.seek(0.8)
    act.do("shove", SHOVE)
    go(act, 1.0)
    take = act.recording()
    np.testing.assert_allclose(np.diff(take.time), 0.01, atol=1e-9)
    assert take.time[-1] == pytest.approx(1.8)


def test_an_input_at_the_very_moment_that_is_gone_to_is_dropped_by_another(play: Play):
    act = play.act
    go(act, 0.5)
    act.do("shove", SHOVE)
    act.seek(0.5)
    act.do("shove", SHOVE | {"force": (0.0, 1.0, 0.0)})
    assert len(act.inputs) == 1
    go(act, 0.3)
    assert abs(act.session.row["com_velocity"][0]) < 0.01


def test_a_marked_part_may_lie_ahead(play: Play):
    act = play.act
    go(act, 1.0)
    act.do("shove", SHOVE)
    go(act, 1.0)
    act.seek(0.5)
    here = state(act)
    take = act.recording(part=(0.8, 1.6))
    assert (take.time[0], take.time[-1]) == pytest.approx((0.8, 1.6)) and take["com_velocity"][
        :, 0
    ].max() > 0.1
    assert state(act) == here and act.newest == pytest.approx(2.0)


def test_every_behaviour_takes_over_and_is_lived_again(play: Play):
    act = play.act
    go(act, 0.2)
    for name in repertoire.ACTS:
        act.do(
            "behave", {"name": name, "arms": 0.1, "angular": True, "heading": 30.0, "dodge": name == "roam"}
        )
        go(act, 0.15)
    end, time = state(act), act.session.time
    act.seek(0.1)
    act.seek(time)
    assert state(act) == end


def test_what_it_is_told_stands_in_the_menu_of_a_page(play: Play):
    for name in repertoire.ACTS:
        assert f'"{name}":' in play.page
    with pytest.raises(BadInput, match="clip 'x' not found"):
        play.act.do("behave", {"name": "follow", "clip": "x"})


def test_again_is_the_start(play: Play):
    act = play.act
    first = state(act)
    lively(act)
    act.again()
    assert state(act) == first and act.session.time == 0.0 and act.newest == 0.0


def test_the_past_is_kept_for_a_while_only(play: Play, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("poise.stage.act.KEPT", 4.0)
    act = play.act
    for _ in range(9):
        go(act, 1.0)
    assert act.oldest == pytest.approx(5.0) and len(act.keys) <= 4.0 / KEY + 1
    act.seek(0.0)
    assert act.session.time == pytest.approx(5.0)
    assert KEPT == 60.0


@pytest.mark.parametrize(
    ("kind", "fields", "what"),
    [
        ("shove", SHOVE | {"body": "wing"}, "body 'wing' not found"),
        ("command", {"wishes": {"fly": 1.0}}, "'fly' not found"),
        ("behave", {"name": "fly", "arms": 0.1, "angular": True}, "behaviour 'fly' not found"),
        ("lean", {"body": "wing", "force": (1.0, 0.0, 0.0), "at": (0.0, 0.0, 0.0)}, "body 'wing' not found"),
        ("throw", THROW | {"ball": 9}, "ball 9 not found"),
    ],
)
def test_what_cannot_be_done_is_refused_and_not_noted(play: Play, kind: str, fields: dict, what: str):
    with pytest.raises(BadInput, match=what):
        play.act.do(kind, fields)
    assert play.act.inputs == []


def test_a_thrown_ball_meets_the_body(play: Play):
    act = play.act
    go(act, 0.2)
    act.do("throw", {"place": (2.5, 0.0, 1.2), "velocity": (-9.0, 0.0, 1.4), "ball": 1})
    go(act, 0.6)
    assert act.session.row["impact"].sum() > 5.0


@pytest.mark.slow
@pytest.mark.parametrize("name", SCENES)
def test_every_scene_with_a_behaviour_can_be_rewound(name: str):
    scene = house.scene_of(name)
    if isinstance(scene.behaviour, Performance):
        assert name not in house.stageable()
        return
    act = Act(with_balls(scene))
    body = act.scene.character.trunk
    go(act, 0.4)
    act.do("shove", {"body": body, "force": (60.0, 20.0, 0.0), "seconds": 0.1})
    go(act, 0.8)
    end = state(act)
    for back in (0.1, 0.55, 0.9):
        act.seek(back)
        act.seek(1.2)
        assert state(act) == end


def test_the_command_line_gives_the_same_take(play: Play):
    act = play.act
    go(act, 0.4)
    act.do("shove", SHOVE)
    go(act, 0.9)
    line = house.command_line(act).split()
    assert line[:5] == ["poise", "run", "roam", "--character", "adult"]
    options = dict(pair.split("=") for flag, pair in pairwise(line) if flag == "--set")
    assert options == {"life": "on"}
    push = line[line.index("--push") + 1]
    again = poise.simulate(poise.scene("roam", "adult", push=push, seconds=1.3, life=True))
    # but for rounding: here the world has balls too
    np.testing.assert_allclose(act.recording()["com"], again["com"], atol=1e-5)

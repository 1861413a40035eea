"""Scenes of a body that falls and gets up."""

from __future__ import annotations

import math
from typing import Any

import pytest

import poise
from mocap import need
from poise.behaviours.balance.balance import Balance
from poise.errors import BadInput
from poise.scenes.stepping import REACTION


@pytest.mark.parametrize("how", ["supine", "left"])
def test_it_gets_up_from_however_it_lies(how: str):
    take = poise.simulate(poise.scene("get-up", pose=how, seed=5, seconds=10.0))
    assert take.metrics["up_again"] == 1 and take.metrics["state_final"] == "stand"
    assert not take.fell  # it began on the ground


def test_life_draws_its_shoves_from_the_seed():
    one, same, other = (poise.scene("life", seconds=60, seed=s).world.pushes for s in (1, 1, 2))
    assert one == same and one != other and len(one) >= 3
    assert all(p.start < 60 for p in one)


def test_life_throws_the_same_balls_whoever_pushes():
    drawn = poise.scene("life", seconds=30, seed=4).world
    given = poise.scene("life", push=drawn.pushes, seconds=30, seed=4).world
    assert given.balls == drawn.balls and given.pushes == drawn.pushes


def test_life_takes_pushes_and_no_balls():
    scene = poise.scene("life", push="torso:0,2500,0@1.0+0.1", balls=0, seconds=3.0)
    take = poise.simulate(scene)
    assert take.metrics["falls"] == 1 and len(scene.world.balls) == 0
    found: Any = take.metrics
    assert found["damage_ns"][0] >= 0.0 and found["hips_ns"][0] > 0.0


def test_a_ball_of_life_meets_the_body():
    take = poise.simulate(poise.scene("life", push=[], seconds=2.5, seed=3))
    assert take["impact"][-1].sum() > 1.0


def test_a_quiet_life_stands_where_it_is():
    take = poise.simulate(poise.scene("life", walk=False, shoves=False, balls=0, seconds=5.0))
    assert not take.info["pushes"] and take.metrics["falls"] == 0
    assert abs(take["com"][-1, :2] - take["com"][0, :2]).max() < 0.02


def test_a_life_that_follows_wants_a_clip():
    with pytest.raises(BadInput, match="--motion"):
        poise.scene("life", follow=True)


def test_a_life_follows_a_clip():
    (clip,) = need("bvh/69_20.bvh")
    scene = poise.scene("life", motion=clip, balls=0, shoves=False, seconds=2.0)
    take = poise.simulate(scene)
    assert "clip" in take and take.metrics["falls"] == 0


def test_a_standing_scene_lives_too():
    push = "torso:0,1500,0@0.5+0.1"
    take = poise.simulate(poise.scene("stand", push=push, life=True, seconds=10.0))
    assert take.metrics["up_again"] == 1 and take.metrics["state_final"] == "stand"
    with pytest.raises(BadInput, match="penalty"):
        poise.scene("stand", life=True, contact="penalty")


def test_style_is_rest_and_reaction_at_once():
    made = {style: poise.scene("balance-push", style=style).behaviour for style in ("human", "plain")}
    human, plain = made["human"], made["plain"]
    assert isinstance(human, Balance) and isinstance(plain, Balance)
    assert human.idle is not None and human.reaction == REACTION
    assert plain.idle is None and plain.reaction == 0.0


def test_words_and_numbers_are_checked():
    with pytest.raises(BadInput, match="pose"):
        poise.scene("get-up", pose="upside")
    with pytest.raises(BadInput, match="strength"):
        poise.scene("get-up", strength=3.0)


def test_a_body_without_arms_says_that_it_cannot():
    with pytest.raises(BadInput, match="shoulder_l"):
        poise.simulate(poise.scene("reactive-step", "heavy-leg", life=True, seconds=0.1))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(700, 710))
def test_lying_anyhow(seed: int):
    take = poise.simulate(poise.scene("get-up", seed=seed, seconds=16.0))
    assert take.metrics["up_again"] == 1


@pytest.mark.slow
@pytest.mark.parametrize("seed", [700, 701])
def test_a_minute_of_life(seed: int):
    take = poise.simulate(poise.scene("life", seconds=60.0, seed=seed))
    found: Any = take.metrics
    assert found["falls"] - found["up_again"] <= 1 and max(found["time_down_s"], default=0.0) < 15.0
    assert math.isfinite(found["torque_peak_nm"]) and take.time[-1] > 59.9


def test_while_it_stands_it_steps_to_stay_up():
    take = poise.simulate(poise.scene("life", push="torso:600,0,0@1.0+0.1", balls=0, seconds=3.0))
    assert take.metrics["falls"] == 0 and take.steps >= 1

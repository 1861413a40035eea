"""Every example stands on its feet within its limits, and mirror images are mirror images."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from poise.behaviours.anticipation.arms import Arms
from poise.behaviours.anticipation.moves import HANDS, KINDS, MOVES, Move, for_sight, key_pose, towards
from poise.behaviours.anticipation.reaction import Reaction
from poise.behaviours.anticipation.threat import Threat, sight_of
from poise.character import Character
from poise.dynamics.limits import beyond
from poise.errors import BadInput
from poise.motion.feet import skate
from poise.motion.mirror import mirror_pose


@cache
def body() -> Character:
    return Character.named("adult")


def test_eight_directions_four_heights_mild_and_strong_mirrored():
    assert len(MOVES) == len(set(MOVES)) == 80
    assert {m.direction for m in MOVES} == {0, 45, 90, 135, 180, -45, -90, -135}
    assert {(m.zone, m.strength) for m in MOVES} == set(KINDS) and len(KINDS) == 8
    assert {m.kind for m in MOVES} == {"block", "crouch", "duck", "lean", "lift", "shift"}


@pytest.mark.parametrize("move", MOVES[::7], ids=lambda m: m.name)
def test_key_poses_stand_within_limits(move: Move):
    q = key_pose(body(), move)
    assert beyond(body(), q) < 0.02
    data = body().posed(q)
    for support in body().supports:
        low = (data.body(support.body).xpos + support.points @ data.body(support.body).xmat.reshape(3, 3).T)[
            :, 2
        ]
        assert (low.min() > 0.1) if support.name == move.lifted else np.allclose(low, 0, atol=2e-3)


def test_mirror_images():
    left, right = Move("trunk", "strong", 45), Move("trunk", "strong", -45, -1)
    np.testing.assert_allclose(key_pose(body(), right), mirror_pose(body(), key_pose(body(), left)))


def test_a_duck_is_low_and_a_lean_is_aside():
    rest = body().posed(body().q_rest).body("head").xpos
    duck = body().posed(key_pose(body(), Move("head", "strong", 0))).body("head").xpos
    lean = body().posed(key_pose(body(), Move("trunk", "strong", 0))).body("head").xpos
    assert duck[2] < rest[2] - 0.35 and lean[1] < rest[1] - 0.25


@pytest.mark.parametrize("bearing", [0, 22, 23, 90, 179, -179, -91])
def test_the_nearest_direction_is_taken(bearing):
    near = towards("head", "mild", bearing, 1)
    assert abs((near.direction - bearing + 180) % 360 - 180) <= 22.5 and near in MOVES


def test_ahead_and_behind_the_side_is_away_from_the_ball():
    assert for_sight("legs", "mild", sight_of(Threat(0, 0.4, -0.1))).lifted == "foot_l"
    assert for_sight("legs", "mild", sight_of(Threat(0, 0.4, 0.1))).lifted == "foot_r"
    assert for_sight("legs", "mild", sight_of(Threat(180, 0.4, 0.1))).lifted == "foot_l"


def test_unknown_examples_are_refused():
    with pytest.raises(BadInput, match="example"):
        towards("tail", "mild", 0, 1)


def test_hands_meet_the_ball_where_they_can():
    arms, sight = Arms(body()), sight_of(Threat(10, 1.25))
    pose, ahead = arms.meet(
        key_pose(body(), Move("trunk", "mild", 0)), sight, np.zeros(2), 0.0, HANDS["trunk"]
    )
    goal = sight.point(ahead, np.zeros(2), 0.0)
    data = body().posed(pose)
    palms = [
        data.body(f"hand_{s}").xpos + data.body(f"hand_{s}").xmat.reshape(3, 3) @ [0.003, 0, -0.09]
        for s in "lr"
    ]
    assert ahead > 0.3 and min(np.linalg.norm(p - goal) for p in palms) < 0.07
    assert arms.meet(pose, sight_of(Threat(0, 0.1)), np.zeros(2), 0.0, (-1.0, 0.0))[1] == 0.0


@pytest.mark.parametrize("move", [Move("head", "strong", 0), Move("legs", "mild", 0)], ids=["duck", "lift"])
def test_the_way_keeps_the_soles_in_place(move):
    clip = Reaction(body()).clip(key_pose(body(), move), 0.35, 0.8, move.lifted)
    feet = skate(clip)
    assert feet.slide_m < 5e-3 and feet.sink_m < 5e-3
    np.testing.assert_allclose(clip.q[-1, 7:], body().q_rest[7:], atol=0.02)

"""Captured movements as examples: found in a clip, timed to the ball, on the feet of the body that uses them."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from poise.behaviours.anticipation.clips import Example, example_from
from poise.behaviours.anticipation.moves import Move, key_pose
from poise.behaviours.anticipation.reaction import Reaction
from poise.character import Character
from poise.errors import BadInput
from poise.geometry import quat
from poise.motion.clip import Clip
from poise.motion.coordinates import between
from poise.motion.feet import skate

RISE = 0.4  # [s] of the made clip, from 2.0 s on


@cache
def body() -> Character:
    return Character.named("adult")


@cache
def example() -> Example:
    """A duck that begins at 2 s and is held, seen from a person who faces left and stands elsewhere."""
    times, duck = np.linspace(0.0, 4.0, 241), key_pose(body(), Move("head", "strong", 0))
    shares = np.clip((times - 2.0) / RISE, 0.0, 1.0)
    poses = np.array([between(body().model, np.array(body().q_rest), duck, x) for x in shares])
    left = quat.from_rotvec(np.array([0.0, 0.0, np.pi / 2]))
    poses[:, 3:7] = quat.multiply(left, poses[:, 3:7])
    poses[:, :2] = [3.0, -1.0]
    return example_from(Clip(body(), times, poses), body())


def test_the_movement_is_found():
    assert 2.0 < example().begin < 2.0 + 0.35 * RISE
    assert 0.5 * RISE < example().reached < 0.9 * RISE
    np.testing.assert_allclose(example().at(0.0)[3:7], body().q_rest[3:7], atol=0.25)  # faces ahead


def test_it_is_timed_and_stands_where_the_body_does():
    reaction = Reaction(body())
    clip = reaction.played(example(), 0.3, 0.8)
    feet, head = skate(clip), [body().posed(clip.at(t)).body("head").xpos[2] for t in (0.0, 0.3, 0.8, 1.7)]
    assert feet.slide_m < 5e-3 and feet.sink_m < 5e-3
    assert head[1] < head[0] - 0.25 and head[2] < head[0] - 0.25
    np.testing.assert_allclose(clip.q[[0, -1], 7:], np.tile(body().q_rest[7:], (2, 1)), atol=0.02)


def test_a_time_outside_the_clip_is_refused():
    with pytest.raises(BadInput, match="option motion"):
        example_from(example().clip, body(), 9.0)

"""The reference motions are what they are called, within limits, on flat feet, and balanced."""

from functools import cache

import numpy as np
import pytest

from poise.character.character import Character
from poise.dynamics.limits import beyond
from poise.errors import BadInput
from poise.geometry import polygon, quat
from poise.motion import library
from poise.motion.plant import rest_places, support_polygon

ADULT, INSECT = Character.named("adult"), Character.named("insectoid")
MOTIONS = {
    "butterfly": lambda: library.butterfly(ADULT),
    "butterfly_one_leg": lambda: library.butterfly_one_leg(ADULT, cycles=1),
    "squat": lambda: library.squat(ADULT),
    "side_kick": lambda: library.side_kick(ADULT, duration=4.0),
    "side_kick_r": lambda: library.side_kick(ADULT, side="r"),
    "twist": lambda: library.twist(INSECT),
}
MARGIN = 0.02  # [m] of the CM within the support
STEP = 1 / 47  # [s] not a divisor of the frame rate: looks between frames as well


@cache
def motion(name):
    return MOTIONS[name]()


def times(clip):
    return np.arange(clip.start, clip.end, STEP)


@pytest.mark.parametrize("name", MOTIONS)
def test_planted_balanced_and_within_limits(name):
    clip = motion(name)
    body, rest = clip.character, rest_places(clip.character)
    for t in times(clip):
        q, v, v_dot = clip.sample(t)
        posed = body.posed(q)
        down = [s for s in body.stance if clip.on_ground(s, t)]
        for s in down:
            assert np.abs(posed.body(s).xpos - rest[s][0]).max() < 1e-3
            assert np.linalg.norm(quat.difference(posed.body(s).xquat, rest[s][1])) < np.radians(0.5)
        for s in set(body.stance) - set(down):
            sole = posed.body(s).xpos + quat.rotate(posed.body(s).xquat, body.support(s).points)
            assert sole[:, 2].min() > -1e-4
        assert polygon.signed_distance(support_polygon(body, down), posed.subtree_com[1][:2]) < -MARGIN
        assert beyond(body, q) < 1e-6
        assert all(posed.contact.dist[: posed.ncon] > 0), "limbs pass through one another"
        assert np.abs(v[6:]).max() < 15 and np.abs(v_dot[6:]).max() < 150


@pytest.mark.parametrize("name", MOTIONS)
def test_starts_standing(name):
    clip = motion(name)
    assert all(clip.on_ground(s, clip.start) and clip.on_ground(s, clip.end) for s in clip.character.stance)
    if clip.loop:
        assert np.array_equal(clip.q[0], clip.q[-1])
    else:
        assert np.abs(clip.velocity(clip.start + 1e-6)).max() < 0.1


def test_squat_goes_down():
    clip = motion("squat")
    height = np.array([clip.at(t)[2] for t in times(clip)])
    assert np.isclose(height.max() - height.min(), 0.3, atol=0.01)
    assert np.ptp([library.squat(ADULT, depth=0.4).at(t)[2] for t in (0, 1.25)]) > 0.39


@pytest.mark.parametrize(
    ("name", "foot", "left"), [("side_kick", "foot_l", 1), ("side_kick_r", "foot_r", -1)]
)
def test_kick_reaches_hip_height(name, foot, left):
    clip = motion(name)
    soles = [ADULT.posed(clip.at(t)).body(foot).xpos.copy() for t in times(clip)]
    highest = soles[int(np.argmax([p[2] for p in soles]))]
    assert highest[2] > ADULT.q_rest[2] and left * highest[1] > 0.7
    air = [t for t in times(clip) if not clip.on_ground(foot, t)]
    assert 0.3 < (air[-1] - air[0]) / clip.seconds < 0.8


def test_butterfly_opens_and_closes():
    clip = motion("butterfly")
    apart = [np.ptp([ADULT.posed(clip.at(t)).body(f"hand_{s}").xpos[1] for s in "lr"]) for t in times(clip)]
    heights = [ADULT.posed(clip.at(t)).body("hand_l").xpos[2] for t in times(clip)]
    assert max(apart) > 1.3 and min(apart) < 0.45 and np.ptp(heights) < 0.2


def test_twist_turns_the_chest():
    clip = motion("twist")
    turn = [quat.swing_twist(INSECT.posed(clip.at(t)).body("chest").xquat)[1] for t in times(clip)]
    assert max(turn) > np.radians(25) and min(turn) < -np.radians(25)


def test_refuses():
    with pytest.raises(BadInput, match=r"side 'left' not found.*l, r"):
        library.side_kick(ADULT, side="left")
    with pytest.raises(BadInput, match="squat depth -1"):
        library.squat(ADULT, depth=-1)

"""Steps land where they should, on soles that do not slide, with joints inside their limits."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poise.behaviours.example_steps import compare, database
from poise.behaviours.example_steps.compose import joined, onto, placed, settled
from poise.behaviours.example_steps.legs import TwoLegs
from poise.behaviours.example_steps.step import print_of
from poise.behaviours.example_steps.stepping import Goal, Walker
from poise.character import Character
from poise.dynamics.limits import beyond
from poise.errors import BadInput
from poise.motion.clip import Clip
from poise.motion.feet import skate


@cache
def body() -> Character:
    return Character.named("adult")


@cache
def walker() -> Walker:
    return Walker(body(), database.default(body()))


def goal(swing: int = 0, x: float = 0.25, y: float = 0.12, turn: float = 0.2, seconds: float = 1.2) -> Goal:
    return Goal(swing, np.array([x, y if swing == 0 else -y, turn if swing == 0 else -turn]), seconds)


@settings(max_examples=6, deadline=None)
@given(
    st.integers(0, 1), st.floats(-0.3, 0.4), st.floats(0.09, 0.35), st.floats(-0.3, 0.5), st.floats(0.8, 2.0)
)
def test_any_step_lands_and_stays(swing, x, y, turn, seconds):
    made = walker().step(body().q_rest, goal(swing, x, y, turn, seconds))
    feet = skate(made.clip)
    assert made.landing_error < 1e-3 and made.notes == []
    assert feet.slide_m < 1e-3 and feet.sink_m < 1e-3 and feet.tilt_deg < 0.1
    assert max(beyond(body(), q) for q in made.clip.q[::5]) < 2e-3


def test_centre_of_mass_follows_its_path():
    made = walker().step(body().q_rest, goal())
    com = np.array([walker().legs.com(q)[:2] for q in made.clip.q])
    assert np.abs(com - made.com).max() < 1e-3
    assert com[:, 1].min() < -0.03  # over to the support foot


def test_step_begins_in_the_pose_it_is_given_and_ends_in_double_stance():
    made = walker().step(body().q_rest, goal())
    assert np.abs(made.clip.q[0] - body().q_rest).max() < 0.02
    assert made.clip.on_ground("foot_l", made.clip.end) and not made.clip.on_ground(
        "foot_l", made.timing.lift + 0.1
    )


def test_out_of_reach_is_cut_and_said():
    made = walker().step(body().q_rest, goal(x=2.0))
    assert "out of reach" in made.notes[0] and made.landing_error < 1e-3
    assert "too far for one step" in walker().step(body().q_rest, goal(turn=2.5)).notes[0]
    assert "stand on each other" in walker().step(body().q_rest, goal(x=0.02, y=-0.1)).notes[0]


@pytest.mark.parametrize("seconds", [0.1, 60.0, float("nan")])
def test_durations_that_make_no_sense_are_refused(seconds):
    with pytest.raises(BadInput, match="a step of"):
        walker().step(body().q_rest, goal(seconds=seconds))


def test_without_an_example_a_motion_is_needed():
    with pytest.raises(BadInput, match="motion to arrive in"):
        Walker(body()).step(body().q_rest, goal())


def test_a_half_turn_is_made_in_several_steps_between_two_clips():
    plain = Walker(body())
    still = Clip(body(), np.array([0.0, 1.0]), np.tile(body().q_rest, (2, 1)))
    steps = onto(plain, body().q_rest, placed(plain, still, np.zeros(2), np.pi), 0.8)
    assert len(steps) == 8 and all(s.landing_error < 1e-3 and s.notes == [] for s in steps)
    assert abs(abs(print_of(plain.legs, steps[-1].clip.q[-1], 0)[2]) - np.pi) < 1e-6
    whole = joined([s.clip for s in steps])
    assert skate(whole).slide_m < 1e-3 and np.abs(np.diff(whole.q[:, :3], axis=0)).max() < 0.03


def test_made_steps_are_nearer_to_a_held_out_clip_than_their_blend():
    found = compare.compare(walker(), compare.held_out(body()))
    metrics = found.metrics()
    assert len(found.steps) == 3
    assert metrics["com_path_rmse_m"] < metrics["com_path_blend_rmse_m"]
    assert metrics["foot_path_rmse_m"] < 0.5 * metrics["foot_path_blend_rmse_m"]


def test_legs_put_feet_exactly_where_asked():
    legs, q = TwoLegs(body()), np.array(body().q_rest)
    places = [legs.foot(q, i) for i in range(2)]
    moved = [p + np.array([0.1 * (1 - 2 * i), 0, 0]) for i, (p, _) in enumerate(places)]
    ankles = np.array([legs.ankle(i, moved[i], t) for i, (_, t) in enumerate(places)])
    turns = np.array([t for _, t in places])
    out = legs.balance(q, ankles, turns, np.array([0.02, 0.03]))
    for i in range(2):
        place, turn = legs.foot(out, i)
        assert np.allclose(place, moved[i], atol=1e-9)
        assert abs(turn @ turns[i]) > 1 - 1e-12
    assert np.linalg.norm(legs.com(out)[:2] - [0.02, 0.03]) < 5e-4


def test_bodies_with_other_legs_are_refused():
    with pytest.raises(BadInput, match="ball hip"):
        TwoLegs(Character.named("chicken"))


def test_feet_that_are_turned_out_step_in_an_order_that_needs_no_cut():
    plain = Walker(body())
    feet = [
        plain.foot_at(i, np.array([0.0, y, turn])) for i, (y, turn) in enumerate(((0.18, 0.7), (-0.18, -0.6)))
    ]
    places, turns = (np.array(part) for part in zip(*feet))
    q = plain.legs.balance(body().q_rest, places, turns, np.zeros(2))
    clip = Clip(body(), np.array([0.0, 1.0]), np.tile(q, (2, 1)))
    there = placed(plain, clip, np.zeros(2), 0.8)
    steps = onto(plain, q, there, 0.9)
    assert [note for made in steps for note in made.notes] == []
    for i in range(2):
        np.testing.assert_allclose(
            print_of(plain.legs, steps[-1].clip.q[-1], i), print_of(plain.legs, there.q[0], i), atol=1e-3
        )


def test_a_clip_is_eased_out_of_another_pose_on_feet_that_stay():
    legs, q = walker().legs, np.array(body().q_rest)
    ankles, turns = (
        np.array(part) for part in zip(*(walker().foot_at(i, print_of(legs, q, i)) for i in range(2)))
    )
    low = legs.stand(np.append(q[:2], np.append(q[2] - 0.12, q[3:])), ankles, turns)
    out = settled(
        legs, low, Clip(body(), np.linspace(0.0, 1.0, 61), np.tile(legs.stand(q, ankles, turns), (61, 1)))
    )
    np.testing.assert_allclose(out.q[0], low, atol=1e-6)
    assert skate(out).slide_m < 1e-6 and skate(out).sink_m < 1e-6

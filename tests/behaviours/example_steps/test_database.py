"""A step database is found, kept, mirrored and refused as it should be."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from mocap import need
from poise.behaviours.example_steps import compare, database
from poise.behaviours.example_steps.segment import steps_in
from poise.character import Character
from poise.errors import BadInput
from poise.motion.clip import Clip


@cache
def body() -> Character:
    return Character.named("adult")


def test_the_set_that_ships_has_8_directions_and_3_lengths_for_both_feet():
    base = database.default(body())
    assert len(base.steps) == 48 and len(base.all) == 96
    opening = [s for s in base.steps if np.hypot(*(s.goal - s.start)[:2]) > 0.05]
    assert len({s.source.rsplit(" ", 2)[0] for s in opening}) == 24
    for step in base.all:
        assert step.timing.begin == 0 < step.timing.lift < step.timing.land < step.timing.end
        assert np.sign(step.goal[1]) == (1 if step.swing == 0 else -1)


def test_round_trip(tmp_path):
    base = database.default(body())
    base.save(tmp_path / "again.npz")
    again = database.load(tmp_path / "again.npz", body())
    assert [s.source for s in again.steps] == [s.source for s in base.steps]
    np.testing.assert_array_equal(again.steps[3].q, base.steps[3].q)


def test_nearest_is_the_step_itself_and_never_of_the_other_foot():
    base = database.default(body())
    for step in base.all[::9]:
        found = base.nearest(step.swing, step.start, step.goal)
        assert found.swing == step.swing and np.allclose(found.goal, step.goal, atol=0.02)


def test_steps_are_found_by_their_contacts():
    steps = steps_in(compare.held_out(body()), "three")
    assert sorted(s.swing for s in steps) == [0, 1, 1]
    for step in steps:
        clip = step.clip(body())
        assert abs(clip.q[0, 0]) < 1.0 and np.allclose(step.q[:, :2].mean(axis=0), 0, atol=0.4)


def test_a_clip_without_steps_is_refused():
    still = Clip(body(), np.array([0.0, 1.0]), np.tile(body().q_rest, (2, 1)))
    with pytest.raises(BadInput, match="no steps found in 1 clips"):
        database.build([("still", still)], body())


def test_one_example_is_too_few():
    with pytest.raises(BadInput, match="at least 2 steps"):
        database.Database(body(), database.default(body()).steps[:1])


def test_another_skeleton_is_refused():
    with pytest.raises(BadInput, match=r"'adult'.*'insectoid' has"):
        database.load(database.DEFAULT, Character.named("insectoid"))


def test_what_is_no_database_is_refused(tmp_path):
    (tmp_path / "text.npz").write_text("hello")
    with pytest.raises(BadInput, match="no step database"):
        database.load(tmp_path / "text.npz", body())
    np.savez(tmp_path / "other.npz", q=np.zeros(3))
    with pytest.raises(BadInput, match="it lacks frames"):
        database.load(tmp_path / "other.npz", body())


@pytest.mark.slow
def test_real_steps_are_found():
    from poise.capture.captured import captured

    (path,) = need("bvh/83_20.bvh")
    steps = steps_in(captured(path, body()).clip, "83_20")
    assert {s.swing for s in steps} == {0, 1}

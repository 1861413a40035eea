"""A body that falls while it follows a clip gets up and goes on with it, or stands where nothing is left."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import poise
from poise.behaviours.falling.stages import STATES
from poise.behaviours.following.again import quiet
from poise.behaviours.following.follow import Follow
from poise.behaviours.life import Life
from poise.character import Character
from poise.motion import library
from poise.motion.gait import FLAT, walk
from poise.scenes.react import scored
from poise.simulate import Scene, Session
from poise.worlds import Push, World


@pytest.fixture(scope="module")
def adult() -> Character:
    return Character.named("adult")


@pytest.fixture(scope="module")
def steps(adult):
    return scored(walk(adult, FLAT, steps=4))


def test_a_quiet_stance_is_one_on_both_feet(adult, steps):
    twist = scored(library.twist(adult))
    assert quiet(twist, 3.2, 0.3, 10) == 4
    s = quiet(steps, 20.0, 0.3, 10)
    both = [any(p.first <= s <= p.last for p in own) for own in steps.prints] if s is not None else []
    assert s is None or (s >= 20 and all(both))
    assert quiet(steps, 0.0, 0.0, 10) is None  # nothing is that slow


def fallen(score, body: Character, at: float) -> Session:
    q, v, _ = score.clip.sample(1e-6)
    push = Push("torso", (2.6 * body.mass / 0.1, 0.0, 0.0), at, 0.1)
    made = Scene("", body, World(pushes=(push,)), Life(Follow(score)), seconds=30.0, q_start=q, v_start=v)
    session = Session(made, keep=1.0)
    life: Any = session.controller.behaviour
    while session.time < 18.0 and not (life.falls and life.up_again == life.falls):
        session.step(0.1)
    assert life.falls == life.up_again == 1
    return session


def test_the_clip_goes_on_from_where_it_was(adult):
    session = fallen(scored(library.twist(adult)), adult, 1.0)
    life: Any = session.controller.behaviour
    s = life.daily.s
    assert 60 < s < life.daily.score.count - 60 and not life.done
    session.step(3.0)
    assert life.daily.s > s + 60 and STATES[life.state] == "stand" and life.falls == 1
    assert np.isfinite(life.signals()["clip"].values).all()


def test_where_nothing_is_left_it_stands(adult, steps):
    class Never(Follow):
        def resume(self, state, dt):
            super().resume(state, dt)
            self.done, self.stepper = True, None

    q, v, _ = steps.clip.sample(1e-6)
    life = Life(Never(steps))
    push = Push("torso", (0.0, 2.6 * adult.mass / 0.1, 0.0), 0.5, 0.1)
    made = Scene("", adult, World(pushes=(push,)), life, seconds=16.0, q_start=q, v_start=v)
    take = poise.simulate(made)
    found: Any = take.metrics
    assert found["falls"] == found["up_again"] == 1 and found["state_final"] == "stand"
    assert take.time[-1] < 15.0  # and the take is over


def test_a_clip_tells_how_fast_it_goes_down(adult):
    score = scored(library.twist(adult))
    q, v, _ = score.clip.sample(1e-6)
    session = Session(Scene("", adult, World(), Follow(score), seconds=1.0, q_start=q, v_start=v), keep=1.0)
    follow: Any = session.controller.behaviour
    session.step(0.3)
    down = score.tables.body[:, 5]
    assert down.min() <= follow.sinking <= down[round(follow.s)] and follow.off_course < 0.05

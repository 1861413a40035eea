"""What is felt: late where others push, at once where the body moves itself."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

import poise
from poise.behaviours.balance.felt import Felt

PUSH = "torso:300,0,0@0.3+0.1"


def felt_by(session: poise.Session) -> Felt:
    return cast(Any, session.controller.behaviour)._felt


def test_a_push_is_felt_late():
    session = poise.Session(poise.scene("reactive-step", push=PUSH, seconds=2.0, reaction=0.1))
    felt = felt_by(session)
    session.step(0.38)
    assert session.state.L[0] > 20.0 and abs(felt.L[0]) < 2.0 and not felt.shoved
    session.step(0.14)
    assert felt.shoved and felt.shove[0] > 0.25 and abs(felt.shove[1]) < 0.05
    session.step(1.0)
    np.testing.assert_allclose(felt.L[:2], session.state.L[:2], atol=4.0)


def test_undisturbed_what_is_felt_is_what_is():
    session = poise.Session(poise.scene("stand", seconds=3.0, reaction=0.1))
    session.step(2.5)
    felt, state = felt_by(session), session.state
    np.testing.assert_allclose(felt.c, state.c, atol=2e-4)
    np.testing.assert_allclose(felt.G, state.G, atol=0.1)


def test_no_delay_is_what_is():
    session = poise.Session(poise.scene("reactive-step", push=PUSH, seconds=2.0, reaction=0.0))
    felt = felt_by(session)
    session.step(0.4)
    np.testing.assert_array_equal(felt.L, felt._G[0, :3])


def test_people_who_walk_feel_late_too():
    session = poise.Session(poise.scene("walk", push="torso:0,250,0@1.0+0.1", seconds=3.0, reaction=0.1))
    felt = cast(Any, session.controller.behaviour).stroll._felt
    session.step(0.9)
    before = abs(session.state.L[1] - felt.L[1])
    session.step(0.19)
    assert before < 3.0 and session.state.L[1] - felt.L[1] > 12.0
    session.step(0.5)
    assert abs(session.state.L[1] - felt.L[1]) < 4.0

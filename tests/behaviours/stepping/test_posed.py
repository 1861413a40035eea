"""A swing foot that inverse kinematics of a pose leads, as the paper has it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import poise
from foreign_files import metric
from poise.behaviours.example_steps.legs import TwoLegs
from poise.behaviours.stepping.posed import Posed
from poise.character import Character
from poise.errors import BadInput

PUSHED: dict[str, Any] = {
    "push": "torso:0,250,0@1.0+0.1",
    "seconds": 3.0,
    "preset": "literal",
    "style": "plain",
}


def test_the_foot_goes_to_its_place_by_the_pose_alone():
    led, own = (
        poise.simulate(poise.scene("reactive-step", foot=foot, **PUSHED)) for foot in ("pose", "sole")
    )
    assert not led.fell and led.steps == own.steps == 1
    assert 1.5 * metric(own, "landing_error_m") < metric(led, "landing_error_m") < 0.06


def test_rates_are_those_of_the_ideal_motion():
    body = Character.named("adult")
    posed, q = Posed(body, 0.01, TwoLegs), np.array(body.q_rest)
    knee = int(body.model.joint("knee_l").qposadr[0])
    at = int(body.model.joint("knee_l").dofadr[0])
    for t in (0.0, 0.01, 0.02):
        q[knee] = 1.0 + 2.0 * t + 5.0 * t**2
        v, v_dot = posed._rates(q.copy())
    assert v[at] == pytest.approx(2.0 + 5.0 * 0.03) and v_dot[at] == pytest.approx(10.0)


def test_legs_without_closed_formulas_are_refused():
    with pytest.raises(BadInput, match="legs of a ball hip"):
        poise.scene("reactive-step", character="chicken", preset="literal", foot="pose")

"""Roll out: a fast fall ahead becomes a roll that ends on the feet; other falls do not."""

from __future__ import annotations

import math
from typing import Any

import pytest

import poise
from poise.behaviours.falling.roll_out import can
from poise.behaviours.falling.stages import STATES


def states(angle_deg: float, speed: float, seconds: float, **options) -> tuple[list[str], Any]:
    """Of a body that stands and is pushed, one after the other; and its supervisor."""
    a, force = math.radians(angle_deg), 75.0 * speed / 0.1
    push = f"torso:{force * math.cos(a)},{force * math.sin(a)},0@0.5+0.1"
    scene = poise.scene("reactive-step", push=push, seconds=seconds, life=True, **options)
    session = poise.Session(scene, keep=1.0)
    life: Any = session.controller.behaviour
    found: list[str] = []
    while session.time < seconds:
        session.step(0.05)
        if not found or found[-1] != STATES[life.state]:
            found.append(STATES[life.state])
    return found, life


@pytest.mark.parametrize("speed", [2.2, 3.6])  # one turn, two
def test_a_fast_fall_ahead_is_rolled_out_of(speed: float):
    found, life = states(8, speed, 4.0)
    rolled = found.index("roll-out")
    assert found[rolled - 1] == "fall" and found[rolled + 1] == "rise"
    assert found[-1] in ("stand", "walk") and life.time_down[0] < 3.5
    assert not life.bruises.speeds  # the head has not touched
    assert {"fast, ahead", "rolled to its feet"} < set(life.reasons)


@pytest.mark.parametrize(
    ("angle_deg", "speed", "options"),
    [(180, 2.6, {}), (90, 2.6, {}), (0, 2.6, {"roll_out": False}), (0, 2.6, {"strength": 0.7})],
)
def test_other_falls_are_not(angle_deg: float, speed: float, options: dict):
    found, _ = states(angle_deg, speed, 1.2, **options)
    assert "fall" in found and "roll-out" not in found


def test_it_needs_the_joints_of_the_cycle():
    assert can(poise.scene("stand").character)
    assert not can(poise.scene("stand", "insectoid").character)

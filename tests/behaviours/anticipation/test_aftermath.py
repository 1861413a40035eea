"""After a hit: a reaction example follows, where it was asked for."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import poise
from mocap import need
from poise.character import Character
from poise.errors import BadInput

HIT: dict[str, Any] = {"choice": "none", "ball.height": 1.3, "ball.from": 30.0, "seconds": 2.4}


def meet(**options) -> poise.Recording:
    return poise.simulate(poise.scene("anticipate", **(HIT | options)))


def palm_from_chest(take: poise.Recording) -> float:
    """Distance of the nearer hand from the breastbone, at the nearest [m]."""
    body = Character.named("adult")
    n, near = body.model.nq, math.inf
    for q in take["q"][::4, :n]:
        data = body.posed(q)
        near = min(
            near,
            *(float(np.linalg.norm(data.body(f"hand_{s}").xpos - data.body("chest").xipos)) for s in "lr"),
        )
    return near


@pytest.mark.parametrize("physics", [True, False])
def test_a_hand_goes_to_where_it_was_struck(physics):
    idle, held = (meet(physics=physics, after=after) for after in ("idle", "hold"))
    assert held.metrics["struck"] == "chest" and not held.fell
    assert palm_from_chest(held) < 0.25 < 0.35 < palm_from_chest(idle)
    assert "reacted_s" not in idle.metrics
    assert 0.6 < float(held.metrics["reacted_s"] or math.nan) < 1.4


def test_what_does_not_hit_is_not_reacted_to():
    take = meet(choice="head-strong", after="hold", **{"ball.height": 1.62, "ball.from": 0.0})
    assert take.metrics["result"] == "avoided" and "reacted_s" not in take.metrics


def test_a_captured_movement_comes_after_the_hit():
    (path,) = need("bvh/77_09.bvh")
    for physics in (True, False):
        idle, after = meet(physics=physics), meet(physics=physics, motion=path, after="motion")
        assert after.metrics["chosen"] == "none" and after["q"][:, 2].min() < idle["q"][:, 2].min() - 0.1


def test_a_movement_to_come_after_the_hit_must_be_given():
    with pytest.raises(BadInput, match=r"after=motion.*--motion"):
        meet(after="motion")

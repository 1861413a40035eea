"""Anticipation without physics: what is misjudged, missed or taken from a motion file."""

from __future__ import annotations

import numpy as np

import poise
from mocap import need


def meet(**options) -> poise.Recording:
    return poise.simulate(poise.scene("anticipate", physics=False, seconds=1.2, **options))


def test_a_ball_that_is_not_seen_is_not_met():
    assert meet(misses=1.0).metrics["chosen"] == "none"
    assert meet().metrics["chosen"] != "none"


def test_a_misjudged_ball_is_met_elsewhere():
    seen, blurred = meet(choice="head-strong"), meet(choice="head-strong", noise=0.3)
    assert abs(seen["q"][:, 7:40] - blurred["q"][:, 7:40]).max() > 0.01


def test_a_captured_movement_is_taken():
    (path,) = need("bvh/77_09.bvh")
    own, taken = meet(), meet(motion=path)
    assert taken.metrics["chosen"] == "77_09" and abs(own["q"] - taken["q"]).max() > 0.1


def test_it_begins_from_a_ready_stance():
    rest, guard = meet(misses=1.0), meet(misses=1.0, stance="ready")
    assert guard["q"][0, 2] < rest["q"][0, 2] - 0.02
    before = guard["q"][guard.time < 0.3, :7]  # the ball is still on its way
    assert np.ptp(before, axis=0).max() < 1e-6

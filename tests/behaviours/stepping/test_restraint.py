"""Restraint: fast joints are braked, others are left alone; a push is answered as people answer it."""

from __future__ import annotations

import numpy as np
import pytest

import poise
from poise.behaviours.stepping.restraint import Restraint
from poise.reproduce.claim import number

MOST = {
    "lean_peak_deg": 70, "joint_speed_peak_rads": 25, "hand_speed_peak_ms": 8, "head_peak_g": 4, "foot_peak_bw": 5,
    "feet_apart_m": 0.06,
}  # fmt: skip


def test_only_fast_joints_are_braked():
    restraint, bounds = Restraint(), np.full(3, 10.0)
    wanted, weight = np.array([1.0, 2.0, 3.0]), np.ones(3)
    assert restraint.act(np.full(3, 4.0), bounds, wanted, weight) is weight
    both = restraint.act(np.array([0.0, 10.0, -20.0]), bounds, wanted, weight)
    assert both[0] == 1.0 and wanted[0] == 1.0
    assert (both[1:] == 1.0 + restraint.weight).all() and wanted[1] < -200.0 and wanted[2] > 400.0


@pytest.mark.slow
@pytest.mark.parametrize("push", ["torso:300,0,0@1.0+0.1", "torso:-250,-250,0@1.0+0.1"])
def test_reacts_as_people_do(push: str):
    take = poise.simulate(poise.scene("reactive-step", push=push, seconds=5.1, reaction=0.1))
    found = {name: number(take, name) for name in (*MOST, "step_onset_s")}
    assert not take.fell and found["step_onset_s"] >= 0.2
    assert all(found[name] < most for name, most in MOST.items())


@pytest.mark.parametrize("side", [1, -1])
def test_a_wide_straddle_is_left_before_the_body_sinks_into_it(side: int):
    take = poise.simulate(
        poise.scene("reactive-step", push=f"torso:320,{side * 320},0@1.0+0.1", seconds=5.1, reaction=0)
    )
    soles = take["soles"]
    straddle = np.hypot(*(soles[:, :2] - soles[:, 3:5]).T).max()
    assert straddle > 0.65 and not take.fell
    lean, apart = (number(take, name) for name in ("lean_peak_deg", "feet_apart_m"))
    assert take["com"][:, 2].min() > 0.81 and lean < 40 and apart < 0.05

"""Handstands: balance, pushes and steps on the hands."""

from __future__ import annotations

import numpy as np
import pytest

import poise
from foreign_files import metric
from poise.errors import BadInput


def run(name: str, **how) -> poise.Recording:
    return poise.simulate(poise.scene(name, after_fall=0.0, **how))


def elbows(take: poise.Recording) -> np.ndarray:
    body = poise.Character.named("acrobat")
    return np.degrees(take["q"][:, [int(body.model.joint(f"elbow_{s}").qposadr[0]) for s in "lr"]])


def test_it_stands_still_on_its_hands():
    take = run("handstand", seconds=2.0, idle=False)
    assert not take.fell and metric(take, "com_speed_final_ms") < 0.01
    assert metric(take, "foot_slip_m") < 0.001
    force = take["contact_force"][100:, 2]
    assert np.ptp(force) < 10.0 and np.ptp(take["cp"][100:, :2], axis=0).max() < 0.005  # does not tremble


def test_its_legs_sway_a_little():
    take = run("handstand", seconds=6.0, seed=5)
    hips = [int(poise.Character.named("acrobat").model.joint(f"hip_{s}").qposadr[0]) for s in "lr"]
    sway = np.degrees(2.0 * np.ptp(take["q"][300:, hips[0] + 1 : hips[0] + 4], axis=0))
    assert not take.fell and 1.0 < sway.max() < 25.0


@pytest.mark.parametrize("force", ["120,0,0", "0,120,0", "-120,0,0"])
def test_a_small_push_is_absorbed(force: str):
    take = run("handstand", seconds=3.0, push=f"torso:{force}@0.3+0.1")
    assert not take.fell and take.metrics["recovered"]


def test_two_steps_on_the_hands():
    take = run("handstand-steps", seconds=4.5, seed=11, pose_noise=0.01)
    assert not take.fell and take.steps >= 2
    assert metric(take, "landing_error_max_m") < 0.01
    assert elbows(take).max() < 2.0  # do not bend backwards


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(401, 406))
def test_six_steps_on_the_hands(seed: int):
    take = run("handstand-steps", seed=seed, pose_noise=0.01)
    assert not take.fell and take.steps == 6 and take.metrics["recovered"]
    assert metric(take, "landing_error_max_m") < 0.01 and metric(take, "foot_slip_m") < 0.01
    assert elbows(take).max() < 2.0


@pytest.mark.parametrize("name", ["handstand", "handstand-steps"])
def test_a_body_whose_wrists_do_not_bear_it_is_refused(name: str):
    with pytest.raises(BadInput, match="acrobat"):
        poise.scene(name, character="adult")

"""No tone in the torques: what stands moves smoothly, pushed or along a clip."""

from __future__ import annotations

import pytest

import poise

SMOOTH = 0.03  # share of the torques' power that may lie above 20 Hz
SEEDS = (0, 1, 2)
CASES = {
    "demo": ("balance-push", {"push": "torso:-300,0,0@1.0+0.1", "seconds": 4.0}),
    "butterfly on one leg": ("butterfly", {"legs": 1, "seconds": 5.0}),
    "dinosaur push": ("balance-push", {"character": "dinosaur", "seconds": 4.0}),
    "side kick": ("side-kick", {}),
}


@pytest.mark.parametrize("case", CASES)
def test_torques_do_not_chatter(case: str):
    name, options = CASES[case]
    takes = [poise.simulate(poise.scene(name, seed=seed, pose_noise=0.001, **options)) for seed in SEEDS]
    assert not any(take.fell for take in takes)
    shares = [float(take.metrics["torque_power_above_20hz"] or 0.0) for take in takes]
    assert max(shares) < SMOOTH, shares

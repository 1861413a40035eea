"""The kinematic scenes of [Stepping] chapter 3: every step lands, no sole slides, odd wishes are refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import poise
from foreign_files import metric
from mocap import need
from poise.errors import BadInput


@pytest.mark.parametrize(("name", "steps"), [("kinematic-steps", 4), ("turn-step", 4), ("fight-step", 4)])
def test_steps_land_on_soles_that_stay(name, steps):
    take = poise.simulate(poise.scene(name))
    assert take.steps == steps and take.notes == []
    assert metric(take, "landing_error_max_m") < 0.01 and metric(take, "foot_skate_m") < 0.005
    assert metric(take, "foot_sink_m") < 0.002 and metric(take, "limit_excess_rad") < 0.005
    assert np.isfinite(take["q"]).all() and np.abs(np.diff(take["com"], axis=0)).max() < 0.03


def test_arms_swing_against_the_legs():
    from poise.record.limbs import limbs_of

    places = limbs_of(poise.simulate(poise.scene("kinematic-steps"))).places
    hands, feet = (places[f"{part}_l"][:, 0] - places[f"{part}_r"][:, 0] for part in ("hand", "foot"))
    assert np.ptp(hands) > 0.3 and np.corrcoef(hands, feet)[0, 1] < -0.5


def test_the_held_out_steps_are_shown_and_drawn(tmp_path):
    options: dict[str, Any] = {"show": "held-out", "figure": str(tmp_path / "fig.png")}
    take = poise.simulate(poise.scene("kinematic-steps", **options))
    assert take.steps == 3 and metric(take, "com_path_rmse_m") < metric(take, "com_path_blend_rmse_m")
    assert (tmp_path / "fig.png").stat().st_size > 5000


def test_the_blend_alone_slides():
    made, blend = (
        metric(poise.simulate(poise.scene("turn-step", blend=b)), "foot_skate_m") for b in (False, True)
    )
    assert blend > 0.01 > 0.001 > made


@pytest.mark.parametrize(
    ("name", "key", "value"), [("turn-step", "angle", 999.0), ("kinematic-steps", "step", 0.1)]
)
def test_out_of_range_is_refused(name, key, value):
    with pytest.raises(BadInput, match=f"{key}.*out of range"):
        poise.scene(name, **{key: value})


def test_a_missing_database_is_refused():
    with pytest.raises(BadInput, match="no step database"):
        poise.scene("kinematic-steps", steps="nowhere.npz")


@pytest.mark.parametrize("name", ["135_11", "69_16"])
def test_a_captured_kick_is_sent_elsewhere_whole(name):
    (path,) = need(f"bvh/{name}.bvh")
    take = poise.simulate(poise.scene("fight-step", motion=path))
    assert take.notes == [] and metric(take, "heading_error_deg") < 0.1
    assert metric(take, "foot_skate_m") < 0.005

"""Balls thrown in physics: what they do to a body that stands, ducks, blocks, looks late or not at all."""

from __future__ import annotations

from functools import cache
from typing import Any

import mujoco
import numpy as np
import pytest

import poise
from foreign_files import metric
from poise.behaviours.anticipation.choices import choice
from poise.behaviours.anticipation.threat import Threat
from poise.behaviours.anticipation.trial import Range, still
from poise.character import Character
from poise.errors import BadInput
from poise.worlds import Ball
from poise.worlds.ball import Impacts, add_balls


@cache
def place() -> Range:
    return Range(Character.named("adult"))


def test_impact_energy_is_half_m_v_squared_on_a_wall():
    spec = mujoco.MjSpec()
    spec.option.timestep, spec.option.gravity = 0.0005, [0, 0, 0]
    wall = spec.worldbody.add_body(name="wall")
    wall.add_geom(type=mujoco.mjtGeom.mjGEOM_BOX, size=[0.1, 1, 1], mass=1000)
    ball = Ball((1.0, 0.0, 0.0), (-6.0, 0.0, 0.0), 0.5, 0.1)
    add_balls(spec, [ball])
    model = spec.compile()
    data = mujoco.MjData(model)
    impacts = Impacts(model, data, [ball], range(1, 2))
    impacts.reset()
    for _ in range(1000):
        mujoco.mj_step1(model, data)
        impacts.step()
    assert impacts.energy[0] == pytest.approx(9.0, rel=0.08)
    assert impacts.impulse[0] == pytest.approx(0.5 * (6 + data.qvel[0]), rel=0.02)
    assert impacts.first[0] == pytest.approx(0.8 / 6, abs=0.005)


def test_standing_still_is_hit_where_it_was_aimed():
    seen = place().throw(Threat(0, 1.62), still)
    assert seen.result == "hit" and seen.energy["head"] > 8 and seen.move == ""


def test_a_duck_avoids_what_hits_the_head():
    seen = place().throw(Threat(0, 1.62), choice("head-strong"), after=0.8)
    assert seen.result == "avoided" and seen.damage == 0 and not seen.fell
    assert seen.effort > 10 and seen.decision_ms < 5


@pytest.mark.parametrize("bearing", [0, -70, 140])
def test_hands_block_a_ball_at_the_trunk(bearing):
    seen, without = (place().throw(Threat(bearing, 1.2), c) for c in (choice("trunk-mild"), still))
    assert seen.result == "blocked" and seen.damage < 0.6 * without.damage and not seen.fell


def test_too_late_is_as_good_as_not_at_all():
    late = place().throw(Threat(0, 1.62), choice("head-strong"), delay=0.6)
    assert late.result == "hit"


HEAVY: dict[str, Any] = {"choice": "none", "ball.mass": 2.0}


def test_a_ball_at_the_body_moves_the_body():
    take = poise.simulate(poise.scene("anticipate", seconds=1.2, **HEAVY))
    push = take["com_velocity"][70:, 0].min()
    assert push < -0.1 and take["impact"][-1].sum() > 20


def test_a_miss_does_nothing():
    take = poise.simulate(poise.scene("anticipate", misses=1.0, seconds=0.8))
    assert take.metrics["chosen"] == "none" and take["anticipation"][-1, 0] == -1


def test_without_physics_the_soles_stay_and_the_ball_is_met():
    options: dict[str, Any] = {"physics": False, "choice": "head-strong", "ball.height": 1.6}
    take = poise.simulate(poise.scene("anticipate", seconds=1.2, **options))
    assert take.metrics["result"] == "avoided" and metric(take, "foot_skate_m") < 0.005
    assert take["q"].shape[1] == Character.named("adult").model.nq + 7


@pytest.mark.parametrize(
    ("key", "value"),
    [("ball.height", 9.0), ("ball.speed", 0.0), ("ball.from", 999.0), ("ball.mass", -1.0), ("noise", 2.0),
     ("delay", -1.0), ("misses", 1.5)],
)  # fmt: skip
def test_out_of_range_options_are_refused(key, value):
    with pytest.raises(BadInput, match=f"{key}.*out of range; give"):
        poise.scene("anticipate", **{key: value})


def test_a_take_with_a_ball_is_repeated_bit_for_bit():
    first, again = (poise.simulate(poise.scene("anticipate", noise=0.05, seconds=0.9)) for _ in range(2))
    np.testing.assert_array_equal(first["q"], again["q"])

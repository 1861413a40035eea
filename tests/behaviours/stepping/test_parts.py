"""The parts of the stepper alone, on records made by hand: landing, pressure, height, pitch, choice of foot."""

from __future__ import annotations

import math

import mujoco
import numpy as np
import pytest

import poise
from poise.behaviours import Recover, Stepper
from poise.behaviours.stepping.dcm import course, pivot_lead, pivot_of, pressure, xi_at_lift
from poise.behaviours.stepping.heels import strike_pitch
from poise.behaviours.stepping.height import Height
from poise.behaviours.stepping.landing import LandingPlanner, hurry_of
from poise.behaviours.stepping.step import DOUBLE, STAND, SWING, Facts, Gait, Step, Tick
from poise.dynamics.state import State
from poise.worlds.world import Arena, World


@pytest.fixture(scope="module")
def still() -> tuple[Facts, Tick, Gait]:
    """The adult at rest."""
    body = poise.Character.named("adult")
    arena = Arena(World(), body)
    arena.reset(body.q_rest, None)
    mujoco.mj_step1(arena.model, arena.data)
    stepper, state = Stepper(Recover()), State(body, arena.model, arena.data).update()
    stepper.start(state, 0.01)
    return stepper.facts, stepper._measure(state), stepper.gait


def a_step(tick: Tick, **how) -> Step:
    """The right foot half a metre ahead."""
    return Step(1, tick.place[1] + [0.5, 0.0], 0.0, np.array([0.1, 0.05]), 0.5, **how)


def pushed(tick: Tick, x: float, y: float) -> Tick:
    return tick._replace(xi=tick.xi + np.array([x, y]))


def test_records_are_frozen(still):
    for record in still:
        with pytest.raises(AttributeError):
            record.rate = 1.0


def test_xi_runs_from_lift_to_landing_as_the_pendulum_says(still):
    """ξ̇ = ω (ξ - p) with the pressure rolling on under the sole, integrated in small steps."""
    facts, tick, _ = still
    step = a_step(tick, roll=0.2)
    xi = xi_at_lift(facts, tick, step, pivot_of(facts, tick, step, 0, 0.0))
    n = 20000
    for k in range(n):
        p = pivot_of(facts, tick, step, 0, (k + 0.5) * step.time / n) - pivot_lead(tick, step)
        xi = p + (xi - p) * math.exp(tick.omega * step.time / n)
    np.testing.assert_allclose(xi, course(facts, tick, step, step.time)[1], atol=1e-6)


def test_a_plan_follows_the_push_and_changes_nothing(still):
    facts, tick, gait = still
    planner, step = LandingPlanner(facts), a_step(tick, recovery=True)
    before = planner.plan(facts, tick, step, tick.xi, 0.0, gait.p)
    ahead = planner.plan(facts, tick, step, tick.xi + np.array([0.08, 0.0]), 0.0, gait.p)
    again = planner.plan(facts, tick, step, tick.xi, 0.0, gait.p)
    assert ahead.place[0] > before.place[0] + 0.02
    np.testing.assert_array_equal(before.place, again.place)
    assert before.cost == again.cost and before.time == again.time


def test_a_step_that_is_not_live_lands_where_it_was_told(still):
    facts, tick, gait = still
    step = a_step(tick, live=False, follows=False)
    plan = LandingPlanner(facts).plan(facts, tick, step, tick.xi + 1.0, 0.2, gait.p)
    np.testing.assert_array_equal(plan.place, step.place)
    assert plan.time == step.time and plan.hurry == math.inf


def test_hurry_counts_place_and_time(still):
    facts, tick, _ = still
    step = a_step(tick)
    assert hurry_of(facts, step, step.place, step.time) == 0.0
    assert hurry_of(facts, step, step.place + np.array([0.1 * facts.h, 0.0]), step.time) == pytest.approx(1.0)
    assert hurry_of(facts, step, step.place, 1.3 * step.time) == pytest.approx(1.0)


def test_the_pressure_stays_on_the_stance_sole(still):
    facts, tick, gait = still
    step, half = a_step(tick, follows=False), facts.stride.sole * facts.legs[0].half
    swing = gait._replace(phase=SWING, step=step, planted=(True, False))
    for push in ((3.0, 3.0), (-3.0, -3.0)):
        p, level = pressure(facts, pushed(tick, *push), swing)
        np.testing.assert_allclose(np.abs(p - tick.place[0]), half, atol=1e-9)
        assert not level


def test_the_pressure_leads_xi_back_to_the_middle(still):
    facts, tick, gait = still
    stand = gait._replace(phase=STAND, calm=False)
    p, level = pressure(facts, pushed(tick, 0.01, 0.0), stand)
    assert p[0] > tick.xi[0] + 0.01 and level
    p, level = pressure(facts, pushed(tick, 1.0, 0.0), stand)
    assert p[0] < tick.place[0, 0] + facts.legs[0].half[0] and not level


def test_a_long_step_lowers_the_body_and_standing_does_not(still):
    facts, tick, gait = still
    height, z, low = Height(facts), 0.0, 0.0
    for _ in range(300):
        z, _, _ = height.advance(facts, tick, gait, 0.0)
    assert z == pytest.approx(facts.h, abs=0.02)
    step = a_step(tick)
    swing = gait._replace(phase=SWING, step=step, goal=step.place, T=step.time, planted=(True, False))
    for _ in range(300):
        low, _, _ = height.advance(facts, tick, swing, 0.0)
    assert low < z - 0.01


def test_only_long_unhurried_steps_land_on_their_heels(still):
    facts, tick, _ = still
    step = a_step(tick)
    near, far = tick.place[0] + [0.1, -0.2], tick.place[0] + [0.8, -0.2]
    assert strike_pitch(facts, tick, step, near, 0.0, 1.0) == 0.0
    assert strike_pitch(facts, tick, step, far, 0.0, 1.0) == pytest.approx(facts.stride.strike)
    assert strike_pitch(facts, tick, step, far, 0.0, 0.0) == 0.0


@pytest.mark.parametrize(("push", "swing"), [(0.3, 0), (-0.3, 1)])
def test_a_push_to_one_side_is_met_by_the_foot_of_that_side(still, push: float, swing: int):
    facts, tick, gait = still
    director = Recover("capture")
    director.start(facts, tick, gait)
    assert director.step(facts, tick, gait) is None
    step = director.step(facts, pushed(tick, 0.0, push), gait)
    assert step is not None and step.swing == swing and step.recovery


def test_soon_after_a_landing_the_other_foot_steps(still):
    facts, tick, gait = still
    director = Recover("capture")
    director.start(facts, tick, gait)
    landed = gait._replace(phase=DOUBLE, step=a_step(tick))
    step = director.step(facts, pushed(tick, 0.0, -0.3), landed)
    assert step is not None and step.swing == 0

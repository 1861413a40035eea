"""Stops of ball joints: what they hold, and that they give no energy."""

from __future__ import annotations

import math

import mujoco
import numpy as np
import pytest

from poise.character import Character
from poise.character.constants import GRAVITY
from poise.dynamics.limits import JointLimits
from poise.worlds import Arena, World

HIGH = 30.0  # [m] up, in free fall


@pytest.fixture
def adult() -> Character:
    return Character.named("adult")


def aloft(body: Character, firm: bool, dt: float = 1 / 300) -> Arena:
    arena, q = Arena(World(dt=dt, firm=firm), body), body.q_rest.copy()
    q[2] += HIGH
    arena.reset(q)
    return arena


def beyond(body: Character, arena: Arena) -> float:
    limits = JointLimits.of(body)
    limits.update(arena.data.qpos.copy())
    return float(limits.excess[2 * len(limits.hinges) :].max())


def loaded(body: Character, firm: bool, dt: float) -> float:
    """How far a wrist is beyond its limit after a second of all the torque that it has [rad]."""
    arena = aloft(body, firm, dt)
    motor = arena.model.actuator("wrist_l_y")
    for _ in range(round(1 / dt)):
        arena.begin()
        arena.data.ctrl[motor.id] = motor.ctrlrange[1]
        arena.finish()
    return beyond(body, arena)


@pytest.mark.parametrize("dt", [1 / 300, 0.002, 0.001])
def test_a_firm_stop_holds_what_a_soft_one_does_not(adult: Character, dt: float) -> None:
    soft, firm = loaded(adult, False, dt), loaded(adult, True, dt)
    assert firm < math.radians(4) and firm < 0.3 * soft


@pytest.mark.parametrize("seed", range(4))
def test_firm_stops_give_no_energy(adult: Character, seed: int) -> None:
    arena, rng = aloft(adult, True), np.random.default_rng(seed)
    model, data = arena.model, arena.data
    data.qvel[6:] = 3.0 * rng.normal(size=model.nv - 6)
    M, most, last = np.zeros((model.nv, model.nv)), 0.0, math.inf
    for _ in range(300):
        arena.begin()
        most = max(most, beyond(adult, arena))
        mujoco.mj_fullM(model, data, M)
        energy = 0.5 * data.qvel @ M @ data.qvel + adult.mass * GRAVITY * data.subtree_com[0, 2]
        assert energy < last + 0.5
        last = energy
        arena.finish()
    assert 0.0 < most < math.radians(60)  # some joints ran into their stops, none was lost


def test_no_joint_beyond_its_limit_means_no_torque(adult: Character) -> None:
    arena = aloft(adult, True)
    arena.begin()
    arena.finish()
    assert (arena.data.qfrc_applied == 0.0).all()

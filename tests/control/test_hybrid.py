"""Hybrid inverse dynamics: torques that go with a fitted or a measured ground force."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import poise
from poise.behaviours.balance.balance import Balance
from poise.motion.clip import Clip

PAPER: dict[str, Any] = {"control.mode": "paper"}


def test_fitted_wrenches_explain_the_root(stand, name: str):
    """``fast``: no force on the root; M v̇ + bias = τ + Jᵀ w with wrenches that the ground can give."""
    rig = stand(name, seconds=0.3, force=(120.0, 60.0, 0.0), mode="fast")
    state, solution = rig.state, rig.solver.step()
    total = sum(state.J[s].T @ solution.wrenches[s] for s in np.flatnonzero(rig.supports.active))
    balance = state.M @ solution.v_dot + state.bias - solution.tau - total
    assert np.abs(solution.tau[:6]).max() < 1e-6 * state.m
    assert np.abs(balance).max() < 1e-6 * state.m
    for s in np.flatnonzero(rig.supports.active):
        T = rig.supports.frames[s]
        local = np.concatenate([T.T @ solution.wrenches[s, :3], T.T @ solution.wrenches[s, 3:]])
        assert (rig.supports.G[s] @ local <= 1e-4 * state.m * 9.81).all()


def test_joints_get_the_accelerations_of_the_least_squares(stand):
    rig = stand("adult", seconds=0.3, force=(120.0, 60.0, 0.0), mode="fast")
    rig.solver.refresh(rig.behaviour.update(rig.state))
    solution = rig.solver.step()
    np.testing.assert_array_equal(solution.v_dot[6:], rig.solver.problem.v_dot[6:])
    if not (rig.solver.solution.iterations):  # inside the cones the root follows as well
        np.testing.assert_allclose(solution.v_dot[:6], rig.solver.problem.v_dot[:6], atol=0.5)


def test_measured_force_is_used_as_it_is(stand):
    """``paper``: torques are consistent with whatever the ground was measured to give."""
    rig = stand("adult", seconds=0.05, mode="paper")
    state = rig.state
    force = np.zeros(state.nv)
    force[2] = 0.9 * state.m * 9.81
    rig.solver.ground_force[:] = force
    solution = rig.solver.step()
    assert np.abs(solution.tau[:6]).max() < 1e-6 * state.m
    np.testing.assert_allclose(
        state.M @ solution.v_dot + state.bias, solution.tau + force, atol=1e-6 * state.m
    )


def test_lifted_supports_carry_nothing(stand):
    rig = stand("adult", seconds=0.1, mode="fast")
    command = rig.behaviour.update(rig.state)
    rig.solver.refresh(command)
    rig.solver.step()
    command.supports = np.array([True, False])
    rig.solver.refresh(command)
    solution = rig.solver.step()
    assert not solution.wrenches[1].any()


def test_joints_near_a_limit_are_turned_back(stand):
    """A knee that straightens too fast is asked to brake."""
    rig = stand("adult", seconds=0.05, mode="fast")
    state, model = rig.state, rig.arena.model
    knee = model.joint("knee_l")
    rig.arena.data.qpos[knee.qposadr[0]] = 0.02
    rig.arena.data.qvel[knee.dofadr[0]] = -5.0
    rig.arena.begin()
    state.update()
    rig.solver.refresh(rig.behaviour.update(state))
    assert rig.solver.problem.v_dot[knee.dofadr[0] - state.tree.dof0] > 0


@pytest.mark.parametrize("seed", [0, 1])
def test_paper_mode_stands_with_pose_noise(seed: int):
    scene = poise.scene("stand", seconds=2.0, seed=seed, pose_noise=0.02, **PAPER)
    take = poise.simulate(scene)
    assert not take.fell and float(take.metrics["foot_slip_m"] or 0) < 0.02


def test_paper_mode_knows_of_the_ground_from_its_first_step():
    """Torques that did not would let the ground kick the feet up: 1 mm in 10 ms from bent knees."""
    bent = poise.scene("squat", seconds=0.05, **PAPER)
    assert isinstance(bent.behaviour, Balance) and bent.behaviour.clip is not None
    start = bent.behaviour.clip.at(1.0)
    take = poise.simulate(replace(bent, behaviour=Balance(Clip.still(bent.character, start)), q_start=start))
    assert float(np.nanmax(take["support_points"].reshape(-1, 3)[:, 2])) < 1e-4


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [3.0, 4.0, 6.0])
def test_paper_mode_puts_a_kicking_foot_down(seconds: float):
    """A foot that meets the ground early yields: joints that cancelled the blow threw the body."""
    take = poise.simulate(poise.scene("side-kick", duration=seconds, **PAPER))
    assert not take.fell


@pytest.mark.slow
@pytest.mark.parametrize("degrees", range(0, 360, 90))
def test_paper_mode_takes_a_shove_from_every_side(degrees: int):
    x, y = 250 * np.cos(np.radians(degrees)), 250 * np.sin(np.radians(degrees))
    push = poise.Push("torso", (float(x), float(y), 0.0), 1.0, 0.1)
    assert not poise.simulate(poise.scene("balance-push", push=push, seconds=4.5, **PAPER)).fell


@pytest.mark.slow
def test_paper_mode_stays_on_a_slippery_platform():
    assert not poise.simulate(poise.scene("platform", **PAPER)).fell

"""The solve as a whole: two passes, weights, held answers."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from poise.behaviours import Balance, Weights
from poise.control import Command
from poise.control.momentum import AngularMomentum
from poise.control.points import Orientation, Point
from poise.control.pressure import PressureLaw
from poise.control.tracking import Tracking

MODES = ("robust", "fast")


class Heard(PressureLaw):
    """A pressure law that keeps the wrench it was given."""

    def objective(self, state, wrench, linear_rate):
        self.wrench = wrench.copy()
        return super().objective(state, wrench, linear_rate)


def spied(rig: SimpleNamespace) -> tuple[Command, Heard]:
    command = rig.behaviour.update(rig.state)
    known = {k: v for k, v in vars(command.angular).items() if not k.startswith("_")}
    law = Heard(**known)
    return replace(command, angular=law), law


@pytest.mark.parametrize("mode", MODES)
def test_two_pass_starts_from_the_ideal_pressure(stand, mode: str):
    """The angular law hears the contact wrench that tracking and linear balance alone would need."""
    rig = stand("adult", seconds=0.3, force=(200.0, 100.0, 0.0), mode=mode)
    command, law = spied(rig)
    rig.solver.refresh(replace(command, angular=None))
    alone = rig.solver.problem.v_dot.copy()
    rig.solver.refresh(command, two_pass=True)
    state = rig.state
    ideal = state.A_G @ alone + state.G_bias
    np.testing.assert_allclose(rig.solver.solution.momentum_rate_free, ideal, atol=1e-6 * np.abs(ideal).max())
    ideal[:3] -= state.m * state.g
    np.testing.assert_allclose(law.wrench, ideal, atol=1e-6 * np.abs(ideal).max())


@pytest.mark.parametrize("mode", MODES)
def test_one_pass_starts_from_the_measured_pressure(stand, mode: str):
    rig = stand("adult", seconds=0.3, force=(200.0, 100.0, 0.0), mode=mode)
    command, law = spied(rig)
    rig.solver.refresh(command, two_pass=False)
    assert rig.state.f[2] > 100
    np.testing.assert_array_equal(law.wrench, rig.state.f)


@pytest.mark.parametrize("mode", MODES)
def test_zero_weight_is_absence(stand, mode: str):
    """An objective of no weight leaves every number as it was without it."""
    rig = stand("adult", seconds=0.3, force=(150.0, 0.0, 0.0), mode=mode)
    command = replace(rig.behaviour.update(rig.state), angular=None, others=())
    nothing = [
        Point("hand_l", (0.0, 0.0, 0.0), np.array([9.0, 9.0, 9.0]), weight=0.0),
        Orientation("head", np.array([0.0, 1.0, 0.0, 0.0]), weight=0.0),
    ]
    spin = AngularMomentum(np.full(3, 100.0), (0.0, 0.0, 0.0), 1.0)
    found = []
    for one in (command, replace(command, others=nothing), replace(command, angular=spin)):
        rig.solver.refresh(one)
        found.append(rig.solver.step().tau.copy())
    np.testing.assert_allclose(found[1], found[0], atol=1e-9)
    np.testing.assert_allclose(found[2], found[0], atol=1e-9)


def test_weights_of_nothing_are_the_behaviour_without_it(stand):
    """weights.angular = spin = 0 is angular=off."""
    off = stand("adult", seconds=0.2, behaviour=Balance(angular=False))
    zero = stand("adult", seconds=0.2, behaviour=Balance(weights=Weights(angular=0.0, spin=0.0)))
    np.testing.assert_allclose(zero.arena.data.qpos, off.arena.data.qpos, atol=1e-9)


@pytest.mark.parametrize("mode", MODES)
def test_heavier_weight_comes_nearer(stand, mode: str):
    rig = stand("adult", seconds=0.2, mode=mode)
    command = rig.behaviour.update(rig.state)
    state, miss = rig.state, []
    for weight in (0.01, 1.0, 100.0):
        point = Point("hand_l", (0.0, 0.0, 0.0), state.place("hand_l", (0, 0, 0)) + 0.02, weight=weight)
        rig.solver.refresh(replace(command, others=[point]))
        A, b, _ = point.rows(state)
        miss.append(np.linalg.norm(A @ rig.solver.problem.v_dot - b))
    assert miss[0] > miss[1] > miss[2]


def test_at_rest_on_the_reference_nothing_accelerates(stand, name: str):
    """Target reached means zero command: a body that stands still at its rest pose is asked to stay."""
    rig = stand(name, seconds=2.0)
    h = float(rig.state.character.com_rest[2])
    assert np.abs(rig.state.v).max() < 0.05
    assert np.abs(rig.solver.solution.v_dot[6:]).max() < 0.5  # [rad/s²]
    assert np.linalg.norm(rig.solver.solution.momentum_rate[:3]) < 0.01 * rig.state.m * 9.81 * max(h, 1.0)


def test_hard_supports_are_met_exactly(stand):
    """Least squares of eq. 13: the planted soles accelerate as asked, to rounding."""
    rig = stand("adult", seconds=0.3, force=(200.0, 0.0, 0.0), mode="fast")
    rig.solver.refresh(rig.behaviour.update(rig.state))
    v_dot = rig.solver.problem.v_dot
    for s in np.flatnonzero(rig.supports.active):
        got = rig.state.J[s] @ v_dot + rig.state.J_bias[s]
        np.testing.assert_allclose(
            got, rig.supports.rate[s], atol=1e-5 * max(1.0, np.abs(rig.supports.rate).max())
        )


@pytest.mark.parametrize("weight", [0.0, -1.0])
def test_undetermined_objectives_hold_the_last_answer(stand, weight: float):
    """Nothing sensible asked of some joints: no exception, a count, a status that says what to try, the old torques."""
    rig = stand("adult", seconds=0.1)
    good = rig.solver.step().tau.copy()
    weights = np.ones(rig.state.nv)
    weights[rig.arena.model.joint("wrist_l").dofadr[0]] = weight
    rig.solver.refresh(
        Command(Tracking(np.ones(rig.state.nv), weights), None, None, rig.supports.active.copy())
    )
    solution = rig.solver.step()
    assert solution.failures >= 1 and "undetermined" in solution.status
    np.testing.assert_array_equal(solution.tau, good)
    rig.solver.refresh(rig.behaviour.update(rig.state))
    assert rig.solver.step().status == "solved"  # and the next good command is solved again


def test_a_command_that_is_not_finite_is_held(stand):
    rig = stand("adult", seconds=0.1)
    good = rig.solver.step().tau.copy()
    command = rig.behaviour.update(rig.state)
    wanted = command.tracking.v_dot.copy()
    wanted[20] = np.nan
    rig.solver.refresh(replace(command, tracking=Tracking(wanted, command.tracking.weight)))
    solution = rig.solver.step()
    assert solution.failures >= 1
    np.testing.assert_array_equal(solution.tau, good)


def test_impossible_limits_are_counted_and_held(stand):
    """Motors whose limits contradict each other: infeasible, said, survived, and forgotten when they are gone."""
    rig = stand("adult", seconds=0.1)
    good = rig.solver.step().tau.copy()
    low, high = rig.solver.low.copy(), rig.solver.high.copy()
    rig.solver.low[6:], rig.solver.high[6:] = 10.0, -10.0
    solution = rig.solver.step()
    assert solution.failures == 1 and "infeasible" in solution.status
    np.testing.assert_array_equal(solution.tau, good)
    rig.solver.low[:], rig.solver.high[:] = low, high
    solution = rig.solver.step()
    assert solution.failures == 1 and solution.status == "solved"
    np.testing.assert_allclose(solution.tau, good, atol=1e-9)


def test_input_untouched(stand):
    rig = stand("adult", seconds=0.2)
    command = rig.behaviour.update(rig.state)
    kept = command.tracking.v_dot.copy(), command.tracking.weight.copy(), command.linear.rate.copy()
    M, q = rig.state.M.copy(), rig.state.q.copy()
    rig.solver.refresh(command)
    rig.solver.step()
    after = command.tracking.v_dot, command.tracking.weight, command.linear.rate, rig.state.M, rig.state.q
    for one, other in zip((*kept, M, q), after):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(("mode", "off"), [("fast", 1e-8), ("robust", 0.03)])
def test_a_constraint_is_hard(stand, mode: str, off: float):
    """A hand that must accelerate does, whatever else is wanted: exactly as an equality, nearly as heavy rows."""
    rig = stand("adult", seconds=0.3, mode=mode)
    target = rig.state.place("hand_l", (0, 0, 0)) + np.array([0.2, 0.0, 0.1])
    hand = Point("hand_l", (0.0, 0.0, 0.0), target, weight=1e-3)
    command = rig.behaviour.update(rig.state)
    wanted = hand.desired(rig.state)
    missed = []
    for hard in (False, True):
        asked = replace(command, constraints=[hand]) if hard else replace(command, others=[hand])
        rig.solver.refresh(asked)
        rows = hand.rows(rig.state)
        missed.append(np.abs(rows.A @ rig.solver.problem.v_dot - rows.b).max() / np.abs(wanted).max())
    assert missed[1] < off < 0.3 < missed[0]

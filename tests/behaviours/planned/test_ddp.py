"""The optimal motion: against IPOPT, and what happens when there is none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from poise.behaviours.planned import ddp, rollout
from poise.behaviours.planned.model import step
from poise.behaviours.planned.problem import Problem, Weights
from poise.errors import BadInput


def check(found, want, weight: float) -> None:
    assert found.cost == pytest.approx(want["cost"], rel=1e-9)
    np.testing.assert_allclose(found.X, want["X"], atol=1e-6)
    np.testing.assert_allclose(found.F, want["F"], atol=1e-6 * weight)
    sign = np.sign(want["multiplier"] @ found.multiplier)
    np.testing.assert_allclose(found.multiplier, sign * want["multiplier"], rtol=1e-6, atol=1e-3)


def test_equals_ipopt(problems, oracle, plan):
    p = plan.problem
    assert plan.converged and plan.iterations < 10
    check(plan, oracle.solve(p, *rollout.rollout(p)), p.mass * 9.81)


@pytest.mark.parametrize(
    "weights", [Weights(angular=0.0), Weights(track=20.0, angular=200.0)], ids=["no angular", "squat"]
)
def test_equals_ipopt_with_other_weights_and_goals(problems, oracle, weights):
    p = problems.walk(frames=40, weights=weights)
    p = replace(
        p,
        goal=p.goal + np.array([0.02, 0, 0.03] + [0] * 9),
        start=p.start + np.array([0] * 3 + [2.0] + [0] * 8),
    )
    found = ddp.solve(p)
    check(found, oracle.solve(p, found.X, found.F), p.mass * 9.81)


def test_a_flight_is_planned_through(problems, oracle):
    """Nothing pushes for 8 frames: the rest must have the right momentum by then."""
    p = problems.walk(frames=40)
    count = p.count.copy()
    count[16:24] = 0
    p = replace(p, count=count)
    found = ddp.solve(p)
    assert found.converged
    np.testing.assert_allclose(np.diff(found.X[16:25, 9:], axis=0), 0.0, atol=1e-9)
    check(found, oracle.solve(p, found.X, found.F), p.mass * 9.81)


def test_the_optimum_does_not_depend_on_rho(problems):
    one, other = (ddp.solve(problems.walk(), rho=rho) for rho in (100.0, 3000.0))
    np.testing.assert_allclose(one.X, other.X, atol=1e-8)
    np.testing.assert_allclose(one.F, other.F, atol=1e-5)


def test_states_follow_from_forces_and_forces_are_in_their_cones(plan):
    p, new = plan.problem, np.empty(12)
    for k in range(p.frames):
        n = p.count[k]
        step(plan.X[k], p.points[k, :n], plan.F[k, :n], p.h, p.mass, p.g, new)
        np.testing.assert_allclose(new, plan.X[k + 1], atol=1e-9)
    assert (np.abs(plan.F[..., :2]) <= p.mu * plan.F[..., 2:] + 1e-9).all()
    np.testing.assert_allclose(plan.X[-1], p.goal, atol=1e-9)


def test_no_contact_is_refused(problems):
    p = problems.walk()
    with pytest.raises(BadInput, match="nothing can push"):
        replace(p, count=np.zeros_like(p.count))


def test_a_goal_out_of_reach_is_said_and_the_best_motion_kept(problems):
    """Fifty metres in half a second: a message, no exception from a solver, finite numbers."""
    p = problems.walk()
    p = replace(p, goal=p.goal + np.array([50.0] + [0] * 11))
    with pytest.raises(ddp.NoPlan, match=r"no motion of 66 frames reaches the goal.*misses") as caught:
        ddp.solve(p)
    assert np.isfinite(caught.value.plan.X).all() and np.isfinite(caught.value.plan.F).all()
    assert not ddp.solve(p, throw=False).converged


def test_bad_problems_are_refused(problems):
    p = problems.walk()
    with pytest.raises(BadInput, match="not finite"):
        replace(p, goal=p.goal * np.nan)
    with pytest.raises(BadInput, match="at least 3 frames"):
        Problem(p.x_ref[:2], p.rate_ref, p.points[:2], p.count[:2], p.mass)
    with pytest.raises(BadInput, match="weight force"):
        Weights(force=0.0)

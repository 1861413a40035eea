"""Feedback gains: against re-optimisation, against an oracle in time, and against enumeration."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from poise.behaviours.planned.ddp import NoPlan, Plan, solve
from poise.behaviours.planned.model import rate
from poise.behaviours.planned.policy import TAIL, Policy, _last_force, policy
from poise.behaviours.planned.sweep import tracked

STATE = np.array([0.02, 0.01, 0.01, 1.0, 1.0, 1.0, 0.1, 0.1, 0.1, 0.2, 0.2, 0.2])
GOAL = np.array([0.1, 0.05, 0.1] + [0.0] * 9)
NOTHING = np.zeros(12)


def hamiltonian(plan: Plan) -> float:
    """H at the final instant: what one more second would cost, the goal met."""
    p, n = plan.problem, int(plan.problem.count[-1])
    F, f = _last_force(plan, plan.multiplier), np.empty(12)
    rate(plan.X[-1], p.points[-1, :n], F[:n], p.mass, p.g, f)
    track, own = tracked(p.w)
    error = plan.X[-1] - p.x_ref[-1]
    running = p.weights.force * (F**2).sum() + track @ error**2 + own @ plan.X[-1] ** 2
    return float(running + plan.multiplier @ f)


def predict(policy: Policy, k: int, dx: np.ndarray, goal: np.ndarray, free: bool) -> tuple[float, np.ndarray]:
    """Change of the final time [s] and of the forces (P, 3) at frame k for a state and a goal that differ."""
    dt = float(policy.Kd[k] @ dx + policy.Kc[k] @ goal) if free else 0.0
    dm = policy.Vmm_inverse[k] @ (goal - policy.Vmx[k] @ dx - policy.Vmt[k] * dt)
    dF = policy.Kx[k] @ dx + policy.Km[k] @ dm + policy.Kt[k] * dt
    return dt, dF.reshape(-1, 3)


def again(plan, dx=NOTHING, goal=NOTHING):
    p = plan.problem
    return solve(replace(p, start=p.start + dx, goal=p.goal + goal), start=plan)


@pytest.mark.parametrize(
    ("dx", "goal"), [(1e-3 * STATE, NOTHING), (NOTHING, 3e-4 * GOAL)], ids=["state", "goal"]
)
def test_equal_re_optimisation_for_small_changes(plan, feedback, dx, goal):
    change = again(plan, dx, goal).F[0] - plan.F[0]
    _, predicted = predict(feedback, 0, dx, goal, free=False)
    assert np.linalg.norm(change - predicted) < 0.01 * np.linalg.norm(change)


@pytest.mark.parametrize("k", [5, 20, 40])
def test_equal_re_optimisation_in_the_middle(plan, feedback, k):
    """The rest of a segment, from a state a little off the plan, is a problem of its own."""
    p, dx = plan.problem, 1e-3 * STATE
    rest = replace(
        p, x_ref=p.x_ref[k:], points=p.points[k:], count=p.count[k:], start=plan.X[k] + dx, goal=p.goal
    )
    change = solve(rest).F[0] - plan.F[k]
    _, predicted = predict(feedback, k, dx, NOTHING, free=False)
    assert np.linalg.norm(change - predicted) < 0.01 * np.linalg.norm(change)


def test_gains_do_not_depend_on_rho(plan, feedback):
    other = policy(plan, rho=30.0)
    use = slice(0, -TAIL - 1)
    for name in ("Kd", "Kc"):
        one, two = getattr(feedback, name)[use], getattr(other, name)[use]
        np.testing.assert_allclose(one, two, atol=1e-9 * np.abs(one).max())


def test_time_is_no_state_where_nothing_depends_on_it(feedback):
    """K^d ẋ* = -1 in the static tail: to be later is to be farther back on the same path."""
    tail = slice(-8, -TAIL)
    along = np.einsum("ki,ki->k", feedback.Kd[tail], feedback.X_dot[:-1][tail])
    np.testing.assert_allclose(along, -1.0, atol=0.05)
    assert (feedback.curvature > 0).all()


@pytest.fixture(scope="module")
def usual(plan, oracle) -> float:
    """The free last interval of a plan that nothing disturbs [s]."""
    return oracle.solve(plan.problem, plan.X, plan.F, True, hamiltonian(plan))["extra"]


@pytest.mark.parametrize(
    ("dx", "goal"),
    [
        pytest.param(NOTHING, np.eye(12)[0] * 0.01, id="goal x"),
        pytest.param(-3.0 * np.eye(12)[3], NOTHING, id="slower"),
        pytest.param(3.0 * np.eye(12)[3], NOTHING, id="faster", marks=pytest.mark.slow),
    ],
)
def test_change_of_final_time_equals_a_free_last_interval(plan, feedback, oracle, usual, dx, goal):
    p, H = plan.problem, hamiltonian(plan)
    asked = replace(p, start=p.start + dx, goal=p.goal + goal)
    found = (oracle.solve(asked, plan.X, plan.F, True, H)["extra"] - usual) / p.h
    predicted = predict(feedback, 0, dx, goal, free=True)[0] / p.h
    assert predicted == pytest.approx(found, abs=0.1) and abs(found) > 0.2


@pytest.mark.slow
@pytest.mark.parametrize(("axis", "amount"), [(0, 0.05), (0, -0.05), (3, -10.0), (3, 10.0)])
def test_change_of_final_time_equals_enumeration(problems, plan, feedback, axis, amount):
    """The best whole number of frames by trying them all, half a frame apart at most (sagittal)."""
    p, H = plan.problem, hamiltonian(plan)
    dx, goal = NOTHING.copy(), NOTHING.copy()
    (goal if axis < 3 else dx)[axis] = amount

    def cost(extra: int, dx: np.ndarray, goal: np.ndarray) -> float:
        N = p.frames + extra
        more = max(extra, 0)
        later = p.x_ref[-1] + p.h * np.arange(1, more + 1)[:, None] * p.rate_ref
        x_ref = np.vstack([p.x_ref, later])[: N + 1]
        points = np.concatenate([p.points, np.repeat(p.points[-1:], more, axis=0)])[: N + 1]
        count = np.concatenate([p.count, np.repeat(p.count[-1:], more)])[: N + 1]
        asked = replace(p, x_ref=x_ref, points=points, count=count, start=p.start + dx, goal=p.goal + goal)
        try:
            return solve(asked).cost - H * N * p.h
        except NoPlan:  # so short that no motion gets there
            return np.inf

    def best(dx: np.ndarray, goal: np.ndarray) -> float:
        found = {e: cost(e, dx, goal) for e in range(-8, 9)}
        e = min(found, key=lambda k: found[k])
        a, b, c = (found.get(e + i, np.inf) for i in (-1, 0, 1))
        assert np.isfinite([a, b, c]).all()
        return e + 0.5 * (a - c) / (a - 2 * b + c)

    found = best(dx, goal) - best(NOTHING, NOTHING)
    assert predict(feedback, 0, dx, goal, free=True)[0] / p.h == pytest.approx(found, abs=0.5)

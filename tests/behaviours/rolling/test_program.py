"""The feature program against the full form of [Rolling] eq. 2, solved by another solver, and its limits."""

from __future__ import annotations

from itertools import count
from typing import Any

import casadi as ca
import numpy as np
import pytest

from poise.behaviours.rolling.condense import BLEND_EASE, FORCE_EASE
from poise.behaviours.rolling.joints import errors
from poise.behaviours.rolling.program import FeatureProgram, FeatureWeights
from poise.errors import BadInput
from poise.scenes.rolling import PAPER


def full_form(controller: Any):
    """Eq. 2 as it stands: accelerations, torques, forces and blend value as variables, dynamics as a constraint."""
    state, drive = controller.state, controller.solver
    program: FeatureProgram = drive.program
    w, touch, wanted = program.weights, program.touch, controller.behaviour.wanted
    k, nv = touch.count, state.nv
    na, h, R = nv - 6, w.tick, program.axes
    soft = np.concatenate([np.zeros(6), h * drive.kd + h * h * drive.kp])
    M = state.M + np.diag(soft)
    q, v = state.q[7:], state.v
    low, high = drive.low[6:], drive.high[6:]

    def spring(pose: np.ndarray) -> np.ndarray:
        error = np.zeros(len(pose))
        errors(drive.joints, q, drive.joints.q(pose), error)
        return np.clip(drive.kp * (error - h * v[6:]) - drive.kd * v[6:], low, high)

    tau_a, tau_b = spring(wanted.pose), spring(wanted.ahead)
    J, D = np.zeros((3 * k, nv)), np.zeros((6, 3 * k))
    for s in range(k):
        for i in range(3):
            f = touch.frame[s, i]
            J[3 * s + i] = touch.J[3 * s + i]
            D[:3, 3 * s + i], D[3:, 3 * s + i] = R.T @ f, R.T @ np.cross(touch.x[s] - state.c, f)
    gauss = w.metric == "gauss"
    B = w.pose * (np.linalg.inv(M)[6:, 6:] if gauss else np.eye(na))
    I = R.T @ np.linalg.inv(state.composite_inertia) @ R if gauss else np.eye(3)  # noqa: E741
    root = np.sqrt(w.angular)
    W = np.zeros((6, 6))
    W[:3, :3] = np.diag(w.linear) / (state.m if gauss else 1.0)
    W[3:, 3:] = root[:, None] * I * root
    b = np.concatenate([R.T @ (wanted.momentum_rate[:3] - state.weight), R.T @ wanted.momentum_rate[3:]])
    x = ca.SX.sym("x", nv + na + 3 * k + 1)  # type: ignore[call-overload]
    acc, tau, lam, gamma = x[:nv], x[nv : nv + na], x[nv + na : nv + na + 3 * k], x[-1]
    after = ca.mtimes(J, v + h * acc)
    gap = tau - gamma * tau_a - (1 - gamma) * tau_b
    short = ca.mtimes(D, lam) - b
    ease = FORCE_EASE / (state.m if gauss else 1.0)
    cost = (
        0.5 * w.contact * ca.sumsqr(after) + 0.5 * ca.bilin(B, gap, gap) + 0.5 * ca.bilin(W, short, short)
        + 0.5 * ease * ca.sumsqr(lam) + 0.5 * BLEND_EASE * (gamma - 1) ** 2
    )  # fmt: skip
    motion = ca.mtimes(M, acc) + state.bias - ca.vertcat(ca.SX.zeros(6), tau) - ca.mtimes(J.T, lam)
    cone = [w.mu * lam[3 * s] + sign * lam[3 * s + t] for s in range(k) for t in (1, 2) for sign in (1, -1)]
    g = ca.vertcat(motion, *cone)
    lbx, ubx = np.full(x.numel(), -np.inf), np.full(x.numel(), np.inf)
    lbx[nv : nv + na], ubx[nv : nv + na] = low, high
    lbx[nv + na : nv + na + 3 * k : 3] = 0.0
    lbx[-1], ubx[-1] = 0.0, 1.0
    return {"x": x, "f": cost, "g": g}, lbx, ubx, nv, k


def oracle(controller: Any) -> tuple[np.ndarray, float]:
    """Torques and blend value of the full form by qpOASES."""
    problem, lbx, ubx, nv, k = full_form(controller)
    options = {"printLevel": "none", "sparse": False, "error_on_fail": True}
    solver = ca.qpsol("oracle", "qpoases", problem, options)
    ubg = np.concatenate([np.zeros(nv), np.full(4 * k, np.inf)])
    x = np.array(solver(lbx=lbx, ubx=ubx, lbg=np.zeros(nv + 4 * k), ubg=ubg)["x"]).ravel()
    return x[nv : 2 * nv - 6], float(x[-1])


@pytest.mark.parametrize("weights", [FeatureWeights(), PAPER], ids=["gauss", "si"])
def test_condensed_form_agrees_with_the_full_one(rolling, weights: FeatureWeights) -> None:
    checked: list[int] = []
    ticks = count()

    def each(controller: Any) -> None:
        program = controller.solver.program
        if next(ticks) % 5 == 0 and program.touch.count and len(checked) < 12:
            tau, gamma = oracle(controller)
            scale = np.abs(tau).max()
            np.testing.assert_allclose(program.x[: len(tau)], tau, atol=1e-6 * scale)
            assert abs(program.gamma - gamma) < 1e-6
            checked.append(program.touch.count)

    rolling(1.2, each=each, weights=weights)
    assert len(checked) >= 5 and max(checked) >= 3


def test_limits_of_the_program_hold(rolling) -> None:
    def each(controller: Any) -> None:
        program = controller.solver.program
        if program.touch.count == 0:
            return
        x, na, k = program.x, controller.state.nv - 6, len(program.chosen)
        drive, slack = controller.solver, 1e-6
        assert (x[:na] <= drive.high[6:] + slack).all() and (x[:na] >= drive.low[6:] - slack).all()
        assert -1e-9 <= x[na] <= 1 + 1e-9
        normal, tangent = x[na + 1 : na + 1 + k], x[na + 1 + k :].reshape(k, 2)
        assert (normal >= -1e-6).all()
        assert (np.abs(tangent) <= program.weights.mu * normal[:, None] + 1e-4).all()

    rolling(1.0, each=each)


def test_two_passes_use_fewer_contacts(rolling) -> None:
    used = {}
    for passes in ("one", "two"):
        counts: list[float] = []

        def each(controller: Any, counts=counts) -> None:
            program = controller.solver.program
            if program.touch.count:
                counts.append(len(program.chosen) / program.touch.count)

        rolling(0.8, each=each, weights=FeatureWeights(passes=passes))
        used[passes] = float(np.mean(counts))
    assert used["one"] == 1.0
    assert used["two"] < 0.95


def test_head_is_held_out(rolling) -> None:
    def each(controller: Any) -> None:
        touch = controller.solver.program.touch
        assert controller.state.tree.body("head") not in touch.body[: touch.count]

    rolling(1.0, each=each)


def test_bad_weights_are_refused() -> None:
    with pytest.raises(BadInput, match="gauss"):
        FeatureWeights(metric="metre")
    with pytest.raises(BadInput, match="pose weight"):
        FeatureWeights(pose=0.0)


@pytest.mark.slow
def test_ten_thousand_solves_of_rolling_states(rolling) -> None:
    solves: list[bool] = []
    for seed in range(200, 215):
        done = rolling(12.0, seed=seed, each=lambda c: solves.append(c.solver.program.touch.count > 0))
        assert done.controller.solution.failures == 0
    assert sum(solves) >= 10_000

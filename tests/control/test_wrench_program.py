"""The reduced program against the whole problem in (v̇, w), solved densely with every limit in it."""

from __future__ import annotations

from types import SimpleNamespace

import daqp
import numpy as np
import pytest

from poise.control import Command, Solution
from poise.control import problem as whole
from poise.control.bounds import limit_bound
from poise.control.momentum import AngularMomentum
from poise.control.points import Point
from poise.dynamics.limits import STEEPEST
from poise.solvers.qp import FREE, Program


def command_of(rig: SimpleNamespace) -> Command:
    """What the behaviour wants now, with a fixed angular rate in place of its law, and a point to reach."""
    wanted = rig.behaviour.update(rig.state)
    h = float(rig.state.character.com_rest[2])
    spin = AngularMomentum(np.array([10.0, -5.0, 3.0]), (100.0, 100.0, 100.0), h)
    body, local = next(iter(rig.state.character.effectors.values()))
    reach = Point(body, tuple(local), rig.state.place(body, local) + 0.02, weight=1.0)
    return Command(wanted.tracking, wanted.linear, spin, wanted.supports, [reach])


def cost(rig: SimpleNamespace, command: Command) -> tuple[np.ndarray, np.ndarray]:
    """Normal equations P, r of all soft rows, one objective after the other."""
    state, supports = rig.state, rig.supports
    P, r = np.zeros((state.nv, state.nv)), np.zeros(state.nv)
    P[:3, :3] = whole.ROOT_EASE * np.eye(3)
    objectives = [command.tracking, command.linear, command.angular, *command.others]
    rows = [o.rows(state) for o in objectives]  # type: ignore[union-attr]
    h = float(state.character.com_rest[2])
    weight = whole.SUPPORT_WEIGHT * np.array([1 / h**2] * 3 + [1.0] * 3)
    planted = np.flatnonzero(supports.active)
    rows += [(state.J[s], supports.rate[s] - state.J_bias[s], weight) for s in planted]
    for A, b, w in rows:
        P += A.T @ (w[:, None] * A)
        r -= A.T @ (w * b)
    return P, r


def limit_rows(rig: SimpleNamespace, pressing: np.ndarray, J: np.ndarray):
    """Rows (A, lower, upper, sense): equation of motion with torque limits, cones, joint limits seen ahead."""
    state, limits, k = rig.state, rig.limits, 6 * len(pressing)
    nv = state.nv
    A = [np.hstack([state.M, -J.T])]
    lower, upper = [rig.solver.low - state.bias], [rig.solver.high - state.bias]
    sense = [np.array([5] * 6 + [0] * (nv - 6))]  # the root has no motors: equalities
    for q, s in enumerate(pressing):
        G = rig.supports.G[s]
        A.append(np.hstack([np.zeros((len(G), nv + 6 * q)), G, np.zeros((len(G), k - 6 * q - 6))]))
        lower.append(np.full(len(G), -FREE))
        upper.append(np.zeros(len(G)))
        sense.append(np.zeros(len(G)))
    for row in range(limits.size):
        bound = limit_bound(limits, row, state.v)
        if bound < STEEPEST:
            line, at = np.zeros((1, nv + k)), limits.dof[row]
            line[0, at : at + limits.width[row]] = limits.gradient[row, : limits.width[row]]
            A.append(line)
            lower.append(np.array([-FREE]))
            upper.append(np.array([bound]))
            sense.append(np.array([8]))
    return np.vstack(A), np.concatenate(lower), np.concatenate(upper), np.concatenate(sense).astype(np.int32)


def dense(rig: SimpleNamespace, command: Command) -> SimpleNamespace:
    """Minimise over accelerations and wrenches at once, with nothing eliminated and nothing left out."""
    state, nv = rig.state, rig.state.nv
    pressing = np.flatnonzero(rig.supports.active & (rig.supports.used > 0))  # planted and in touch
    J = rig.supports.J_local[pressing].reshape(-1, nv)
    k = len(J)
    P, r = cost(rig, command)
    force = rig.supports.ease / state.m**2
    ease = np.array(([force] * 3 + [force / rig.supports.arm**2] * 3) * len(pressing))
    w_ref = np.zeros(k)
    w_ref[2::6] = -state.m * state.g[2] / max(len(pressing), 1)
    H = np.zeros((nv + k, nv + k))
    H[:nv, :nv], H[nv:, nv:] = P, np.diag(ease)
    A, lower, upper, sense = limit_rows(rig, pressing, J)
    x, _, flag, info = daqp.solve(
        H, np.concatenate([r, -ease * w_ref]), A, upper, lower, sense, primal_tol=1e-9, iter_limit=5000,
        rho_soft=Program().soft,
    )  # fmt: skip
    assert flag > 0
    acts = np.abs(info["lam"]) > 1e-9
    cones = slice(nv, nv + sum(len(rig.supports.G[s]) for s in pressing))
    return SimpleNamespace(
        v_dot=x[:nv], w=x[nv:].reshape(-1, 6), tau=A[:nv] @ x + state.bias, pressing=pressing,
        torques=int(acts[6:nv].sum()), cones=int(acts[cones].sum()), joints=int(acts[cones.stop :].sum()),
    )  # fmt: skip


def solved(rig: SimpleNamespace, command: Command) -> Solution:
    failures = rig.solver.solution.failures
    rig.solver.refresh(command)
    solution = rig.solver.step()
    assert solution.failures == failures, solution.status
    return solution


def compare(rig: SimpleNamespace) -> SimpleNamespace:
    """Solve both ways and compare everything; returns the dense answer, to see which limits acted."""
    command = command_of(rig)
    solution = solved(rig, command)
    other = dense(rig, command)
    span = max(1.0, np.abs(other.v_dot).max())
    np.testing.assert_allclose(solution.v_dot, other.v_dot, atol=1e-5 * span)
    np.testing.assert_allclose(solution.tau, other.tau, atol=1e-5 * np.abs(other.tau).max())
    for s, w in zip(other.pressing, other.w):
        T = rig.supports.frames[s]
        mine = np.concatenate([T.T @ solution.wrenches[s, :3], T.T @ solution.wrenches[s, 3:]])
        np.testing.assert_allclose(mine, w, atol=1e-5 * max(rig.state.m, np.abs(other.w).max(initial=0.0)))
    check(rig, solution)
    return other


def check(rig: SimpleNamespace, solution: Solution) -> None:
    """What every solution owes: no force on the root, torques within limits, wrenches the ground can give."""
    state, solver, supports = rig.state, rig.solver, rig.supports
    scale = np.abs(solution.tau).max()
    assert np.abs(solution.tau[:6]).max() < 1e-9 * max(scale, 1.0) * state.nv
    slack = 1e-3 * np.maximum(solver.high, 1.0)[6:]
    assert (solution.tau[6:] <= solver.high[6:] + slack).all()
    assert (solution.tau[6:] >= solver.low[6:] - slack).all()
    total = sum(
        (state.J[s].T @ solution.wrenches[s] for s in np.flatnonzero(supports.active)), np.zeros(state.nv)
    )
    balance = state.M @ solution.v_dot + state.bias - solution.tau - total
    assert np.abs(balance).max() < 1e-7 * max(1.0, np.abs(total).max(), scale)
    for s in np.flatnonzero(supports.active):
        inside_cone(solution.wrenches[s], supports, state, s)
    assert not solution.wrenches[~supports.active].any()


def inside_cone(wrench: np.ndarray, supports, state, s) -> None:
    """Force in the friction cone, centre of pressure in the sole, stated without the solver's rows."""
    T = supports.frames[s]
    fx, fy, fz = T.T @ wrench[:3]
    mx, my, mz = T.T @ wrench[3:]
    tiny = 1e-4 * state.m * 9.81
    assert fz >= -tiny
    assert np.hypot(fx, fy) <= supports.mu * fz + tiny
    if fz > 0.01 * state.m * 9.81:
        local = (state.corners[s, : state.corner_count[s]] - state.x[s]) @ T
        low, high = local[:, :2].min(axis=0), local[:, :2].max(axis=0)
        assert (low - 1e-3 <= [-my / fz, mx / fz]).all() and ([-my / fz, mx / fz] <= high + 1e-3).all()
        assert abs(mz) <= supports.mu * fz * np.abs(local).max() + tiny


def test_no_limit_acts(stand, name: str):
    other = compare(stand(name, seconds=0.2))
    assert other.torques == other.joints == 0


@pytest.mark.parametrize("force", [(300.0, 0.0, 0.0), (0.0, 250.0, 0.0), (-200.0, -200.0, 0.0)])
def test_pushed(stand, name: str, force: tuple[float, float, float]):
    compare(stand(name, seconds=0.3, force=force))


def test_pushes_bring_the_cones_into_play(stand):
    assert compare(stand("adult", seconds=0.35, force=(0.0, 300.0, 0.0))).cones > 0


def test_torque_limits(stand, name: str):
    rig = stand(name, seconds=0.3, force=(250.0, 0.0, 0.0), stir=1.0)
    for share in (0.6, 0.3):
        rig.solver.low[:], rig.solver.high[:] = share * rig.solver.low, share * rig.solver.high
        other = compare(rig)
    assert other.torques > 0


def test_joint_limits(stand, name: str):
    """Joints driven fast towards their limits: the look-ahead acts, softly where it cannot hold."""
    calm, fast = stand(name, seconds=0.3, force=(300.0, 0.0, 0.0)), stand(name, seconds=0.2, stir=3.0)
    assert compare(calm).joints + compare(fast).joints > 0


def test_single_support(stand):
    """One foot lifted: its wrench is no longer there."""
    rig = stand("adult", seconds=0.2)
    command = command_of(rig)
    command.supports = np.array([True, False])
    solution = solved(rig, command)
    other = dense(rig, command)
    np.testing.assert_allclose(solution.v_dot, other.v_dot, atol=1e-5 * np.abs(other.v_dot).max())
    check(rig, solution)


def test_flight(stand, name: str):
    """No support means no rows: gravity alone moves the centre of mass, whatever is asked."""
    rig = stand(name, seconds=0.1)
    command = command_of(rig)
    command.supports = np.zeros(len(rig.supports.active), dtype=bool)
    solution = solved(rig, command)
    check(rig, solution)
    scale = rig.state.m * 9.81
    np.testing.assert_allclose(solution.momentum_rate[:3], rig.state.m * rig.state.g, atol=1e-8 * scale)
    np.testing.assert_allclose(solution.momentum_rate[3:], 0.0, atol=1e-8 * scale)
    other = dense(rig, command)
    np.testing.assert_allclose(solution.v_dot, other.v_dot, atol=1e-5 * np.abs(other.v_dot).max())


def test_solving_again_gives_the_same(stand):
    """The warm start is a memory of which limits acted, not of the answer."""
    rig = stand("adult", seconds=0.3, force=(0.0, 300.0, 0.0), stir=1.0)
    first = rig.solver.step().tau.copy()
    for _ in range(3):
        np.testing.assert_allclose(rig.solver.step().tau, first, atol=1e-5 * np.abs(first).max())


def test_planted_but_in_the_air(stand):
    """A body lifted off with its feet still wanted on the ground gets no force from it, and says so in L̇."""
    rig = stand("adult", seconds=0.1)
    rig.arena.data.qpos[2] += 0.05
    rig.arena.begin()
    rig.state.update()
    command = command_of(rig)
    solution = solved(rig, command)
    other = dense(rig, command)
    assert rig.supports.active.all() and len(other.pressing) == 0
    assert not solution.wrenches.any()
    np.testing.assert_allclose(
        solution.momentum_rate[:3], rig.state.m * rig.state.g, atol=1e-8 * rig.state.m * 9.81
    )
    np.testing.assert_allclose(solution.v_dot, other.v_dot, atol=1e-5 * np.abs(other.v_dot).max())

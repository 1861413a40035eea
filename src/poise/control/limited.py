"""One step's program with the limits that act: cones, torques and joints, all in compiled code."""

from __future__ import annotations

import numpy as np

from poise.compiled import compiled
from poise.control.reduce import accelerate, broken, extend
from poise.dynamics.limits import LOOK_AHEAD, STEEPEST
from poise.solvers.active_set import minimise

ROUNDS = 8  # of adding broken limits
SOFT = 1e-4  # price of a joint limit that is exceeded: reciprocal weight of its scaled row


@compiled(error_model="numpy")
def limited(
    L, z, M, bias, J_local, push, Y, S, e, D, K, P_w, r_w, w, low, high, v, excess, dof, width, gradient, G, cone_sides,
    limit_sides, row_list, v_dot, tau,
):  # fmt: skip
    """Accelerations, torques and wrenches within all limits. Returns rounds of the programs, or what is wrong.

    A limit joins the program when it acted in the last step or when a solution breaks it.

    Args:
        push: Supports that press. w: (6 S,) their wrenches, to be filled.
        cone_sides: (S, rows), limit_sides: (nv + joint rows,): which acted last time, and which act now.
    """
    n = 0
    for i in range(limit_sides.shape[0]):
        if limit_sides[i] != 0:
            row_list[n] = i
            n += 1
    rows = row_list[:n].copy()
    k, each = r_w.shape[0], G.shape[1]
    cones, total = each * push.shape[0], 0
    for _ in range(ROUNDS):
        P, r, A, lower, upper, sense, Y_hat = extend(
            rows, L, z, Y, S, e, K, M, bias, J_local, push, low, high, v, excess, dof, width, gradient, LOOK_AHEAD,
            STEEPEST, P_w, r_w, G,
        )  # fmt: skip
        x, sides = np.empty(r.shape[0]), np.zeros(A.shape[0], dtype=np.int8)
        for s in range(push.shape[0]):
            sides[s * each : (s + 1) * each] = cone_sides[push[s]]
        for q in range(rows.shape[0]):
            sides[cones + q] = limit_sides[rows[q]]
        rounds = minimise(P, r, A, lower, upper, sense == 8, SOFT, sides, x)
        if rounds < 0:
            return rounds
        total += rounds
        for s in range(push.shape[0]):
            cone_sides[push[s]] = sides[s * each : (s + 1) * each]
        for q in range(rows.shape[0]):
            limit_sides[rows[q]] = sides[cones + q]
        w[:] = x[:k]
        accelerate(L, z, Y, S, e, D, w, Y_hat, x[k:], M, bias, J_local, push, v_dot, tau)
        n = broken(tau, low, high, v_dot, v, excess, dof, width, gradient, LOOK_AHEAD, STEEPEST, row_list)
        fresh = _fresh(row_list, n, rows)
        if fresh == rows.shape[0]:
            break
        rows = row_list[:fresh].copy()
    return total


@compiled
def _fresh(found, n, rows):
    """The rows that were in the program, then those found broken that were not, into ``found``; returns how many."""
    new = np.empty(n, dtype=np.int64)
    count = 0
    for q in range(n):
        if not (rows == found[q]).any():
            new[count] = found[q]
            count += 1
    found[: rows.shape[0]] = rows
    found[rows.shape[0] : rows.shape[0] + count] = new[:count]
    return rows.shape[0] + count

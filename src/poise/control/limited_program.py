"""One step's program with the limits that act: cones, torques and joints, all in compiled code."""

import numpy as np

from poise.compiled import compiled
from poise.control.bounds import along, limit_bound
from poise.control.extend import extend
from poise.control.wrench_program import accelerate
from poise.dynamics.limits import STEEPEST
from poise.solvers.active_set import minimise

ROUNDS = 8  # of adding broken limits
SOFT = 1e-4  # price of a joint limit that is exceeded: reciprocal weight of its scaled row
SLACK = 1e-6  # by which a limit may be passed [N m], [rad/s²]
SLACK_SHARE = 1e-4  # and that part of a torque's limit


@compiled
def limited(state, supports, limits, work, n):
    """Accelerations, torques and wrenches within all limits. Returns rounds of the programs, or what is wrong.

    A limit joins the program when it acted in the last step or when a solution breaks it. ``work.cone_sides`` and
    ``work.limit_sides`` say which acted last time, and then which act now.
    """
    part, total = work.reduction, 0
    rows = np.flatnonzero(work.limit_sides)
    for _ in range(ROUNDS):
        P, r, A, lower, upper, soft, Y_hat = extend(state, supports, limits, work, n, rows)
        x, sides = np.empty(r.shape[0]), np.zeros(A.shape[0], dtype=np.int8)
        _recall(work, n, rows, sides, True)
        rounds = minimise(P, r, A, lower, upper, soft, SOFT, sides, x)
        if rounds < 0:
            return rounds
        total += rounds
        _recall(work, n, rows, sides, False)
        part.w[: 6 * n] = x[: 6 * n]
        accelerate(state, supports, work.problem, part, n, Y_hat, x[6 * n :], work.v_dot, work.tau)
        fresh = _fresh(work.rows, broken(state, limits, work), rows)
        if fresh == rows.shape[0]:
            break
        rows = work.rows[:fresh].copy()
    return total


@compiled
def _recall(work, n, rows, sides, before):
    """Which limits act, from the last step into the program (``before``) or from the program to the next step."""
    each = work.cone_sides.shape[1]
    for s in range(n):
        kept = work.cone_sides[work.reduction.chosen[s]]
        for row in range(each):
            if before:
                sides[s * each + row] = kept[row]
            else:
                kept[row] = sides[s * each + row]
    for q in range(rows.shape[0]):
        if before:
            sides[n * each + q] = work.limit_sides[rows[q]]
        else:
            work.limit_sides[rows[q]] = sides[n * each + q]


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


@compiled
def broken(state, limits, work):
    """List the limits that a solution breaks: torque i as i, joint row j as nv + j. Returns how many."""
    nv, n = state.v.shape[0], 0
    tau, low, high, out = work.tau, work.low, work.high, work.rows
    for i in range(6, nv):
        slack = SLACK + SLACK_SHARE * high[i]
        if tau[i] > high[i] + slack or tau[i] < low[i] - slack:
            out[n] = i
            n += 1
    for row in range(limits.excess.shape[0]):
        bound = limit_bound(limits, row, state.v)
        if bound < STEEPEST and along(limits, row, work.v_dot) > bound + SLACK:
            out[n] = nv + row
            n += 1
    return n

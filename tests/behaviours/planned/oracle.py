"""The same problem written once more for CasADi and solved by IPOPT: knows nothing of our solver."""

from __future__ import annotations

from typing import Any

import numpy as np

from poise.behaviours.planned.problem import Problem


def solve(
    p: Problem, X0: np.ndarray, F0: np.ndarray, last_step: bool = False, tilt: float = 0.0
) -> dict[str, Any]:
    """Optimal X, F, cost and multiplier of the goal, from a first guess.

    With ``last_step`` the length of the last interval is free as well (its running cost less ``tilt`` per second);
    the answer then has ``extra``, how much longer than h it became [s].
    """
    import casadi as ca

    w, N, m, h = p.weights, p.frames, p.mass, p.h
    opti = ca.Opti()
    X = opti.variable(12, N + 1)
    Fs = [opti.variable(3, int(n)) if n else None for n in p.count[:N]]
    last = opti.variable() if last_step else None
    cost = 0
    opti.subject_to(X[:, 0] == p.start)
    for k in range(N):
        F: Any = Fs[k]
        dt = h if last is None or k < N - 1 else last
        x, ref = X[:, k], p.x_ref[k]
        total, start, middle = ca.DM(p.g * m), ca.DM.zeros(3), ca.DM.zeros(3)
        for i in range(int(p.count[k])):
            f, at = F[:, i], ca.DM(p.points[k, i])
            total += f
            start += ca.cross(at - x[:3], f)
            middle += ca.cross(at - x[:3] - dt / (2 * m) * x[3:6], f)
            for axis in range(2):
                opti.subject_to(p.mu * f[2] + f[axis] >= 0)
                opti.subject_to(p.mu * f[2] - f[axis] >= 0)
        new = [x[:3] + dt / m * (x[3:6] + dt / 2 * total), x[3:6] + dt * total,
               x[6:9] + dt * (x[9:] + dt / 2 * start), x[9:] + dt * middle]  # fmt: skip
        opti.subject_to(X[:, k + 1] == ca.vertcat(*new))
        force = w.force * ca.sumsqr(F) if F is not None else 0
        state = w.track * ca.sumsqr(x[:9] - ref[:9]) + w.angular * ca.sumsqr(x[9:])
        cost += dt * (force + state - (tilt if last is not None and k == N - 1 else 0.0))
    goal = X[:, N] == p.goal
    opti.subject_to(goal)
    opti.minimize(cost)
    opti.set_initial(X, X0.T)
    for k, F in enumerate(Fs):
        if F is not None:
            opti.set_initial(F, F0[k, : int(p.count[k])].T)
    if last is not None:
        opti.set_initial(last, h)
    options = {"print_level": 0, "sb": "yes", "tol": 1e-11, "constr_viol_tol": 1e-11, "max_iter": 300}
    opti.solver("ipopt", {"print_time": False}, options)
    answer = opti.solve()
    out = np.zeros_like(F0)
    for k, F in enumerate(Fs):
        if F is not None:
            out[k, : int(p.count[k])] = np.array(answer.value(F)).reshape(3, -1).T
    found = {"X": np.asarray(answer.value(X)).T, "F": out, "cost": float(answer.value(cost)),
             "multiplier": np.array(answer.value(opti.dual(goal)))}  # fmt: skip
    if last is not None:
        found["extra"] = float(answer.value(last)) - h
    return found

r"""Quadratic programs: minimise ½ xᵀ P x + rᵀ x subject to lower ≤ G x ≤ upper, by DAQP's dual active set.

A problem that fails never stops a run: the caller gets the status and holds its last good solution.
"""

from __future__ import annotations

from dataclasses import dataclass

import daqp
import numpy as np

ITERATIONS = 400  # cap; ordinary problems take 5-30
FREE = 1e30  # a bound that is none


@dataclass(frozen=True)
class Result:
    """Minimiser, whether it is one, and how many iterations it took."""

    x: np.ndarray
    solved: bool
    iterations: int
    status: str


STATUS = {
    1: "solved",
    2: "solved, a soft limit was exceeded",
    -1: "infeasible: no point satisfies all limits; widen friction or torque limits",
    -2: "cycled: limits contradict each other numerically; raise the regularisation of forces",
    -3: "unbounded: some variable has no cost; raise the regularisation",
    -4: "iteration cap reached",
    -5: "the cost is not convex; a weight is negative or not finite",
    -6: "the starting active set was contradictory",
}


class Program:
    """Workspaces by problem size, so that a solve allocates nothing but its answer."""

    def __init__(self, soft: float = 1e-4):
        self.soft = soft  # reciprocal weight of a soft limit
        self._models: dict[tuple[int, int], daqp.Model] = {}

    def solve(self, P, r, G, lower, upper, sense) -> Result:
        """Arrays must be C-contiguous float64 (sense: int32; 0 a limit, 8 a soft one)."""
        size = (len(r), len(G))
        model = self._models.get(size)
        if model is None:
            model = self._models[size] = daqp.Model()
            model.settings = {"iter_limit": ITERATIONS, "rho_soft": self.soft, "primal_tol": 1e-7}
            flag = model.setup(P, r, G, upper, lower, sense)[0]
        else:
            flag = model.update(H=P, f=r, A=G, bupper=upper, blower=lower, sense=sense)
        if flag < 0:
            self._models.pop(size)  # a failed set-up may leave the workspace unusable
            return _unsolved(size[0], 0, STATUS.get(flag, f"set-up failed ({flag})"))
        x, _, flag, info = model.solve()
        if flag < 0 or not np.isfinite(x).all():
            self._models.pop(size)
            return _unsolved(size[0], info["iterations"], STATUS.get(flag, f"failed ({flag})"))
        return Result(x, True, info["iterations"], STATUS.get(flag, "solved"))


def _unsolved(n: int, iterations: int, status: str) -> Result:
    return Result(np.zeros(n), False, iterations, status)

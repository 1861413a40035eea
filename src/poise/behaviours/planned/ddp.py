r"""The best motion of a segment: constrained differential dynamic programming with a final state that must be met.

.. math:: \min \sum_k h\, \ell(x_k, F_k) \quad \text{s.t. } x_{k+1} = f(x_k, F_k),\; F_k \in K,\;
          \Psi = x_N - x_{goal} = 0

Forces and the multiplier μ of Ψ take Newton steps together; an augmented term ½ ρ Ψᵀ S Ψ keeps the bilinear problem
convex along the way and changes neither the optimum nor the gains. References: [Abstract], eq. 2 and 3.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from poise.behaviours.planned.problem import Problem
from poise.behaviours.planned.rollout import rollout
from poise.behaviours.planned.sweep import NT, backward, forward
from poise.character.constants import GRAVITY
from poise.errors import PoiseError
from poise.records import Cube, FlagMatrix, Matrix, Record

SCALE = np.repeat([1e4, 1.0, 10.0, 10.0], 3)  # S: how much a unit of c, L, ∫H, H in Ψ counts
RHO, LARGEST_RHO = 300.0, 1e8  # of the augmented term
ITERATIONS = 40
REACHED = 1e-9  # largest entry of Ψ at the end [m, kg m/s, kg m², kg m²/s]
STILL = 1e-9  # last change of the forces, over the weight
SHARES = tuple(0.5**i for i in range(9))  # of a Newton step, tried in turn


class NoPlan(PoiseError):
    """No motion was found that meets the goal; carries the best one."""

    def __init__(self, why: str, plan: Plan):
        super().__init__(why)
        self.plan = plan


@dataclass(eq=False)
class Plan:
    """An optimal motion: states X (N + 1, 12), forces F (N, P, 3), multiplier mu (12,), and how it was found."""

    problem: Problem
    X: np.ndarray
    F: np.ndarray
    multiplier: np.ndarray
    cost: float
    miss: np.ndarray  # Ψ (12,)
    iterations: int
    converged: bool
    expansion: Expansion = field(repr=False)


class Expansion(Record):
    """Arrays of one backward sweep over N frames with up to P points; θ has 13 entries."""

    Vx: Matrix  # (N + 1, 12)
    Vxx: Cube  # (N + 1, 12, 12)
    Vxt: Cube  # (N + 1, 12, 13)
    Vtt: Cube  # (N + 1, 13, 13)
    Vt: Matrix  # (N + 1, 13)
    active: FlagMatrix  # (N, 4P)
    QF: Matrix  # (N, 3P)
    QFF: Cube  # (N, 3P, 3P)
    QFx: Cube  # (N, 3P, 12)
    QFt: Cube  # (N, 3P, 13)
    Kx: Cube  # (N, 3P, 12)
    Kt: Cube  # (N, 3P, 13)
    step_F: Cube  # (N, P, 3)

    def __init__(self, frames: int, most: int) -> None:
        d = 3 * most
        self.Vx, self.Vxx = np.zeros((frames + 1, 12)), np.zeros((frames + 1, 12, 12))
        self.Vxt, self.Vtt = np.zeros((frames + 1, 12, NT)), np.zeros((frames + 1, NT, NT))
        self.Vt = np.zeros((frames + 1, NT))
        self.active = np.zeros((frames, 4 * most), bool)
        self.QF, self.QFF = np.zeros((frames, d)), np.zeros((frames, d, d))
        self.QFx, self.QFt = np.zeros((frames, d, 12)), np.zeros((frames, d, NT))
        self.Kx, self.Kt = np.zeros((frames, d, 12)), np.zeros((frames, d, NT))
        self.step_F = np.zeros((frames, most, 3))
        self.seal()

    def end(self, multiplier: np.ndarray, miss: np.ndarray, rho: float) -> None:
        """The final instant: μᵀΨ + ½ ρ ΨᵀSΨ at the last state, with θ = [multiplier, final time], which is held."""
        self.Vx[-1], self.Vxx[-1] = multiplier + rho * SCALE * miss, np.diag(rho * SCALE)
        self.Vxt[-1], self.Vtt[-1], self.Vt[-1] = np.eye(12, NT), 0.0, np.append(miss, 0.0)

    def sweep(self, problem: Problem, X: np.ndarray, F: np.ndarray) -> bool:
        """Fill from the end; false where the problem is not convex enough."""
        return backward(X, F, problem, self) < 0


def solve(problem: Problem, throw: bool = True, rho: float = RHO, start: Plan | None = None) -> Plan:
    """The optimal motion of a problem.

    Args:
        problem: The segment.
        throw: Raise NoPlan when the goal cannot be met; otherwise the best motion comes back unconverged.
        rho: Of the augmented term; raised by itself where the sweep finds the problem not convex.
        start: A neighbouring plan to begin from, in place of the tracking roll-out.
    """
    X, F = rollout(problem) if start is None else (start.X.copy(), start.F.copy())
    multiplier = np.zeros(12) if start is None else start.multiplier.copy()
    X[0] = problem.start
    expansion = Expansion(problem.frames, F.shape[1])
    weight = problem.mass * GRAVITY
    cost, miss, change, iteration = np.inf, X[-1] - problem.goal, np.inf, 0
    penalty = np.abs(multiplier)
    while iteration < ITERATIONS:
        iteration += 1
        while rho <= LARGEST_RHO:
            expansion.end(multiplier, miss, rho)
            if expansion.sweep(problem, X, F):
                break
            rho *= 10.0
        else:
            change = np.inf
            break
        Vmm = expansion.Vtt[0][:12, :12]
        dm = _dual_step(Vmm, expansion.Vt[0][:12])
        penalty = np.maximum(1.2 * np.abs(multiplier + dm) + 1.0, 0.9 * penalty)
        best = _search(problem, X, F, expansion, dm, cost, miss, penalty)
        if best is None:
            if rho < 1e6:
                rho *= 10.0
                continue
            break
        share, X_new, F_new, cost = best
        change = float(np.abs(F_new - F).max() / weight)
        X, F, multiplier = X_new, F_new, multiplier + share * dm
        miss = X[-1] - problem.goal
        if share == 1.0 and change < STILL and np.abs(miss).max() < REACHED:
            break
    converged = bool(np.abs(miss).max() < 1e-6 and change < 1e-5)
    plan = Plan(problem, X, F, multiplier, float(cost), miss, iteration, converged, expansion)
    if converged:
        expansion.end(multiplier, miss, rho)
        expansion.sweep(problem, X, F)
    elif throw:
        raise NoPlan(_why(plan), plan)
    return plan


def _why(plan: Plan) -> str:
    c, L = np.linalg.norm(plan.miss[:3]), np.linalg.norm(plan.miss[3:6])
    return (
        f"no motion of {plan.problem.frames} frames reaches the goal: the best of {plan.iterations} iterations misses "
        f"the centre of mass by {c:.3g} m and its momentum by {L:.3g} kg m/s"
    )


def _dual_step(Vmm: np.ndarray, Vm: np.ndarray) -> np.ndarray:
    """-V_μμ⁻¹ V_μ; V_μμ is negative definite as far as the forces can move the final state."""
    unit = np.sqrt(SCALE)
    values, vectors = np.linalg.eigh(0.5 * (Vmm + Vmm.T) * np.outer(unit, unit))
    floor = 1e-13 * np.abs(values).max()
    inverse = np.where(np.abs(values) > floor, 1.0 / np.minimum(values, -floor), 0.0)
    return -unit * (vectors @ (inverse * (vectors.T @ (unit * Vm))))


def _search(problem: Problem, X, F, e: Expansion, dm, cost, miss, penalty):
    """The longest step that lowers cost + penalty |Ψ|, or None."""
    dt = np.append(dm, 0.0)
    merit = cost + penalty @ np.abs(miss)
    for share in SHARES:
        X_new, F_new = np.empty_like(X), np.empty_like(F)
        new = forward(X, F, problem, e, dt, share, X_new, F_new)
        if not np.isfinite(new):
            continue
        value = new + penalty @ np.abs(X_new[-1] - problem.goal)
        if value <= merit + 1e-9 * abs(merit):
            return share, X_new, F_new, new
    return None

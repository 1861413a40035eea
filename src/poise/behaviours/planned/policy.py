r"""Feedback around an optimal motion: how forces, multiplier and final time answer to a change of state and goal.

.. math:: \delta F = K^x \delta x + K^\mu \delta\mu + K^t \delta t_f, \qquad
          \delta\mu = V_{\mu\mu}^{-1} (\Delta\Psi - V_{\mu x} \delta x - V_{\mu t_f} \delta t_f)

.. math:: \delta t_f = K^d \delta x + K^c \Delta\Psi, \quad
          K^d = \frac{V_{t x} - V_{t\mu} V_{\mu\mu}^{-1} V_{\mu x}}{D}, \; K^c = \frac{V_{t\mu} V_{\mu\mu}^{-1}}{D}, \;
          D = V_{t\mu} V_{\mu\mu}^{-1} V_{\mu t} - V_{tt}

D must be negative: -D is the curvature of the cost over the final time once the goal is met. At the end
V_xt = H_x + V_xx f, V_μt = f, V_tt = H_t + H_xᵀ f + fᵀ V_xx f with the Hamiltonian H = ℓ + V_xᵀ f at the forces that
minimise it; [Abstract] leaves H_t out, and writes H_F for H_Fx in K^x.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise.behaviours.planned.cone import FACES, project
from poise.behaviours.planned.ddp import RHO, Expansion, Plan
from poise.behaviours.planned.model import jacobians, rate
from poise.behaviours.planned.sweep import tracked
from poise.errors import PoiseError
from poise.records import Cube, Flags, Indices, Matrix, Real, Record, Vector

TAIL = 4  # frames before the end in which V_μμ is too small to be inverted: the gains of the last good frame hold
STEADY = 0.3  # largest |1 + K^d ẋ*| with which the time may be searched


@dataclass(eq=False)
class Policy(Record):
    """All that the controller needs of one segment, frame by frame (N + 1 states, N forces).

    Attributes:
        X, F: The optimal states (N + 1, 12) and forces (N, P, 3).
        X_dot: (N + 1, 12) their rate.
        points, count: Contacts, as in the problem.
        Kx, Kt: (N, 3P, 12) and (N, 3P) feedback of state and final time, Km (N, 3P, 12) of the multiplier.
        Vmx, Vmm_inverse, Vmt: (N, 12, 12), (N, 12, 12), (N, 12) for the multiplier.
        Kd, Kc: (N, 12) each: change of final time [s] by state and by goal.
        curvature: (N,) -D, positive where the final time has a minimum.
        free: (N,) whether the final time may be searched there.
        mass, h, mu: As in the problem.
    """

    X: Matrix
    F: Cube
    X_dot: Matrix
    points: Cube
    count: Indices
    Kx: Cube
    Km: Cube
    Kt: Matrix
    Vmx: Cube
    Vmm_inverse: Cube
    Vmt: Matrix
    Kd: Matrix
    Kc: Matrix
    curvature: Vector
    free: Flags
    mass: Real
    h: Real
    mu: Real

    def __post_init__(self) -> None:
        self.seal()

    @property
    def frames(self) -> int:
        return len(self.F)


def policy(plan: Plan, rho: float = RHO) -> Policy:
    """Gains of a plan, by one more sweep with the final time among the parameters."""
    problem, e = plan.problem, Expansion(plan.problem.frames, plan.F.shape[1])
    _end(plan, rho, e)
    if not e.sweep(problem, plan.X, plan.F):
        raise PoiseError("the plan is not a minimum: its second derivatives are not positive")
    N = problem.frames
    X_dot = np.empty((N + 1, 12))
    for k in range(N + 1):
        n, force = int(problem.count[k]), plan.F[k] if k < N else _last_force(plan, plan.multiplier)
        rate(plan.X[k], problem.points[k, :n], force[:n], problem.mass, problem.g, X_dot[k])
    Vmx, Vmt, Vtt = e.Vxt[:N, :, :12].transpose(0, 2, 1), e.Vtt[:N, :12, 12], e.Vtt[:N, 12, 12]
    inverse = _inverses(e.Vtt[:N, :12, :12])
    half = np.einsum("kj,kij->ki", Vmt, inverse)  # V_tμ V_μμ⁻¹ (symmetric)
    D = np.einsum("ki,ki->k", half, Vmt) - Vtt
    D = np.where(np.abs(D) < 1e-12, -1e-12, D)
    Kd = (e.Vxt[:N, :, 12] - np.einsum("ki,kij->kj", half, Vmx)) / D[:, None]
    Kc = half / D[:, None]
    steady = np.abs(1.0 + np.einsum("ki,ki->k", Kd, X_dot[:N])) < STEADY
    return Policy(
        plan.X, plan.F, X_dot, problem.points, problem.count, e.Kx, e.Kt[:, :, :12].copy(), e.Kt[:, :, 12].copy(),
        Vmx.copy(), inverse, Vmt.copy(), Kd, Kc, -D, (D < 0) & steady, problem.mass, problem.h, problem.mu,
    )  # fmt: skip


def _inverses(Vmm: np.ndarray) -> np.ndarray:
    """V_μμ⁻¹ (N, 12, 12); near the end, where hardly any force is left to act, that of the last good frame."""
    N = len(Vmm)
    out = np.empty_like(Vmm)
    for k in range(N):
        j = min(k, max(N - 1 - TAIL, 0))
        unit = 1.0 / np.sqrt(np.maximum(-np.diag(Vmm[j]), 1e-300))
        values, vectors = np.linalg.eigh(0.5 * (Vmm[j] + Vmm[j].T) * np.outer(unit, unit))
        good = values < -1e-11
        inverse = np.where(good, 1.0 / np.where(good, values, -1.0), 0.0)
        out[k] = (vectors * inverse) @ vectors.T * np.outer(unit, unit)
    return out


def _last_force(plan: Plan, costate: np.ndarray) -> np.ndarray:
    """Forces (P, 3) that minimise the Hamiltonian at the final instant."""
    p = plan.problem
    n, F = int(p.count[-1]), np.zeros(plan.F.shape[1:])
    if n:
        Q, r = 2.0 * p.weights.force * np.eye(3 * n), np.empty(3 * n)
        for i in range(n):
            arm = p.points[-1, i] - plan.X[-1, :3]
            r[3 * i : 3 * i + 3] = costate[3:6] + np.cross(costate[9:], arm)
        found = np.empty((n, 3))
        project(Q, r, p.mu, np.zeros(FACES * n, bool), found)
        F[:n] = found
    return F


def _end(plan: Plan, rho: float, e: Expansion) -> None:
    """Fill the expansion at the final instant, final time included."""
    p, x = plan.problem, plan.X[-1]
    e.end(plan.multiplier, plan.miss, rho)
    Vx, Vxx, Vxt, Vtt = e.Vx[-1], e.Vxx[-1], e.Vxt[-1], e.Vtt[-1]
    n, F = int(p.count[-1]), _last_force(plan, Vx)
    f, fx, fF = np.empty(12), np.empty((12, 12)), np.empty((12, 3 * n))
    rate(x, p.points[-1, :n], F[:n], p.mass, p.g, f)
    tiny = 1e-6  # the rate's own Jacobian is what is left of the map's as the frame shrinks
    jacobians(x, p.points[-1, :n], F[:n], tiny, p.mass, fx, fF)
    f_x = (fx - np.eye(12)) / tiny
    f_x[6:9, :3] = 0.0
    f_x[9:, 3:6] = 0.0
    track, own = tracked(p.w)
    error = x - p.x_ref[-1]
    H_x = 2 * (track * error + own * x) + f_x.T @ Vx
    H_t = -2 * (track * error) @ p.rate_ref
    Vxt[:, 12] = H_x + Vxx @ f
    Vtt[:12, 12] = Vtt[12, :12] = f
    Vtt[12, 12] = H_t + H_x @ f + f @ Vxx @ f

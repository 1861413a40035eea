r"""Stops of the ball joints of a body in the engine; hinges have the engine's own.

Two kinds, both a critically damped spring along each excess e beyond the limit, that pushes only back:

``soft``: explicit, along one joint at a time, and no stronger than at a small excess.

``firm``: taken at the end of the coming step, so that it is stable however stiff it is. With the rows G of the
excesses beyond the limit and A = G M⁻¹ Gᵀ, whose diagonal a is what one stop alone would move:

.. math:: \lambda = \frac{ω^2 (e + h\dot e') + 2 ω \dot e'}{a} \ge 0, \qquad \dot e' = G v - h A λ

which is found by projected Gauss-Seidel.
"""

from __future__ import annotations

import mujoco
import numpy as np

from poise.character import Character
from poise.compiled import compiled, compiled_for_record
from poise.dynamics.limits import JointLimits, limit_rows, stop_torques
from poise.dynamics.tree import Tree
from poise.records import Indices, Matrix, Real, Vector

RATE = 100.0  # [rad/s] natural frequency of a soft stop
FIRM = 1500.0  # [rad/s] and of a firm one
SWEEPS = 8


class Stops(JointLimits):
    """The limits of a body's joints, and the engine's arrays that their stops read and write."""

    q: Vector
    v: Vector
    tau: Vector  # (nv,) applied by the stops [N m]
    inertia: Vector  # (nv,) felt at each joint with all others free [kg m²]
    rate: Real
    h: Real  # time step [s]
    acting: Indices  # rows beyond their limit
    G: Matrix  # their gradients, degrees of freedom of the whole model
    X: Matrix  # M⁻¹ Gᵀ, by rows
    push: Vector  # λ

    def __init__(self, tree: Tree, character: Character, data: mujoco.MjData, firm: bool = False):
        self.q, self.v, self.tau = data.qpos[tree.qs], data.qvel[tree.dofs], data.qfrc_applied[tree.dofs]
        self.inertia, self.rate = 1.0 / tree.model.dof_invweight0[tree.dofs], FIRM if firm else RATE
        self.h, self._engine, self._firm = float(tree.model.opt.timestep), (tree.model, data), firm
        rows, self.dof0 = 2 * len(character.limits), tree.dof0
        self.G, self.X = np.zeros((rows, tree.model.nv)), np.zeros((rows, tree.model.nv))
        self.acting, self.push = np.zeros(rows, dtype=np.int64), np.zeros(rows)
        super().__init__(tree, character)

    def act(self) -> None:
        """Torques of the stops at the present state, zero where no joint is beyond its limit."""
        if not self._firm:
            joint_stops(self)
            return
        count = _beyond(self, self.dof0)
        if count:
            mujoco.mj_solveM(*self._engine, self.X[:count], self.G[:count])
            _press(self, count, self.dof0)


@compiled_for_record
def joint_stops(stops):
    """Torques of soft stops."""
    n = 2 * stops.balls.shape[0]
    excess, dof, width, gradient = stops.excess[:n], stops.dof[:n], stops.width[:n], stops.gradient[:n]
    limit_rows(stops.hinges[:0], stops.balls, stops.q, excess, dof, width, gradient)
    stop_torques(excess, dof, width, gradient, stops.v, stops.inertia, stops.rate, stops.tau)


@compiled
def _beyond(stops, dof0):
    """List the rows that are beyond their limit, with their gradients; returns how many."""
    n, count = 2 * stops.balls.shape[0], 0
    limit_rows(stops.hinges[:0], stops.balls, stops.q, stops.excess[:n], stops.dof[:n], stops.width[:n],
               stops.gradient[:n])  # fmt: skip
    stops.tau[:] = 0.0
    for row in range(n):
        if stops.excess[row] > 0.0:
            stops.acting[count] = row
            stops.G[count, :] = 0.0
            at = dof0 + stops.dof[row]
            stops.G[count, at : at + 3] = stops.gradient[row]
            count += 1
    return count


@compiled
def _press(stops, count, dof0):
    """λ of the rows that act, by sweeps over them, and their torques."""
    w, h, push = stops.rate, stops.h, stops.push
    k, d = w * w, 2.0 * w + w * w * h  # of e, and of its rate at the end of the step
    push[:] = 0.0
    for _ in range(SWEEPS):
        for i in range(count):
            row, speed, a = stops.acting[i], 0.0, 0.0
            at = stops.dof[row]
            for s in range(3):
                g = stops.gradient[row, s]
                speed += g * stops.v[at + s]
                a += g * stops.X[i, dof0 + at + s]
                for j in range(count):
                    speed -= h * g * stops.X[j, dof0 + at + s] * push[j]
            speed += h * a * push[i]  # without its own
            push[i] = max((k * stops.excess[row] + d * speed) / (max(a, 1e-12) * (1.0 + h * d)), 0.0)
    for i in range(count):
        row = stops.acting[i]
        for s in range(3):
            stops.tau[stops.dof[row] + s] -= push[i] * stops.gradient[row, s]

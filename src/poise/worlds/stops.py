"""Stops of the ball joints of a body in the engine; hinges have the engine's own."""

from __future__ import annotations

import mujoco

from poise.character import Character
from poise.compiled import compiled
from poise.dynamics.limits import JointLimits, limit_rows, stop_torques
from poise.dynamics.tree import Tree
from poise.records import Real, Vector

RATE = 100.0  # [rad/s] natural frequency of a stop


class Stops(JointLimits):
    """The limits of a body's joints, and the engine's arrays that their stops read and write."""

    q: Vector
    v: Vector
    tau: Vector  # (nv,) applied by the stops [N m]
    inertia: Vector  # (nv,) felt at each joint with all others free [kg m²]
    rate: Real

    def __init__(self, tree: Tree, character: Character, data: mujoco.MjData):
        self.q, self.v, self.tau = data.qpos[tree.qs], data.qvel[tree.dofs], data.qfrc_applied[tree.dofs]
        self.inertia, self.rate = 1.0 / tree.model.dof_invweight0[tree.dofs], RATE
        super().__init__(tree, character)


@compiled
def joint_stops(stops):
    """Torques of the stops at a state, zero where no joint is beyond its limit."""
    n = 2 * stops.balls.shape[0]
    excess, dof, width, gradient = stops.excess[:n], stops.dof[:n], stops.width[:n], stops.gradient[:n]
    limit_rows(stops.hinges[:0], stops.balls, stops.q, excess, dof, width, gradient)
    stop_torques(excess, dof, width, gradient, stops.v, stops.inertia, stops.rate, stops.tau)

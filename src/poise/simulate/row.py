"""What a take keeps of a body at an instant: its motion, its momenta, and what the ground does to them, in one call."""

from __future__ import annotations

from collections.abc import Mapping

import mujoco
import numpy as np

from poise.compiled import compiled
from poise.dynamics.momentum import average_velocity, pressure_point
from poise.geometry.cross import cross
from poise.records import Indices, Matrix, Record, Vector

NO_MOMENT = np.zeros(3)


LIFTED = 0.004  # [m]: a corner of a planted sole higher than this is off the ground


class Row(Record):
    """A row by the names of its series, and the engine's arrays that it is made of."""

    q: Vector
    v: Vector
    tau: Vector
    support_points: Vector
    planted: Vector
    linear_momentum_rate_des: Vector
    angular_momentum_rate_des: Vector
    angular_momentum_rate_solved: Vector
    angular_momentum_rate_free: Vector
    com: Vector
    com_velocity: Vector
    linear_momentum: Vector
    angular_momentum: Vector
    angular_velocity: Vector
    contact_force: Vector
    angular_momentum_rate: Vector
    cp: Vector
    cmp: Vector
    arm_angular_momentum: Vector
    qpos: Vector
    qvel: Vector
    ctrl: Vector
    arms: Indices  # bodies
    composite: Vector  # inertia of the whole body
    cvel: Matrix
    xipos: Matrix
    ximat: Matrix
    inertia: Matrix
    mass: Vector

    def __init__(self, row: Mapping[str, np.ndarray], model: mujoco.MjModel, data: mujoco.MjData, root: int,
                 arms: list[int]):  # fmt: skip
        vars(self).update(row)
        self.qpos, self.qvel, self.ctrl = data.qpos, data.qvel, data.ctrl
        self.arms, self.composite = np.array(arms, dtype=np.int64), data.crb[root]
        self.cvel, self.xipos, self.ximat = data.cvel, data.xipos, data.ximat
        self.inertia, self.mass = model.body_inertia, model.body_mass
        self.seal()


@compiled
def fill(row, state, supports, solution, wrench, steps):
    """The present instant; ``wrench`` (6,) of the ground about c is the sum over so many steps, and begins anew."""
    row.q[:], row.v[:], row.tau[:] = row.qpos, row.qvel, row.ctrl
    for s in range(supports.active.shape[0]):
        row.planted[s] = supports.active[s]
    sole_corners(state.corners, state.corner_count, supports.active, state.ground.under, state.ground.axes,
                 row.support_points)  # fmt: skip
    for i in range(6):
        wrench[i] /= steps
    fill_momenta(row, state, wrench)
    for i in range(3):
        row.linear_momentum_rate_des[i] = solution.momentum_rate_des[i]
        row.angular_momentum_rate_des[i] = solution.momentum_rate_des[3 + i]
        row.angular_momentum_rate_solved[i] = solution.momentum_rate[3 + i]
        row.angular_momentum_rate_free[i] = solution.momentum_rate_free[3 + i]
    wrench[:] = 0.0


@compiled
def sole_corners(corners, count, planted, under, axes, out):
    """Corners of the planted soles in a row, nan for those that are lifted: soles in the air, heels that rose."""
    at = 0
    for s in range(count.shape[0]):
        for k in range(count[s]):
            height = 0.0
            for i in range(3):
                height += (corners[s, k, i] - under[s, i]) * axes[s, i, 2]
            for i in range(3):
                out[at] = corners[s, k, i] if planted[s] and height <= LIFTED else np.nan
                at += 1


@compiled
def fill_momenta(row, state, wrench):
    """Centre of mass, momenta, and what the ground does to them by a wrench (6,) about c."""
    force, moment, ground = wrench[:3], wrench[3:], state.ground
    for i in range(3):
        row.com[i], row.com_velocity[i] = state.c[i], state.G[i] / state.m
        row.linear_momentum[i], row.angular_momentum[i] = state.G[i], state.G[3 + i]
        row.contact_force[i], row.angular_momentum_rate[i] = force[i], moment[i]
        row.cp[i] = row.cmp[i] = np.nan
    average_velocity(row.composite, row.angular_momentum, row.angular_velocity)
    pressure_point(state.c, force, moment, ground.base, ground.normal, row.cp)
    pressure_point(state.c, force, NO_MOMENT, ground.base, ground.normal, row.cmp)
    spin_of(row, state.c, row.com_velocity, row.arm_angular_momentum)


@compiled
def spin_of(row, c, c_dot, out):
    """Angular momentum about c that the arms carry [kg m²/s]."""
    for i in range(3):
        out[i] = 0.0
    arm, v = np.zeros(3), np.zeros(3)
    for b in row.arms:
        w, R = row.cvel[b], row.ximat[b]
        for i in range(3):
            arm[i] = row.xipos[b, i] - c[i]
        for i in range(3):
            v[i] = w[3 + i] + cross(w, arm, i) - c_dot[i]
        for i in range(3):
            out[i] += row.mass[b] * cross(arm, v, i)
            for k in range(3):
                out[i] += R[3 * i + k] * row.inertia[b, k] * (R[k] * w[0] + R[3 + k] * w[1] + R[6 + k] * w[2])

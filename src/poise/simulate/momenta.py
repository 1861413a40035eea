"""What a take keeps of the momenta of a body, and of what the ground does to them: a row, filled in one call."""

from __future__ import annotations

from collections.abc import Mapping

import mujoco
import numpy as np

from poise.compiled import compiled
from poise.dynamics.momentum import average_velocity, pressure_point
from poise.geometry.cross import cross
from poise.records import Indices, Matrix, Record, Vector

NO_MOMENT = np.zeros(3)


class Momenta(Record):
    """The vectors (3,) of a row by the names of their series, and the engine's arrays that they are made of."""

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
        self.arms, self.composite = np.array(arms, dtype=np.int64), data.crb[root]
        self.cvel, self.xipos, self.ximat = data.cvel, data.xipos, data.ximat
        self.inertia, self.mass = model.body_inertia, model.body_mass
        self.seal()


@compiled
def fill_momenta(state, wrench, row):
    """Centre of mass, momenta, and what the ground does to them by a wrench (6,) about c, into a row."""
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

"""Put a body on the ground in a pose, turned and moving as one piece."""

from __future__ import annotations

import math

import mujoco
import numpy as np

from poise.behaviours.rolling.course import TRUNK, Course, Facing
from poise.behaviours.rolling.joints import Joints
from poise.character import Character
from poise.character.outline import of_geom
from poise.geometry import quat
from poise.geometry.linear import norm, times


def place(
    body: Character,
    pose: np.ndarray,
    facing: Facing,
    course: Course,
    phase: float,
    yaw: float,
    speed: float,
    spin: float,
) -> tuple[np.ndarray, np.ndarray]:
    """q (nq,) and v (nv,): trunk at a phase, turned left by ``yaw``, lowest point on the ground, moving as one piece.

    Args:
        pose: Joint angles (nv - 6,) [rad].
        speed: Of the centre of mass along the course, which ``yaw`` turns too [m/s].
        spin: About the lateral axis [rad/s].
    """
    model = body.model
    q = body.model.qpos0.copy()
    q[7:] = Joints(body).q(pose)
    q[:7] = 0, 0, 0, 1, 0, 0, 0
    data = body.posed(q)
    pelvis, chest = (data.body(name).xquat for name in TRUNK)
    middle = pelvis + math.copysign(1.0, times(pelvis, chest)) * chest  # the trunk, seen from the root
    middle /= norm(middle)
    turn = quat.from_rotvec(yaw * course.n)
    wanted = quat.multiply(turn, quat.from_matrix(facing.rotation(phase, course)))
    q[3:7] = quat.multiply(wanted, quat.conjugate(middle))
    data = body.posed(q)
    n = course.n
    q[:3] -= lowest(model, data, n) * n
    c = body.posed(q).subtree_com[0]
    q[:3] -= c - n * times(c, n)
    data = body.posed(q)
    axis = quat.rotate(turn, course.a)
    v = np.zeros(model.nv)
    velocity = speed * quat.rotate(turn, course.t)
    v[:3] = velocity + np.cross(spin * axis, q[:3] - data.subtree_com[0])
    v[3:6] = quat.rotate(quat.conjugate(q[3:7]), spin * axis)
    return q, v


def lowest(model: mujoco.MjModel, data: mujoco.MjData, n: np.ndarray) -> float:
    """Height along n of the lowest solid point of a body [m]; data has kinematics run."""
    heights = []
    for g in np.flatnonzero((model.geom_contype != 0) | (model.geom_conaffinity != 0)):
        points, radii = of_geom(model, int(g))
        world = data.geom_xpos[g] + times(points, data.geom_xmat[g].reshape(3, 3).T)
        heights.append(float((times(world, n) - radii).min()))
    return min(heights)

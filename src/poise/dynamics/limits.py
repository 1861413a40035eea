r"""Joint limits: hinges by range, balls by swing and twist; seen ahead in the solve, met by a stop in the world.

A ball joint's rotation is split as q = swing · twist, the twist about the child's z axis. The swing's rotation vector
lies in an ellipse with its own radius to each side, the twist in an interval ([Balance] §8).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import mujoco
import numpy as np

from poise.compiled import compiled
from poise.dynamics.tree import Tree
from poise.errors import unknown
from poise.records import Indices, Matrix, Record, Vector

if TYPE_CHECKING:
    from poise.character import Character

LOOK_AHEAD = 0.06  # [s]: a limit acts on what the joint would reach in this time
STEEPEST = 300.0  # [rad/s²]: most that a limit asks for
DIFFERENCE = 1e-6  # [rad]: step of the central difference of an excess
DEEPEST = 0.1  # [rad]: a stop's spring grows no further beyond this excess
NEAR = 0.35  # [rad]: a joint this far inside its limit, however it moves, is left alone


class JointLimits(Record):
    """Excess of every limited joint beyond its limit, e ≤ 0 inside, with its gradient along the joint's motion.

    One row a hinge side, one a swing, one a twist side: ``rows`` lists (degree of freedom, width, kind).
    """

    hinges: Matrix
    balls: Matrix
    excess: Vector
    dof: Indices
    width: Indices
    gradient: Matrix

    def __init__(self, tree: Tree, character: Character):
        model = tree.model
        names = list(tree.joint_names)
        hinges = [
            (
                int(model.jnt_dofadr[j] - tree.dof0),
                int(model.jnt_qposadr[j] - tree.qpos0),
                *model.jnt_range[j],
            )
            for j in tree.joints
            if mujoco.mjtJoint(model.jnt_type[j])
            in (mujoco.mjtJoint.mjJNT_SLIDE, mujoco.mjtJoint.mjJNT_HINGE)
            and model.jnt_limited[j]
        ]
        balls = []
        for name, limit in character.limits.items():
            if name not in names:
                raise unknown("joint", name, names)
            j = tree.joints[names.index(name)]
            at = (model.jnt_dofadr[j] - tree.dof0, model.jnt_qposadr[j] - tree.qpos0)
            balls.append((*at, *limit.swing_x, *limit.swing_y, *limit.twist, *limit.centre))
        self.hinges = np.array(hinges, dtype=float).reshape(-1, 4)
        self.balls = np.array(balls, dtype=float).reshape(-1, 12)
        self.size = 2 * (len(hinges) + len(balls))
        self.excess = np.zeros(self.size)  # [rad]
        self.dof = np.zeros(self.size, dtype=np.int64)  # first degree of freedom of the row's joint
        self.width = np.zeros(self.size, dtype=np.int64)
        self.gradient = np.zeros((self.size, 3))
        self.seal()

    def update(self, q: np.ndarray) -> None:
        """Refresh excess and gradient at a configuration."""
        limit_rows(self.hinges, self.balls, q, self.excess, self.dof, self.width, self.gradient)


@compiled
def swing_excess(w, x, y, z, x_low, x_high, y_low, y_high):
    """How far a swing lies beyond its ellipse: its norm in units of the ellipse, less one, times the mean radius [rad].

    Continuous with a bounded gradient everywhere, unlike the distance along the swing's own direction.
    """
    norm = math.sqrt(w * w + z * z)
    if norm < 1e-9:
        sx, sy = x, y  # half a turn of swing: the twist has no meaning, any will do
    else:
        a, b = w / norm, z / norm  # swing = q · twist⁻¹ with twist = (w, 0, 0, z) / norm
        sx, sy = x * a - y * b, y * a + x * b
    sine = math.sqrt(sx * sx + sy * sy)
    scale = 2.0 if sine < 1e-9 else 2.0 * math.atan2(sine, norm) / sine
    rx = x_high if sx > 0 else -x_low
    ry = y_high if sy > 0 else -y_low
    mean = 0.25 * (x_high - x_low + y_high - y_low)
    return mean * (scale * math.sqrt((sx / rx) ** 2 + (sy / ry) ** 2) - 1.0)


@compiled
def twist_angle(w, z):
    return 2.0 * math.atan2(z, w) if w >= 0 else 2.0 * math.atan2(-z, -w)


@compiled
def nudged(w, x, y, z, axis, step):
    """Quaternion turned by a small angle about one of its own axes."""
    c, s = math.cos(0.5 * step), math.sin(0.5 * step)
    if axis == 0:
        return c * w - s * x, c * x + s * w, c * y + s * z, c * z - s * y
    if axis == 1:
        return c * w - s * y, c * x - s * z, c * y + s * w, c * z + s * x
    return c * w - s * z, c * x + s * y, c * y - s * x, c * z + s * w


@compiled
def limit_rows(hinges, balls, q, excess, dof, width, gradient):
    row = 0
    for k in range(hinges.shape[0]):
        value = q[int(hinges[k, 1])]
        excess[row], excess[row + 1] = hinges[k, 2] - value, value - hinges[k, 3]
        gradient[row, 0], gradient[row + 1, 0] = -1.0, 1.0
        for s in range(2):
            dof[row + s], width[row + s] = int(hinges[k, 0]), 1
        row += 2
    for k in range(balls.shape[0]):
        b = balls[k]
        a = int(b[1])
        c0, c1, c2, c3 = b[8], -b[9], -b[10], -b[11]  # the centre undone
        w = c0 * q[a] - c1 * q[a + 1] - c2 * q[a + 2] - c3 * q[a + 3]
        x = c0 * q[a + 1] + c1 * q[a] + c2 * q[a + 3] - c3 * q[a + 2]
        y = c0 * q[a + 2] + c2 * q[a] + c3 * q[a + 1] - c1 * q[a + 3]
        z = c0 * q[a + 3] + c3 * q[a] + c1 * q[a + 2] - c2 * q[a + 1]
        if w < 0:
            w, x, y, z = -w, -x, -y, -z
        excess[row] = swing_excess(w, x, y, z, b[2], b[3], b[4], b[5])
        turn = twist_angle(w, z)
        over, under = turn - b[7], b[6] - turn
        excess[row + 1] = max(over, under)
        sign = 1.0 if over > under else -1.0
        for s in range(2):
            dof[row + s], width[row + s] = int(b[0]), 3
        if excess[row] > -NEAR or excess[row + 1] > -NEAR:
            for i in range(3):
                w1, x1, y1, z1 = nudged(w, x, y, z, i, DIFFERENCE)
                w0, x0, y0, z0 = nudged(w, x, y, z, i, -DIFFERENCE)
                high = swing_excess(w1, x1, y1, z1, b[2], b[3], b[4], b[5])
                low = swing_excess(w0, x0, y0, z0, b[2], b[3], b[4], b[5])
                gradient[row, i] = (high - low) / (2 * DIFFERENCE)
                gradient[row + 1, i] = sign * (twist_angle(w1, z1) - twist_angle(w0, z0)) / (2 * DIFFERENCE)
        row += 2


@compiled
def stop_torques(excess, dof, width, gradient, v, inertia_of, rate, tau):
    """Passive torque of joint stops: a critically damped spring of the joint's own inertia, only beyond the limit.

    Args:
        inertia_of: (nv,) inertia felt at each joint with all others free [kg m²].
        rate: Natural frequency of the stop [rad/s]. tau: (nv,) to be filled [N m].
    """
    tau[:] = 0.0
    for row in range(excess.shape[0]):
        if excess[row] <= 0.0:
            continue
        i, n = dof[row], width[row]
        speed, inertia, size = 0.0, 0.0, 0.0
        for k in range(n):
            speed += gradient[row, k] * v[i + k]
            inertia += gradient[row, k] ** 2 * inertia_of[i + k]
            size += gradient[row, k] ** 2
        if size < 1e-12:
            continue
        push = (inertia / size) * (rate * rate * min(excess[row], DEEPEST) + 2 * rate * speed)
        if push > 0.0:
            for k in range(n):
                tau[i + k] -= push * gradient[row, k]


@compiled
def joint_stops(hinges, balls, q, excess, dof, width, gradient, v, inertia_of, rate, tau):
    """Torques of the stops at a state, zero where no joint is beyond its limit."""
    limit_rows(hinges, balls, q, excess, dof, width, gradient)
    stop_torques(excess, dof, width, gradient, v, inertia_of, rate, tau)

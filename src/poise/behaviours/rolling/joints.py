"""Poses of a body that rolls, as angles: one layout for hinges and balls.

A pose (nv - 6,) has one angle for each degree of freedom. A ball joint has three, at the places of its axes x, y, z; it
turns about y (bend), then the new x (to the side), then the new z (twist), as a stack of three hinges would. Cycles,
mixes and corrections of heading are linear in these angles; rotations are made of them where springs pull.
"""

from __future__ import annotations

import math

import numpy as np

from poise.character import Character
from poise.character.constants import BALL
from poise.compiled import compiled
from poise.dynamics.limits import JointLimits, ball_rows
from poise.geometry.quat_jit import product, rotation_between
from poise.records import Indices, Record

AXES = "xyz"
OVER = math.radians(5)  # beyond its range that a target may lie: a spring that pulls a little into the stop
HALVINGS = 12  # of the search for the part of an angle that is within range


class Joints(Record):
    """Where the angles of a body's joints are: in a pose (nv - 6,), and in the configuration after the root."""

    dof: Indices
    at: Indices
    ball: Indices  # 1 or 0

    def __init__(self, body: Character):
        model, self._names = body.model, list(body.joint_names[1:])
        found = [model.joint(name) for name in self._names]
        self.dof = np.array([int(j.dofadr[0]) - 6 for j in found], dtype=np.int64)
        self.at = np.array([int(j.qposadr[0]) - 7 for j in found], dtype=np.int64)
        self.ball = np.array([int(j.type[0] == BALL) for j in found], dtype=np.int64)
        self.size, self.nq = model.nv - 6, model.nq - 7
        self.seal()

    def place(self, angle: str) -> int | None:
        """Of an angle in a pose, by name: that of its hinge, or ``hip_y_l`` of a ball ``hip_l``; None: has none."""
        if angle in self._names:
            k = self._names.index(angle)
            return None if self.ball[k] else int(self.dof[k])
        side = angle[-2:] if angle.endswith(("_l", "_r")) else ""
        stem, _, axis = angle.removesuffix(side).rpartition("_")
        if axis not in AXES or stem + side not in self._names:
            return None
        k = self._names.index(stem + side)
        return int(self.dof[k]) + AXES.index(axis) if self.ball[k] else None

    def q(self, pose: np.ndarray) -> np.ndarray:
        """Configuration after the root (nq - 7,) of a pose."""
        out = np.zeros(self.nq)
        rotations(self, pose, out)
        return out


def within(body: Character, poses: np.ndarray) -> np.ndarray:
    """Poses (n, nv - 6), in place, with the angles of each ball made smaller until it is ``OVER`` its range at most."""
    limits = JointLimits.of(body)
    _lessen(limits.balls, OVER, poses)
    return poses


@compiled
def turned(y, x, z):
    """Quaternion of a turn about y, then the new x, then the new z."""
    cy, sy, cx, sx = math.cos(0.5 * y), math.sin(0.5 * y), math.cos(0.5 * x), math.sin(0.5 * x)
    w, a, b, c = product(cy, 0.0, sy, 0.0, cx, sx, 0.0, 0.0)
    return product(w, a, b, c, math.cos(0.5 * z), 0.0, 0.0, math.sin(0.5 * z))


@compiled
def rotations(joints, pose, out):
    """Configuration after the root of a pose, into ``out`` (nq - 7,)."""
    for k in range(joints.dof.shape[0]):
        i, a = joints.dof[k], joints.at[k]
        if joints.ball[k]:
            out[a], out[a + 1], out[a + 2], out[a + 3] = turned(pose[i + 1], pose[i], pose[i + 2])
        else:
            out[a] = pose[i]


@compiled
def errors(joints, q, target, out):
    """What turns each joint from q to a target (both nq - 7), along its degrees of freedom, into ``out`` [rad]."""
    for k in range(joints.dof.shape[0]):
        i, a = joints.dof[k], joints.at[k]
        if joints.ball[k]:
            rotation_between(q[a : a + 4], target[a : a + 4], out[i : i + 3])
        else:
            out[i] = target[a] - q[a]


@compiled
def _lessen(balls, over, poses):
    excess, gradient = np.zeros(2), np.zeros((2, 3))
    for n in range(poses.shape[0]):
        for k in range(balls.shape[0]):
            i = int(balls[k, 0]) - 6
            angles = poses[n, i : i + 3]
            low, high = 0.0, 1.0
            if _outside(balls[k], angles, 1.0, excess, gradient) > over:
                for _ in range(HALVINGS):
                    middle = 0.5 * (low + high)
                    if _outside(balls[k], angles, middle, excess, gradient) > over:
                        high = middle
                    else:
                        low = middle
                angles *= low


@compiled
def _outside(ball, angles, share, excess, gradient):
    """How far a share of some angles is beyond a ball's limits [rad]."""
    w, x, y, z = turned(share * angles[1], share * angles[0], share * angles[2])
    w, x, y, z = product(ball[8], -ball[9], -ball[10], -ball[11], w, x, y, z)
    if w < 0:
        w, x, y, z = -w, -x, -y, -z
    ball_rows(w, x, y, z, ball[2:8], excess, gradient)
    return max(excess[0], excess[1])

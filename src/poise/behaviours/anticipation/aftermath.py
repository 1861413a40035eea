"""After a hit ([Stepping] 5.5): the physics' own response gives way to a reaction example instead of to idle.

The example is made, a hand going to the place that was struck while the body looks where the ball came from, or it is a
captured movement.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import mujoco
import numpy as np

from poise.behaviours.anticipation.clips import Example
from poise.behaviours.anticipation.moves import key_pose, towards
from poise.behaviours.anticipation.reaction import Reaction
from poise.behaviours.anticipation.threat import zone_of
from poise.behaviours.example_steps.compose import settled
from poise.dynamics.tree import Tree
from poise.geometry.linear import norm, times
from poise.motion.clip import Clip

RISE, HOLD = 0.35, 1.0  # [s] from idle to the made pose, and until when it is held
FELT = 0.5  # [m/s] over the ground: a ball that changes its speed by more at a tick has met something
GROUND = 1.5  # in radii: lower, it may have been the ground


class Struck(NamedTuple):
    """Where a ball met a body."""

    part: str  # the body that is nearest
    place: np.ndarray  # (3,) of the skin there, in that body's axes [m]
    bearing: float  # where the ball is [deg], 0 in front of the body
    height: float  # [m]


class Watch:
    """Tells when a ball has met the body."""

    def __init__(self, model: mujoco.MjModel, joint: int):
        self._dof = int(model.jnt_dofadr[joint])
        self._lowest = GROUND * float(model.geom("ball_0").size[0])
        at = int(model.jnt_qposadr[joint])
        self.place, self._before = slice(at, at + 3), None  # of the ball, in qpos

    def met(self, data: mujoco.MjData) -> bool:
        """Asked at every tick: whether its flight has changed since the last one, above the ground."""
        now, before = data.qvel[self._dof : self._dof + 2].copy(), self._before
        self._before = now
        high = data.qpos[self.place.stop - 1] > self._lowest
        return before is not None and bool(high and norm(now - before) > FELT)


def struck(data: mujoco.MjData, tree: Tree, ball: np.ndarray, centre: np.ndarray, facing: float) -> Struck:
    """What a ball at a place (3,) is against, for a body that stands at ``centre`` (2,) and faces somewhere [rad]."""
    ids = [tree.body0 + i for i in range(len(tree.names))]
    near = int(np.argmin([float(norm(data.xipos[b] - ball)) for b in ids]))
    R, x, way = data.xmat[ids[near]].reshape(3, 3), data.xpos[ids[near]], data.xipos[ids[near]] - ball
    skin = ball + float(tree.model.geom("ball_0").size[0]) * way / max(float(norm(way)), 1e-9)
    away = ball[:2] - centre
    bearing = math.degrees(math.atan2(away[1], away[0]) - facing)
    return Struck(tree.names[near], times(R.T, skin - x), bearing, float(ball[2]))


@dataclass(frozen=True)
class Aftermath:
    """A reaction example: a captured movement, or one that is made for the place that was struck."""

    example: Example | None = None

    def clip(self, reaction: Reaction, hit: Struck, q: np.ndarray) -> Clip:
        """From the pose q into the example, and back to idle."""
        if self.example is not None:
            rise = self.example.reached
            return settled(reaction.legs, q, reaction.played(self.example, rise, rise + HOLD))
        return settled(reaction.legs, q, reaction.clip(nursing(reaction, hit), RISE, HOLD))


def nursing(reaction: Reaction, hit: Struck) -> np.ndarray:
    """The pose (nq,) of a body that holds where it was struck, and looks where the ball came from."""
    zone = zone_of(hit.height)
    move = towards("pelvis" if zone == "legs" else zone, "mild", hit.bearing, 1)
    pose = key_pose(reaction.character, move)
    return reaction.arms.touch(pose, hit.part, hit.place)

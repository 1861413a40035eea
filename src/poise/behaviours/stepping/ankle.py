"""The ankle of a leg, from geometry: its shank, which way that points, how far the foot pitches against it."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from poise.character import Character
from poise.character.constants import HINGE
from poise.character.limbs import length

LONG = (
    0.2  # of a leg's length: the lowest part longer than this is its shank; ankles may be several short ones
)
UNLIMITED = -1.0  # [rad]
UP = (0.0, 0.0, 1.0)


class Ankle(NamedTuple):
    """The shank's body id, the direction (3,) along it in its own frame, and the pitch toes up that is left [rad]."""

    shank: int
    up: tuple[float, float, float]
    flex: float


def ankle_of(character: Character, limb: list[int], side: np.ndarray) -> Ankle:
    """Of a limb of bodies; ``side`` is the sole's y axis (3,) in the frame of the foot.

    Our own bodies have frames that are upright when straight, and a foot of one joint. Others may have any frame, and
    an ankle of several hinges in any order.
    """
    hinges = all(character.model.jnt_type[j] == HINGE for b in limb for j in _joints(character, b))
    if not character.source or not hinges or len(limb) < 3:
        return Ankle(limb[-2], UP, _flex(character, limb[-1], side))
    data, model = character.posed(character.q_rest), character.model
    anchors = [data.xanchor[model.body_jntadr[b]] for b in limb]
    reach = length(character, limb)
    long = [i for i in range(len(limb) - 1) if np.linalg.norm(anchors[i + 1] - anchors[i]) > LONG * reach]
    at = long[-1] if long else len(limb) - 2
    along = anchors[at] - anchors[at + 1]
    R = data.xmat[limb[at]].reshape(3, 3)
    up = (along / np.linalg.norm(along)) @ R
    y = data.xmat[limb[-1]].reshape(3, 3) @ side
    ahead = np.array([y[1], -y[0], 0.0])
    lean = math.atan2(float(along @ ahead), float(along[2]))
    return Ankle(
        limb[at], (float(up[0]), float(up[1]), float(up[2])), _pitch(character, limb[at + 1 :], y, lean)
    )


def _joints(character: Character, body: int) -> range:
    first = int(character.model.body_jntadr[body])
    return range(first, first + int(character.model.body_jntnum[body]))


def _pitch(character: Character, foot: list[int], side: np.ndarray, lean: float) -> float:
    """Toes up from where the sole is flat under an upright shank, by the joint that turns most about the side."""
    model, data = character.model, character.posed(character.q_rest)
    joints = [j for b in foot for j in _joints(character, b)]
    j = max(joints, key=lambda k: abs(float(data.xaxis[k] @ side)))
    if not model.jnt_limited[j]:
        return UNLIMITED
    way = math.copysign(1.0, float(data.xaxis[j] @ side))
    flat = way * float(character.q_rest[model.jnt_qposadr[j]]) + lean
    return min(min(way * float(x) for x in model.jnt_range[j]) - flat, 0.0)


def _flex(character: Character, foot: int, side: np.ndarray) -> float:
    """How far a foot's joint lets it pitch toes up from flat: about ``side`` (3,), the sole's y in the foot [rad]."""
    joint = character.model.joint(int(character.model.body_jntadr[foot]))
    if joint.name in character.limits:
        limits = character.limits[joint.name]
        k = int(np.abs(side[:2]).argmax())
        bounds = (limits.swing_x, limits.swing_y)[k]
        return bounds[0] if side[k] > 0 else -bounds[1]
    return float(joint.range[0]) if character.model.jnt_limited[joint.id] else UNLIMITED

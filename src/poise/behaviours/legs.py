"""The two limbs that a body steps with: where they hang, how far they reach, how big their soles are."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from poise.character import Character
from poise.errors import BadInput


@dataclass(frozen=True)
class Leg:
    """One limb with a sole.

    Attributes:
        support: Index of its support.
        side: +1 on the left, -1 on the right.
        hip: (3,) first joint from the centre of mass, in the rest pose [m].
        reach: Longest distance from that joint to the ankle [m].
        ankle: (3,) ankle from the sole's centre, in the foot's axes [m].
        half: (2,) half length and half width of the sole [m].
        bodies: Its bodies, from the hip down.
        flex: Pitch of the foot against the limb above it that the ankle allows, toes up [rad], negative.
    """

    support: int
    side: int
    hip: np.ndarray
    reach: float
    ankle: np.ndarray
    half: np.ndarray
    bodies: tuple[str, ...]
    flex: float


class Legs:
    """Both limbs of a stance, left first, and the lengths that scale a gait."""

    def __init__(self, character: Character):
        names = [s.name for s in character.supports]
        if len(character.stance) != 2:
            raise BadInput(
                f"a gait needs two supports; {character.name} stands on {', '.join(character.stance) or 'none'}"
            )
        legs = [_leg(character, names.index(name)) for name in character.stance]
        self.left, self.right = sorted(legs, key=lambda leg: -leg.side)
        if self.left.side == self.right.side:
            raise BadInput(f"the supports of {character.name} are not one left, one right")
        self.both = (self.left, self.right)
        self.character = character
        self.height = float(character.com_rest[2])

    @cached_property
    def width(self) -> float:
        """Lateral distance of the soles at rest [m]."""
        data = self.character.posed(self.character.q_rest)
        at = [_sole_centre(self.character, data, leg.support)[1] for leg in self.both]
        return abs(float(at[0] - at[1]))

    @property
    def sole(self) -> np.ndarray:
        """Half length and half width of the smaller sole (2,) [m]."""
        return np.minimum(self.left.half, self.right.half)

    def height_over(self, i: int, place: np.ndarray, heading: float, c: np.ndarray, facing: float, rise: float,
                    stretch: float) -> float:  # fmt: skip
        """Highest centre of mass from which one sole, flat on the ground, is in reach [m].

        Args:
            i: Which leg. place: (2,) its sole's centre. c: (2,) centre of mass seen from above.
            rise: Pitch about the toe edge that the heel may rise by [rad].
            stretch: Part of the leg's length that is used.
        """
        leg = self.both[i]
        up = np.array([-leg.half[0], 0.0]) @ _rotation(rise)  # of the sole's centre about the toe
        ankle = leg.ankle[[0, 2]] @ _rotation(rise)
        along = leg.half[0] + up[0] + ankle[0]
        c1, s1, c2, s2 = math.cos(heading), math.sin(heading), math.cos(facing), math.sin(facing)
        dx = place[0] + c1 * along - c[0] - c2 * leg.hip[0] + s2 * leg.hip[1]
        dy = place[1] + s1 * along - c[1] - s2 * leg.hip[0] - c2 * leg.hip[1]
        reach = stretch * leg.reach
        high = math.sqrt(max(reach**2 - dx * dx - dy * dy, 0.04 * reach**2))
        return high + up[1] + ankle[1] - leg.hip[2]


def _rotation(pitch: float) -> np.ndarray:
    """For row vectors (forward, up): the heel rises with a positive pitch."""
    c, s = math.cos(pitch), math.sin(pitch)
    return np.array([[c, -s], [s, c]])


def _leg(character: Character, support: int) -> Leg:
    model, data = character.model, character.posed(character.q_rest)
    sole = character.supports[support]
    chain = [model.body(sole.body).id]
    root = model.body(character.body_names[0]).id
    while model.body_parentid[chain[0]] not in (root, 0):
        chain.insert(0, int(model.body_parentid[chain[0]]))
    points = sole.points
    reach = sum(np.linalg.norm(model.body_pos[b]) for b in chain[1:])
    place = _sole_centre(character, data, support)
    side = 1 if place[1] >= character.com_rest[1] else -1
    half = 0.5 * np.ptp(points[:, :2], axis=0)
    hip = data.xpos[chain[0]] - character.com_rest
    return Leg(
        support, side, hip, float(reach), -points.mean(axis=0), half, tuple(model.body(b).name for b in chain),
        _flex(character, chain[-1]),
    )  # fmt: skip


def _flex(character: Character, foot: int) -> float:
    """Lower bound of the pitch of a foot's joint [rad]."""
    joint = character.model.joint(int(character.model.body_jntadr[foot]))
    if joint.name in character.limits:
        return character.limits[joint.name].swing_y[0]
    return float(joint.range[0]) if character.model.jnt_limited[joint.id] else -1.0


def _sole_centre(character: Character, data, support: int) -> np.ndarray:
    sole = character.supports[support]
    body = data.body(sole.body)
    return body.xpos + body.xmat.reshape(3, 3) @ sole.points.mean(axis=0)

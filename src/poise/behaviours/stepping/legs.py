"""The two limbs that a body steps with: where they hang, how far they reach, how big their soles are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from poise.character import Character
from poise.character.limbs import chain, length
from poise.errors import BadInput
from poise.geometry import quat
from poise.geometry.linear import times


@dataclass(frozen=True)
class Leg:
    """One limb with a sole.

    Attributes:
        support: Index of its support.
        side: +1 on the left, -1 on the right.
        hip: (3,) first joint from the centre of mass, in the rest pose [m].
        reach: Longest distance from that joint to the ankle [m].
        ankle: (3,) ankle from the sole's centre, in the sole's axes [m].
        half: (2,) half length and half width of the sole [m].
        bodies: Its bodies, from the hip down: those that carry this sole alone.
        flex: Pitch of the sole against the limb above it that the ankle allows, toes up [rad], negative.
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
        chains = [chain(character, character.support(name).body) for name in character.stance]
        shared = set(chains[0]) & set(chains[1])
        if chains[0][-1] in shared or chains[1][-1] in shared:
            raise BadInput(
                f"the supports of {character.name} hang on each other: it has no two limbs to step with"
            )
        legs = [
            _leg(character, names.index(name), [b for b in limb if b not in shared])
            for name, limb in zip(character.stance, chains)
        ]
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


def _leg(character: Character, support: int, limb: list[int]) -> Leg:
    model, data = character.model, character.posed(character.q_rest)
    sole = character.supports[support]
    axes = quat.to_matrix(np.array(sole.frame))
    points = times(sole.points, axes)
    place = _sole_centre(character, data, support)
    side = 1 if place[1] >= character.com_rest[1] else -1
    half = 0.5 * np.ptp(points[:, :2], axis=0)
    hip = data.xpos[limb[0]] - character.com_rest
    return Leg(
        support, side, hip, length(character, limb), -points.mean(axis=0), half,
        tuple(model.body(b).name for b in limb), _flex(character, limb[-1], axes[:, 1]),
    )  # fmt: skip


def _flex(character: Character, foot: int, side: np.ndarray) -> float:
    """How far a foot's joint lets it pitch toes up from flat: about ``side`` (3,), the sole's y in the foot [rad]."""
    joint = character.model.joint(int(character.model.body_jntadr[foot]))
    if joint.name in character.limits:
        limits = character.limits[joint.name]
        k = int(np.abs(side[:2]).argmax())
        bounds = (limits.swing_x, limits.swing_y)[k]
        return bounds[0] if side[k] > 0 else -bounds[1]
    return float(joint.range[0]) if character.model.jnt_limited[joint.id] else -1.0


def _sole_centre(character: Character, data, support: int) -> np.ndarray:
    sole = character.supports[support]
    body = data.body(sole.body)
    return body.xpos + times(body.xmat.reshape(3, 3), sole.points.mean(axis=0))

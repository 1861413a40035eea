"""The two limbs that a body steps with: where they hang, how far they reach, how big their soles are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from poise.behaviours.stepping.ankle import ankle_of
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
        flex: Pitch of the sole against the shank that the ankle allows, toes up [rad], negative.
        shank: Name of the body above the ankle. up: (3,) along it, in its own frame.
        toes: Indices of supports that hang on its sole, planted and lifted with it.
    """

    support: int
    side: int
    hip: np.ndarray
    reach: float
    ankle: np.ndarray
    half: np.ndarray
    bodies: tuple[str, ...]
    flex: float
    shank: str
    up: tuple[float, float, float]
    toes: tuple[int, ...] = ()


class Legs:
    """Both limbs of a stance, left first, and the lengths that scale a gait."""

    def __init__(self, character: Character):
        names = [s.name for s in character.supports]
        toes = _toes(character)
        feet = [name for name in character.stance if name not in toes]
        if len(feet) != 2:
            raise BadInput(
                f"a gait needs two supports; {character.name} stands on {', '.join(character.stance) or 'none'}"
            )
        chains = [chain(character, character.support(name).body) for name in feet]
        shared = set(chains[0]) & set(chains[1])
        if chains[0][-1] in shared or chains[1][-1] in shared:
            raise BadInput(
                f"the supports of {character.name} hang on each other: it has no two limbs to step with"
            )
        legs = [
            _leg(character, names.index(name), [b for b in limb if b not in shared])
            for name, limb in zip(feet, chains)
        ]
        legs = [
            replace(leg, toes=tuple(names.index(toe) for toe, foot in toes.items() if foot == name))
            for leg, name in zip(legs, feet)
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


def _toes(character: Character) -> dict[str, str]:
    """Supports of the stance that hang on another one, and that one: toes and their foot."""
    bodies = {name: character.body(character.support(name).body) for name in character.stance}
    above = {name: set(chain(character, character.support(name).body)[:-1]) for name in character.stance}
    return {t: f for t in bodies for f in bodies if bodies[f] in above[t]}


def _leg(character: Character, support: int, limb: list[int]) -> Leg:
    model, data = character.model, character.posed(character.q_rest)
    sole = character.supports[support]
    axes = quat.to_matrix(np.array(sole.frame))
    points = times(sole.points, axes)
    place = _sole_centre(character, data, support)
    side = 1 if place[1] >= character.com_rest[1] else -1
    half = 0.5 * np.ptp(points[:, :2], axis=0)
    hip = data.xpos[limb[0]] - character.com_rest
    ankle = ankle_of(character, limb, axes[:, 1])
    return Leg(
        support, side, hip, length(character, limb), -points.mean(axis=0), half,
        tuple(model.body(b).name for b in limb), ankle.flex, model.body(ankle.shank).name, ankle.up,
    )  # fmt: skip


def _sole_centre(character: Character, data, support: int) -> np.ndarray:
    sole = character.supports[support]
    body = data.body(sole.body)
    return body.xpos + times(body.xmat.reshape(3, 3), sole.points.mean(axis=0))

"""The four feet of a stance, and which of them belong together."""

from __future__ import annotations

import numpy as np

from poise.character import Character
from poise.character.limbs import chain
from poise.errors import BadInput


class Quad:
    """Feet as left front, right front, left hind, right hind.

    Attributes:
        supports: (4,) index of each foot's support.
        place: (4, 2) of each foot from the middle of all, in the rest pose, seen from above, facing x [m].
        bodies: Names of the bodies of the four legs.
        pairs: Of feet that carry the body together: left front and right hind, then the other two.
    """

    pairs = ((0, 3), (1, 2))

    def __init__(self, character: Character):
        data = character.posed(character.q_rest)
        names = [s.name for s in character.supports]
        if len(character.stance) != 4:
            raise BadInput(
                f"a trot needs four feet; {character.name} stands on {', '.join(character.stance) or 'none'}"
            )
        at = []
        for name in character.stance:
            support, body = character.support(name), data.body(character.support(name).body)
            at.append((body.xpos + body.xmat.reshape(3, 3) @ support.points.mean(axis=0))[:2])
        place = np.array(at) - np.mean(at, axis=0)
        order = [
            self._find(character, place, front, left) for front in (True, False) for left in (True, False)
        ]
        self.supports = np.array([names.index(character.stance[k]) for k in order])
        self.place = place[order]
        limbs = [chain(character, character.support(name).body) for name in character.stance]
        shared = {b for limb in limbs for b in limb if sum(b in other for other in limbs) > 1}
        self.bodies = {character.model.body(b).name for limb in limbs for b in limb if b not in shared}

    @staticmethod
    def _find(character: Character, place: np.ndarray, front: bool, left: bool) -> int:
        found = [k for k, (x, y) in enumerate(place) if (x > 0) == front and (y > 0) == left]
        if len(found) != 1:
            raise BadInput(f"the feet of {character.name} are not one at each corner of the body")
        return found[0]


def stands_on_four(character: Character) -> bool:
    """Whether a body has four legs to trot on: four supports, none of which hangs on another as toes do."""
    limbs = [chain(character, character.support(name).body) for name in character.stance]
    return len(limbs) == 4 and not any(a[-1] in b for a in limbs for b in limbs if a is not b)

"""What a body on the ground feels: what touches, which way it lies, whether it could rise from its feet."""

from __future__ import annotations

import math

import numpy as np

from poise.compiled import compiled
from poise.dynamics.state import State
from poise.geometry.linear import norm
from poise.geometry.polygon import hull, nearest

LEVEL = math.cos(math.radians(15))  # between the normals of a sole and of the ground: the foot is flat
DOWN = 0.035  # in heights: a corner of a sole higher than this above the ground is not down
TURNED = 2.0  # how much the side that a falling trunk turns to the ground counts, against where it goes
MAN = 0.987  # [m] height of the centre of mass of the body that the times are for
ROUNDING = 1e-6  # [m]
ROOM = 0.6  # of each sole, about its middle: ξ over what these span can be caught without a step


class Sense:
    """Filled by ``look`` at every tick; lengths in heights of the centre of mass at rest where not said."""

    def __init__(self, state: State):
        character, model, tree = state.character, state.model, state.tree
        names = list(tree.names)
        self.h, self.g = float(character.com_rest[2]), float(np.linalg.norm(state.g))
        self.pace = math.sqrt(self.h / MAN)  # of what takes time: as a pendulum's
        self.feet = [i for i, s in enumerate(character.supports) if s.name in character.stance]
        self.trunk = tree.body0 + tree.body(character.trunk)
        self.head = names.index("head") if "head" in names else len(names) - 1
        self.hands = [names.index(n) for n in ("hand_l", "hand_r") if n in names]
        soles = {tree.body(character.supports[i].body) for i in self.feet}
        self._sole = np.array([b in soles for b in range(tree.nbody)])
        self._light = self._sole.copy()
        self._light[self.hands] = True
        self._own = np.where(
            model.body_rootid[model.geom_bodyid] == tree.body0, model.geom_bodyid - tree.body0, -1
        )
        self._ground = np.array([_still(model, int(b)) for b in model.geom_bodyid]) & (self._own < 0)
        self.touching = np.zeros(tree.nbody, dtype=bool)
        self.xi = np.zeros(2)

    def touch(self, state: State) -> None:
        """Which bodies are on the ground."""
        contact = state.data.contact
        touched(contact.geom.copy(), contact.dist.copy(), self._own, self._ground, self.touching)

    def look(self, state: State) -> None:
        """Everything."""
        self.touch(state)
        self.R = state.data.xmat[self.trunk].reshape(3, 3)
        self.height = self._above(state) / self.h
        self.speed = norm(state.v[:3])
        self.down = float(state.L[2] / state.m)
        omega = math.sqrt(self.g / max(self.height * self.h, 0.1))
        self.xi[:] = state.c[:2] + state.L[:2] / (state.m * omega)
        feet = state.x[self.feet, :2]
        self.middle = feet.mean(axis=0)
        self.nearest_foot = feet[int(norm(feet - self.xi, axis=1).argmin())]

    def _above(self, state: State) -> float:
        """Of the centre of mass over the ground right below it [m]: its feet may lie higher, or lower."""
        if not state.ground.rough:
            return float(state.ground.height_of(state.c))
        x, y, z = state.c.tolist()
        return z - state.ground.height_at(x, y)

    @property
    def fallen(self) -> bool:
        """Something else than a foot is on the ground."""
        return bool((self.touching & ~self._sole).any())

    @property
    def footed(self) -> bool:
        """Both feet are on the ground."""
        return bool((self.touching | ~self._sole).all())

    @property
    def low(self) -> bool:
        """Something else than feet and hands is on the ground."""
        return bool((self.touching & ~self._light).any())

    @property
    def lean_deg(self) -> float:
        """Of the trunk from the vertical."""
        return math.degrees(math.acos(min(max(float(self.R[2, 2]), -1.0), 1.0)))

    @property
    def facing(self) -> float:
        """How much the chest faces up: 1 on the back, 0 on a side, -1 prone."""
        return float(self.R[2, 0])

    @property
    def aside(self) -> float:
        """How much the left side faces up: 1 on the right side, -1 on the left one."""
        return float(self.R[2, 1])

    def way(self, state: State) -> tuple[float, float]:
        """Where the body is falling to in the trunk's axes, ahead and left: where it goes, and what it turns down."""
        R, away = self.R, self.xi - self.middle
        flat = away / max(float(np.linalg.norm(away)), 1e-9)
        ahead, left = float(R[:2, 0] @ flat), float(R[:2, 1] @ flat)
        return ahead - TURNED * float(R[2, 0]), left - TURNED * float(R[2, 1])

    def hands_even(self, state: State, along: float, across: float) -> bool:
        """Whether both hands are as far ahead of, and aside from, the pelvis, within some lengths."""
        R = state.root_R
        ahead = np.array([-R[0, 2], -R[1, 2]]) if abs(R[2, 0]) > abs(R[2, 2]) else R[:2, 0]
        ahead = R[:2, 2] if R[2, 0] < 0 else ahead  # on all fours the head end is ahead
        ahead = ahead / max(float(np.linalg.norm(ahead)), 1e-9)
        left = np.array([-ahead[1], ahead[0]])
        a, b = (state.xpos[i, :2] - state.xpos[0, :2] for i in self.hands)
        return abs(float((a - b) @ ahead)) < along * self.h and abs(float((a + b) @ left)) < across * self.h

    def on_feet(self, state: State) -> bool:
        """Both feet flat on the ground, nothing else there but hands, and ξ over the feet."""
        if self.low:
            return False
        for s in self.feet:
            normal, count = state.ground.axes[s, :, 2], state.corner_count[s]
            if normal @ state.R[s, :, 2] < LEVEL:
                return False
            if ((state.corners[s, :count] - state.ground.under[s]) @ normal).max() > DOWN * self.h:
                return False
        return self.off_feet(state) < ROUNDING

    def from_feet(self, state: State) -> tuple[float, float]:
        """How far ξ is from the middle of the feet: ahead of it, and to the body's left."""
        left = state.root_R[:2, 1] / max(float(np.linalg.norm(state.root_R[:2, 1])), 0.1)
        x, y = ((self.xi - self.middle) / self.h).tolist()
        return x * float(left[1]) - y * float(left[0]), x * float(left[0]) + y * float(left[1])

    def off_feet(self, state: State) -> float:
        """How far ξ is from what both soles span, some room kept at their edges [m]."""
        soles = [state.corners[s, : state.corner_count[s], :2] for s in self.feet]
        spanned = hull(np.vstack([x.mean(axis=0) + ROOM * (x - x.mean(axis=0)) for x in soles]))
        return float(np.linalg.norm(nearest(spanned, self.xi) - self.xi))


def _still(model, body: int) -> bool:
    joint = int(model.body_jntadr[int(model.body_rootid[body])])
    return joint < 0 or int(model.jnt_type[joint]) != 0


@compiled
def touched(pairs, dist, own, ground, out):
    """Which of the character's bodies touch the ground."""
    out[:] = False
    for k in range(pairs.shape[0]):
        for i in range(2):
            if dist[k] < 0.0 and ground[pairs[k, i]] and own[pairs[k, 1 - i]] >= 0:
                out[own[pairs[k, 1 - i]]] = True

"""Two legs by closed formulas: joints that put a sole where it should be, and the pelvis that suits both."""

from __future__ import annotations

import mujoco
import numpy as np

from poise.behaviours.stepping.legs import Legs
from poise.character.character import Character
from poise.character.constants import BALL, HINGE
from poise.errors import BadInput
from poise.geometry import quat
from poise.motion.limb import limb, longest, lower, reach_to, rise_for

STRETCH = 0.9995  # of a leg's longest reach that is used
NUDGE = 1e-4  # [m] for the gradient
CLOSE = 2e-4  # [m] of the centre of mass that is near enough
ROUNDS = 8


class TwoLegs:
    """Leg kinematics of one character; keeps buffers, so one per thread."""

    def __init__(self, character: Character):
        self.character, self.model = character, character.model
        self.data = mujoco.MjData(self.model)
        legs = Legs(character)
        self.names = tuple(character.supports[leg.support].name for leg in legs.both)
        self.bodies = tuple(character.body(leg.bodies[-1]) for leg in legs.both)
        self.centre = tuple(character.supports[leg.support].points.mean(axis=0) for leg in legs.both)
        self.corners = tuple(character.supports[leg.support].points for leg in legs.both)
        self.both = legs
        self._at, self._size = zip(*(self._chain(leg.bodies) for leg in legs.both))
        self.reach = tuple(STRETCH * longest(size) for size in self._size)

    def _chain(self, bodies: tuple[str, ...]) -> tuple[np.ndarray, np.record]:
        """Places of hip, knee and ankle in q, and the numbers of the chain."""
        model = self.model
        ids = [self.character.body(b) for b in bodies]
        kinds = [[int(k) for k in model.jnt_type[model.body_jntadr[b] : model.body_jntadr[b] + model.body_jntnum[b]]]
                 for b in ids]  # fmt: skip
        if kinds != [[BALL], [HINGE], [BALL]] or model.body_parentid[ids[0]] != 1:
            raise BadInput(
                f"kinematic steps need legs of a ball hip, a hinged knee and a ball ankle below the root; "
                f"{self.character.name!r} has {len(bodies)} parts: {', '.join(bodies)}"
            )
        return limb(self.character, ids)

    def pose(self, q: np.ndarray) -> None:
        """Kinematics at a configuration."""
        self.data.qpos[:] = q
        mujoco.mj_kinematics(self.model, self.data)
        mujoco.mj_comPos(self.model, self.data)

    def com(self, q: np.ndarray) -> np.ndarray:
        """Centre of mass (3,) [m]."""
        self.pose(q)
        return self.data.subtree_com[1].copy()

    def foot(self, q: np.ndarray, i: int) -> tuple[np.ndarray, np.ndarray]:
        """Place (3,) [m] of a sole's centre, and the rotation (4,) of its foot."""
        self.pose(q)
        return self.sole(i), self.data.xquat[self.bodies[i]].copy()

    def sole(self, i: int) -> np.ndarray:
        """The same place, of the pose last given."""
        b = self.bodies[i]
        return self.data.xpos[b] + self.data.xmat[b].reshape(3, 3) @ self.centre[i]

    def ankle(self, i: int, place: np.ndarray, turn: np.ndarray) -> np.ndarray:
        """Origin (3,) of a foot whose sole's centre and rotation are given."""
        return place - quat.rotate(turn, self.centre[i])

    def stand(self, q: np.ndarray, ankles: np.ndarray, turns: np.ndarray) -> np.ndarray:
        """Pose with both feet in place and the pelvis lowered as far as the legs need; q is not changed."""
        q = np.array(q, float)
        legs = [(self._at[i], self._size[i], ankles[i], turns[i]) for i in range(2)]
        self._put(q, legs)
        rise = max(rise_for(q, *leg, reach) for leg, reach in zip(legs, self.reach, strict=True))
        if rise > 0.0:
            q[2] += rise
            self._put(q, legs)
        return q

    def _put(self, q: np.ndarray, legs: list) -> None:
        """Lower the pelvis until both ankles are in reach, then bend the legs to them, in place."""
        for (_, size, ankle, _), reach in zip(legs, self.reach, strict=True):
            lower(q, size, ankle, reach)
        for leg in legs:
            reach_to(q, *leg)

    def balance(
        self,
        q: np.ndarray,
        ankles: np.ndarray,
        turns: np.ndarray,
        com: np.ndarray,
        guess: np.ndarray | None = None,
    ) -> np.ndarray:
        """The same with the pelvis moved in the plane so that the centre of mass is over ``com`` (2,): BFGS (3.6).

        Minimises the squared distance over the pelvis' place; its gradient comes from differences at the guess.

        Args:
            guess: (2,) where to begin [m]; the pelvis of q where None.
        """
        p = np.array(q[:2] if guess is None else guess, float)
        inverse = np.eye(2)  # of the Hessian; about 1 since a pelvis carries most of the mass along
        pose, gap = self._miss(q, p, ankles, turns, com)
        columns, slope, step = None, None, np.zeros(2)
        for _ in range(ROUNDS):
            if gap @ gap < CLOSE**2:
                break
            if columns is None:
                beside = [self._miss(q, p + NUDGE * e, ankles, turns, com)[1] for e in np.eye(2)]
                columns = (np.array(beside) - gap) / NUDGE
            now = 2 * columns @ gap
            if slope is not None:
                inverse = _bfgs(inverse, step, now - slope)
            slope = now
            step = -inverse @ slope
            pose, gap, step = self._search((q, ankles, turns, com), p, step, pose, gap)
            p = p + step
        return pose

    def _miss(self, q, at, ankles, turns, com) -> tuple[np.ndarray, np.ndarray]:
        """Pose with its pelvis at a place, and how far its centre of mass is from where it should be (2,)."""
        pose = np.array(q, float)
        pose[:2] = at
        pose = self.stand(pose, ankles, turns)
        return pose, self.com(pose)[:2] - com

    def _search(self, wanted, p, step, pose, gap):
        """Shorten a step until it helps."""
        q, *rest = wanted
        for _ in range(8):
            better, new = self._miss(q, p + step, *rest)
            if new @ new < gap @ gap:
                return better, new, step
            step = 0.5 * step
        return pose, gap, np.zeros(2)


def _bfgs(inverse: np.ndarray, step: np.ndarray, change: np.ndarray) -> np.ndarray:
    """Update of the inverse Hessian [Nocedal & Wright, eq. 6.17]."""
    curve = float(step @ change)
    if curve < 1e-12:
        return inverse
    V = np.eye(2) - np.outer(step, change) / curve
    return V @ inverse @ V.T + np.outer(step, step) / curve

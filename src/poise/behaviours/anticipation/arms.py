"""Hands that meet a ball: closed inverse kinematics of shoulder and elbow."""

from __future__ import annotations

import mujoco
import numpy as np

from poise.behaviours.anticipation.threat import Sight
from poise.character.character import Character
from poise.dynamics.limits import JointLimits
from poise.geometry.quat_jit import about, conjugate, multiply, rotate
from poise.motion.limb import bend, limb, to_end

ARM = ("upper_arm", "forearm", "hand")
PALM = np.array([0.003, 0.0, -0.09])  # of the hand, in its own axes [m]
AHEAD = (0.5, 0.44, 0.38, 0.32, 0.26)  # [m] before the body's axis where a ball may be met, farthest first
APART = 0.055  # [m] of each of two hands from the middle
LONGEST = 0.97  # of an arm's reach that is used
MISS = 0.03  # [m]: a hand this near to the ball's way meets it
STIFF = 0.05  # [rad] that a joint may pass its limit in a pose that is only a wish


class Arms:
    """Arms of one body; keeps its buffers."""

    def __init__(self, character: Character):
        self.character, self.model = character, character.model
        self.data = mujoco.MjData(self.model)
        self.limits = JointLimits.of(character)
        self.sides = [side for side in "lr" if all(f"{b}_{side}" in character.body_names for b in ARM)]
        self._size = {side: self._chain(side) for side in self.sides}

    def _chain(self, side: str) -> tuple[list[int], np.record]:
        ids = [self.character.body(f"{b}_{side}") for b in ARM]
        at, size = limb(self.character, ids, PALM)
        return [*ids, *at], size

    def meet(
        self, q: np.ndarray, sight: Sight, centre: np.ndarray, heading: float, zone: tuple[float, float]
    ) -> tuple[np.ndarray, float]:
        """The pose with its hands on the ball's way, as far before the body as they reach; and how far that is [m].

        They keep to the heights of their example, ``zone`` [m]. Hands that cannot get there stay as they are; zero
        where none can.
        """
        self.data.qpos[:] = q
        mujoco.mj_kinematics(self.model, self.data)
        for ahead in AHEAD:
            goal = sight.point(ahead, centre, heading)
            goal[2] = np.clip(goal[2], *zone)
            found = {s: p for s in self.sides if (p := self._put(q, s, goal)) is not None}
            if found:
                return self._both(q, goal, sight, heading, found), ahead
        return np.array(q), 0.0

    def touch(self, q: np.ndarray, part: str, place: np.ndarray) -> np.ndarray:
        """The pose with the nearer palm that gets to a place (3,), in the axes of a part of the body, on it."""
        self.data.qpos[:] = q
        mujoco.mj_kinematics(self.model, self.data)
        body = self.data.body(part)
        goal = body.xpos + body.xmat.reshape(3, 3) @ place
        able = [s for s in self.sides if not part.endswith(f"_{s}") or not part.startswith(ARM)]
        for side in sorted(
            able, key=lambda s: float(np.linalg.norm(self.data.xpos[self._size[s][0][0]] - goal))
        ):
            if (arm := self._put(q, side, goal)) is not None:
                return self._bent(q, {side: arm})
        return np.array(q)

    def _bent(self, q: np.ndarray, found: dict[str, np.ndarray]) -> np.ndarray:
        """The pose with the arms that were found, their wrists straight."""
        out = np.array(q, float)
        for side, pose in found.items():
            at = self._size[side][0][3:]
            out[at[0] : at[0] + 4], out[at[1]] = pose[:4], pose[4]
            out[at[2] : at[2] + 4] = 1.0, 0.0, 0.0, 0.0
        return out

    def _both(self, q, goal, sight: Sight, heading: float, found: dict) -> np.ndarray:
        angle = np.radians(sight.bearing) + heading
        left = np.array([-np.sin(angle), np.cos(angle), 0.0])  # of the body that faces the ball
        if len(found) == 2:
            for side, pose in found.items():
                aside = self._put(q, side, goal + (APART if side == "l" else -APART) * left)
                found[side] = pose if aside is None else aside
        return self._bent(q, found)

    def _put(self, q: np.ndarray, side: str, goal: np.ndarray) -> np.ndarray | None:
        """Shoulder (4) and elbow (1) that put a palm at a point; None where they cannot."""
        (upper, _, _, at, bow, _), size = self._size[side]
        parent = int(self.model.body_parentid[upper])
        base = multiply(self.data.xquat[parent], self.model.body_quat[upper])
        way = goal - self.data.xpos[upper]
        reach = LONGEST * np.linalg.norm(to_end(size, 0.0))
        length = float(np.linalg.norm(way))
        if length > reach + MISS or length < 0.15:
            return None
        angle = bend(size, min(length, reach), -0.6)
        arm = multiply(base, q[at : at + 4])
        now = rotate(arm, to_end(size, angle))
        turn = np.append(np.linalg.norm(now) * length + now @ way, np.cross(now, way))
        arm = multiply(turn / max(np.linalg.norm(turn), 1e-12), arm)
        allowed = max(STIFF, self.limits.worst(q) + 1e-6)  # what other joints do is theirs
        for swivel in (0.0, 0.6, -0.6, 1.2, -1.2):
            pose = np.array(q, float)
            pose[at : at + 4] = multiply(conjugate(base), multiply(about(way / length, swivel), arm))
            pose[bow] = angle
            if self.limits.worst(pose) < allowed:
                return np.append(pose[at : at + 4], angle)
        return None

"""The pose that is tracked in the paper's step: a default pose whose legs inverse kinematics bends ([Stepping] 4.4.1).

Eq. 4.9 wants θ̈ = k (θ_r - θ) + d (θ̇_r - θ̇) + θ̈_r. θ_r has its pelvis where it is in the simulation, the rates come
from differences of the ideal motion, whose pelvis is upright over the curve; in both the swing foot is on its path.
"""

from __future__ import annotations

import math

import mujoco
import numpy as np

from poise.behaviours.stepping.curve import curve
from poise.behaviours.stepping.legs import Leg
from poise.behaviours.stepping.posture import Height, Motion
from poise.behaviours.stepping.step import Bending, Facts, Gait, Tick
from poise.character import Character
from poise.control.sole import SwingSole
from poise.dynamics.state import State
from poise.geometry import quat


class Posed:
    """Poses of one body in one step."""

    def __init__(self, character: Character, dt: float, bending: Bending):
        self.dt, self.model, self._legs = dt, character.model, bending(character)
        self._root = np.array(character.q_rest[:3]) - character.com_rest
        self._v, self._last = np.zeros(self.model.nv), np.zeros(0)
        self._ticks = 0

    def follow(
        self, facts: Facts, tick: Tick, gait: Gait, swing: SwingSole, q: np.ndarray, height: Height
    ) -> Motion:
        """What is tracked: the default pose q on its feet, with the rate and acceleration of the ideal motion."""
        state, (x, _, _) = tick.state, curve(gait)
        feet = self._feet(state, facts.legs, swing)
        now, ideal = np.array(q), np.array(q)
        now[:7] = state.q[:7]
        now = self._stand(now, feet)
        now[3:7] = q[3:7]
        c, s = math.cos(gait.facing), math.sin(gait.facing)
        ahead, left, up = self._root.tolist()
        ideal[:2] = x + np.array([c * ahead - s * left, s * ahead + c * left])
        ideal[2] = state.ground.base[2] + height[0] + up
        return now, *self._rates(self._stand(ideal, feet))

    def _feet(self, state: State, legs: tuple[Leg, Leg], swing: SwingSole) -> tuple[np.ndarray, np.ndarray]:
        """Places (2, 3) and rotations (2, 4) of both soles: the one that stands as it is, the other on its path."""
        lifted = [leg.support == swing.support for leg in legs]
        x = [swing.x if up else state.x[leg.support] for leg, up in zip(legs, lifted)]
        R = [swing.R if up else state.R[leg.support] for leg, up in zip(legs, lifted)]
        return np.array(x), np.array([quat.from_matrix(r) for r in R])

    def _stand(self, q: np.ndarray, feet: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
        """The pose with its soles in place."""
        ankles = [self._legs.ankle(i, feet[0][i], feet[1][i]) for i in range(2)]
        return self._legs.stand(q, np.array(ankles), feet[1])

    def _rates(self, ideal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Rate and acceleration (nv,) of the ideal motion, its pose being given once a tick."""
        v, v_dot = np.zeros(self.model.nv), np.zeros(self.model.nv)
        if self._ticks > 0:
            mujoco.mj_differentiatePos(self.model, v, self.dt, self._last, ideal)
        if self._ticks > 1:
            v_dot = (v - self._v) / self.dt
        self._ticks, self._last, self._v = self._ticks + 1, ideal, v
        return v, v_dot

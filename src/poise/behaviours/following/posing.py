"""Pose of a followed body: the clip's, seen from the foot that stands, and how firmly each joint keeps to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from poise.behaviours.balance.gains import Weights
from poise.behaviours.following.view import View
from poise.behaviours.stepping.posture import Posture
from poise.behaviours.stepping.step import Facts
from poise.control.tracking import Tracking, firmness
from poise.dynamics.state import State
from poise.geometry.linear import norm
from poise.motion.clip import Clip
from poise.motion.score import Score
from poise.motion.score.samples import DT

CALM = (
    0.02,
    0.05,
)  # in heights, of ξ from its course: up to here limbs follow the clip, from there on they are free to help


@dataclass(frozen=True)
class Calm:
    """How much more firmly a body keeps to the clip while ξ is on its course."""

    arms: float = 5.0  # times as firmly its arms where the clip flies or kicks,
    steady: float = 20.0  # and where it does not;
    legs: float = 4.0  # then its legs, too,
    spin: float = 2000.0  # and by this weight its level spin, as far as the pressure has room


LOOSE = Calm(1.0, 1.0, 1.0, 0.0)


class Posing:
    """What joints and root are asked for.

    Args:
        calm: How firmly limbs keep to the clip while ξ is on its course.
        far: Joints that are farther from the clip than this are drawn back the more [rad].
        hold: Body to the factor of its stiffness.
    """

    def __init__(
        self, state: State, facts: Facts, mu: float, calm: Calm, far: float, hold: Mapping[str, float]
    ):
        self.posture, self.far, self.h = Posture(state, facts, Weights(), mu), far, facts.h
        self.posture.hold(state, hold)
        self._v, self._a = np.zeros(state.nv), np.zeros(state.nv)
        arms, legs = state.character.arms, [body for leg in facts.legs for body in leg.bodies]
        self._quick = firmness(state.tree, dict.fromkeys(arms, calm.arms)) - 1.0
        steady = dict.fromkeys(legs, calm.legs) | dict.fromkeys(arms, calm.steady)
        self._steady = firmness(state.tree, steady) - 1.0

    def calm(self, xi_error: np.ndarray) -> float:
        """1 where ξ is on its course, less where it is off it (2,) [m], 0 where limbs should help."""
        low, high = CALM
        return 1.0 - min(max((norm(xi_error) / self.h - low) / (high - low), 0.0), 1.0)

    def track(
        self, state: State, score: Score, view: View, s: float, rate: float, calm: float
    ) -> tuple[Tracking, np.ndarray]:
        """How to follow a score, ``s`` samples into it, as calmly as ``calm`` says; and its pose (nq,)."""
        q, v, a = posed(score.clip, view, s)
        self._v[:], self._a[:] = rate * v, rate * rate * a
        self._v[:3] = view.vector(self._v[:3])
        tracking = self.posture.follow(state, q, self._v, self._a, self.far)
        firm = self._steady if score.steady[round(s)] else self._quick
        return replace(tracking, weight=tracking.weight * (1.0 + calm * firm)), q


def posed(clip: Clip, view: View, s: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Pose of a clip with its rates at its own speed, its root where it is seen."""
    q, v, a = clip.sample(clip.start + min(max(s * DT, 1e-6), clip.seconds - 1e-6))
    q[:3] = view.point(q[:3])
    q[3:7] = view.rotation(q[3:7])
    return q, v, a

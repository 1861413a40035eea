"""Pose of a followed body: the clip's, seen from the foot that stands, and how firmly each joint keeps to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from poise.behaviours.balance.gains import Weights
from poise.behaviours.following.view import View
from poise.behaviours.stepping.posture import Posture
from poise.behaviours.stepping.step import Facts
from poise.control.tracking import Tracking, firmness
from poise.dynamics.state import State
from poise.geometry.linear import norm
from poise.motion.clip import Clip
from poise.motion.score.samples import DT

CALM = (
    0.02,
    0.05,
)  # in heights, of ξ from its course: up to here arms follow the clip, from there on they are free to help


class Posing:
    """What joints and root are asked for.

    Args:
        calm: Times as firmly arms keep to the clip while ξ is on its course.
        far: Joints that are farther from the clip than this are drawn back the more [rad].
        hold: Body to the factor of its stiffness.
    """

    def __init__(
        self, state: State, facts: Facts, mu: float, calm: float, far: float, hold: Mapping[str, float]
    ):
        self.posture, self.far, self.h = Posture(state, facts, Weights(), mu), far, facts.h
        self.posture.hold(state, hold)
        self._v, self._a = np.zeros(state.nv), np.zeros(state.nv)
        self._firm = firmness(state.tree, dict.fromkeys(state.character.arms, calm)) - 1.0

    def track(
        self, state: State, clip: Clip, view: View, s: float, rate: float, xi_error: np.ndarray
    ) -> tuple[Tracking, np.ndarray]:
        """How to follow a clip, ``s`` samples into it, with ξ off its course (2,) [m]; and its pose (nq,)."""
        q, v, a = posed(clip, view, s)
        self._v[:], self._a[:] = rate * v, rate * rate * a
        self._v[:3] = view.vector(self._v[:3])
        tracking = self.posture.follow(state, q, self._v, self._a, self.far)
        low, high = CALM
        off = min(max((norm(xi_error) / self.h - low) / (high - low), 0.0), 1.0)
        return replace(tracking, weight=tracking.weight * (1.0 + (1.0 - off) * self._firm)), q


def posed(clip: Clip, view: View, s: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Pose of a clip with its rates at its own speed, its root where it is seen."""
    q, v, a = clip.sample(clip.start + min(max(s * DT, 1e-6), clip.seconds - 1e-6))
    q[:3] = view.point(q[:3])
    q[3:7] = view.rotation(q[3:7])
    return q, v, a

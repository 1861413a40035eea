r"""Where a roll goes, and how far it has turned.

A roll travels along t over ground with normal n, and turns about a = n × t, so that its spin is positive. In the body
two axes are fixed: ``lateral``, which should lie along a, and ``front``, whose direction in the plane of t and n is
the phase. Both are means over pelvis and chest, since a tucked spine bends by more than a right angle.

.. math:: \varphi = \operatorname{atan2}(u \cdot t, u \cdot n), \qquad e = l \times a

e is the rotation that brings the lateral axis back to a (out of plane); world axes, [rad].
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from poise.dynamics.state import State
from poise.geometry.linear import norm, times

TURN = 2 * math.pi
TRUNK = ("pelvis", "chest")  # their mean is the trunk
UP, AHEAD = (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)


@dataclass(frozen=True)
class Course:
    """Direction of travel in the world: ``slope`` is the rise on the way, ``heading`` its angle from x [rad]."""

    slope: float = 0.0
    heading: float = 0.0

    @property
    def t(self) -> np.ndarray:
        level, rise = math.cos(self.slope), math.sin(self.slope)
        return np.array([level * math.cos(self.heading), level * math.sin(self.heading), rise])

    @property
    def a(self) -> np.ndarray:
        return np.array([0.0 - math.sin(self.heading), math.cos(self.heading), 0.0])

    @property
    def n(self) -> np.ndarray:
        level, rise = math.cos(self.slope), math.sin(self.slope)
        return np.array([-rise * math.cos(self.heading), 0.0 - rise * math.sin(self.heading), level])

    @property
    def axes(self) -> np.ndarray:
        """Columns t, a, n, unit vectors: from course to world axes (3, 3)."""
        return np.stack([self.t, self.a, self.n], axis=1)


@dataclass(frozen=True)
class Facing:
    """How the body lies in its roll: axes in the frame of the trunk (x forward, y left, z to the head)."""

    front: tuple[float, float, float]
    lateral: tuple[float, float, float]

    @classmethod
    def of(cls, style: str, oblique: float = 0.0) -> Facing:
        """Axes of a style; ``oblique`` tips the axis of rotation out of the shoulders' line [rad]."""
        s, c = math.sin(oblique), math.cos(oblique)
        if style == "backward":
            return cls((0.0, s, c), (0.0, -c, s))
        if style == "sideways":
            return cls(AHEAD, UP)
        return cls((0.0, -s, c), (0.0, c, s))

    def rotation(self, phase: float, course: Course) -> np.ndarray:
        """Orientation (3, 3) of a straight trunk at a phase, lateral axis along a."""
        b = np.array([np.cross(self.lateral, self.front), self.lateral, self.front]).T
        s, c = math.sin(phase), math.cos(phase)
        turned = np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])  # about a, in course axes
        return times(times(course.axes, turned), b.T)


class Attitude:
    """Phase, unwrapped, and out-of-plane error of a body in its roll."""

    def __init__(self, state: State, facing: Facing, course: Course):
        self._bodies = [state.tree.body0 + state.tree.body(name) for name in TRUNK]
        self._xmat = state.data.xmat
        self._front, self._lateral = np.array(facing.front), np.array(facing.lateral)
        self.axes = course.axes
        self.phase, self.lateral, self.error = 0.0, np.zeros(3), np.zeros(3)
        self._look()
        self.phase = self._wrapped

    def update(self) -> None:
        """Look at the trunk as the engine has it now."""
        self._look()
        turn = self._wrapped - self.phase
        self.phase += turn - TURN * round(turn / TURN)

    def _look(self) -> None:
        pelvis, chest = self._bodies
        R = (self._xmat[pelvis] + self._xmat[chest]).reshape(3, 3)
        u, self.lateral = times(R, self._front), times(R, self._lateral)
        self.lateral /= max(norm(self.lateral), 1e-9)
        t, a, n = self.axes.T
        self._wrapped = math.atan2(float(times(u, t)), float(times(u, n)))
        self.error = np.cross(self.lateral, a)

    @property
    def heading(self) -> float:
        """Turn of the lateral axis about n, positive to the left [rad]."""
        t, a, _ = self.axes.T
        return math.atan2(-float(times(self.lateral, t)), float(times(self.lateral, a)))

    @property
    def tilt(self) -> float:
        """Rise of the lateral axis out of the ground plane [rad]."""
        return math.asin(max(-1.0, min(1.0, float(times(self.lateral, self.axes[:, 2])))))

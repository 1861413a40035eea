r"""Rates of momentum that a roll wants ([Rolling] eq. 3 and 4), along travel, lateral axis and normal.

.. math:: \dot L_d = m\,(K_s^L(\hat c - c) + K_d^L(\hat{\dot c} - \dot c)), \qquad
          \dot H_d = I_c\,(K_s^H e + K_d^H(\hat\omega - \omega))

In plane the speed and AV are held; out of plane also the line of travel and the excursion e. By default e is the turn
of the trunk's lateral axis out of the course, since the integral of AV is no orientation.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from poise.behaviours.rolling.course import Attitude
from poise.behaviours.rolling.indices import INDICES
from poise.dynamics.state import State
from poise.errors import unknown
from poise.geometry.linear import solve, times

EXCURSIONS = ("axis", "integral")
ACTS = ("all", "aside")
HOMING = 0.1  # [rad/m]: heading back to the line of travel per distance from it
MOST_TURN = math.radians(8)  # that homing asks for
Vec = tuple[float, float, float]


@dataclass(frozen=True)
class Steering:
    """Gains, and what they act on.

    Args:
        speed, spin: Wanted [m/s], [rev/s].
        spins: Whether cycles are mixed to the spin; else to the speed.
        index: ``AV+AE``; ``AV`` leaves the excursion out of plane free; ``AE`` also holds it in plane to a ramp;
            ``ROOT`` puts the root's rotation in the place of the whole body's.
        excursion: ``axis`` (tilt of the trunk) or ``integral`` (eq. 1).
        homing: Heading back to the line of travel per distance from it [rad/m].
        acts: ``all`` of the program's torques, or only those ``aside``, which leave speed and spin to the springs.
    """

    speed: float = 1.4
    spin: float = 0.9
    linear_ks: Vec = (0.0, 2.0, 0.0)
    linear_kd: Vec = (5.0, 5.0, 3.0)
    angular_ks: Vec = (30.0, 0.0, 30.0)
    angular_kd: Vec = (8.0, 5.0, 8.0)
    index: str = "AV+AE"
    excursion: str = "axis"
    homing: float = HOMING
    acts: str = "all"
    spins: bool = False

    def __post_init__(self) -> None:
        if self.index not in INDICES:
            raise unknown("rotation index", self.index, INDICES)
        if self.excursion not in EXCURSIONS:
            raise unknown("form of the excursion", self.excursion, EXCURSIONS)
        if self.acts not in ACTS:
            raise unknown("part of the torques that acts", self.acts, ACTS)


IN_PLANE_KS = 30.0  # [1/s²] of index=AE, where the excursion follows a ramp in plane too


class Steer:
    """The two laws on a state; ``rate`` (6,) is overwritten at every update, world axes."""

    def __init__(self, state: State, steering: Steering, attitude: Attitude):
        self.steering, self.attitude = steering, attitude
        self.rate = np.zeros(6)
        self.line = state.c.copy()  # a point of the line of travel [m]
        self.excursion = np.zeros(3)  # ∫ω dt, course axes [rad]
        self._ramp = 0.0
        self._root0 = times(attitude.axes.T, state.root_R)

    def update(self, state: State, dt: float) -> np.ndarray:
        """L̇ and Ḣ wanted now."""
        s, R = self.steering, self.attitude.axes
        I = times(times(R.T, state.composite_inertia), R)  # noqa: E741
        omega = solve(I, times(R.T, state.H))
        self.excursion += omega * dt
        spin = 2 * math.pi * s.spin
        self._ramp += spin * dt
        gap, velocity = times(R.T, self.line - state.c), times(R.T, state.c_dot)
        wanted = np.array([s.speed, 0.0, 0.0])
        linear = np.multiply(s.linear_ks, gap) + np.multiply(s.linear_kd, wanted - velocity)
        if s.index == "ROOT":
            omega = times(R.T, times(state.root_R, state.v[3:6]))
        angular = np.multiply(s.angular_ks, self._error(state)) * (s.index != "AV")
        if s.index == "AE":
            angular[1] = IN_PLANE_KS * (self._ramp - self.excursion[1])
        angular += np.multiply(s.angular_kd, np.array([0.0, spin, 0.0]) - omega)
        self.rate[:3], self.rate[3:] = state.m * times(R, linear), times(R, times(I, angular))
        return self.rate

    def _error(self, state: State) -> np.ndarray:
        """Out-of-plane rotation that is still wanted, course axes [rad]."""
        R = self.attitude.axes
        if self.steering.index == "ROOT":  # the root's own lateral axis
            a = np.array([0.0, 1.0, 0.0])
            return np.cross(times(times(times(R.T, state.root_R), self._root0.T), a), a)
        if self.steering.excursion == "integral":
            return -self.excursion
        lateral = times(R.T, self.attitude.lateral)
        aside = float(times(R[:, 1], state.c - self.line))
        turn = min(max(-self.steering.homing * aside, -MOST_TURN), MOST_TURN)
        return np.cross(lateral, [-math.sin(turn), math.cos(turn), 0.0])

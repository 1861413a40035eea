"""RollOver: turn from the back to the front and stay there, by an excursion of half a turn ([Rolling] §6)."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from poise.behaviours.rolling.course import Course, Facing
from poise.behaviours.rolling.joints import Joints, within
from poise.behaviours.rolling.program import FeatureWeights
from poise.behaviours.rolling.roll import Rolling
from poise.behaviours.rolling.solver import Wanted
from poise.character import Character
from poise.dynamics.state import State
from poise.geometry.linear import solve, times

GOAL = math.pi  # [rad] of excursion: from the back to the front
# of the excursion along travel, long axis and normal
KS, KD = (12.0, 18.0, 12.0), (12.0, 12.0, 12.0)  # [1/s²], [1/s]
LINEAR_KD = (3.0, 3.0, 3.0)  # [1/s]: the centre of mass should be still
DONE = 0.75  # of the turn: from here on gravity does the rest
PACE = 1.0 / 2.13  # [1/s]: share of the turn that the pose goes on by in a second, however far the body is
AHEAD = 0.1  # of the turn, between the two poses of the blend
PATIENCE, REST = 2.6, 1.6  # [s]: an attempt takes at most so long; then the body lies, and tries again
Pose = Mapping[str, float]  # name of an angle to its value [deg]


def poses(body: Character, *wanted: Pose) -> np.ndarray:
    """Joint angles (n, nv - 6) of some poses [rad]; balls within range."""
    joints = Joints(body)
    out = np.zeros((len(wanted), joints.size))
    for row, pose in zip(out, wanted, strict=True):
        for angle, angle_deg in pose.items():
            row[joints.place(angle)] = math.radians(angle_deg)
    return within(body, out)


class RollOver(Rolling):
    """Half a turn about the long axis, then stillness."""

    def __init__(self, strength: float = 1.0, weights: FeatureWeights | None = None, goal: float = GOAL):
        self.strength, self.goal = strength, goal
        self.weights = weights or FeatureWeights(angular=(1.0, 1.0, 1.0), pose=0.024, passes="two")
        self.course, self.facing = Course(), Facing.of("sideways")

    def start(self, state: State, dt: float) -> None:
        super().start(state, dt)
        self.table = poses(state.character, ARCH, REACH, LAND, TURNED)
        self._lying = poses(state.character, LYING)[0]
        self._clock = 0.0  # [s] of this attempt, or of the rest after it
        self._resting = False

    def update(self, state: State) -> Wanted:
        attitude, wanted, R = self.attitude, self.wanted, self.course.axes
        attitude.update()
        share = self._pace(attitude.phase / self.goal)
        if share is None:
            wanted.pose[:] = wanted.ahead[:] = self._lying
        else:
            self._pose(share, wanted.pose)
            self._pose(share + AHEAD, wanted.ahead)
        I = times(times(R.T, state.composite_inertia), R)  # noqa: E741
        omega = solve(I, times(R.T, state.H))
        error = times(R.T, attitude.error)
        error[1] = (0.0 if share is None else self.goal) - attitude.phase
        angular = self.strength * np.multiply(KS, error) - np.multiply(KD, omega)
        wanted.momentum_rate[:3] = -state.m * times(R, np.multiply(LINEAR_KD, times(R.T, state.c_dot)))
        wanted.momentum_rate[3:] = times(R, times(I, angular))
        return self._keep(state, blend=1.0 if self._program is None else self._program.gamma)

    def _pace(self, turned: float) -> float | None:
        """Share of the turn whose pose is due; None while the body rests after an attempt that came to nothing."""
        self._clock += self.dt
        if turned >= DONE:
            self._resting = False
        elif self._clock > (REST if self._resting else PATIENCE):
            self._resting, self._clock = not self._resting, 0.0
        return None if self._resting else max(turned, min(PACE * self._clock, DONE))

    def _pose(self, share: float, out: np.ndarray) -> None:
        """Pose of a share of the turn: between the four, at equal steps."""
        at = min(max(share, 0.0), 1.0) * (len(self.table) - 1)
        i = min(int(at), len(self.table) - 2)
        np.multiply(self.table[i], 1.0 - (at - i), out=out)
        out += (at - i) * self.table[i + 1]


# hips and shoulders bend forward with negative angles; the turn is about +z of the trunk: to its own left.
# ARCH, REACH and LAND were found by search (CMA-ES, 1400 sets of poses on springs, seeds 0-3, strength 0.85 and 1)
LYING = {
    "hip_y_l": -70, "hip_y_r": -100, "hip_x_l": 20, "hip_x_r": 5, "knee_l": 70, "knee_r": 70, "shoulder_y_l": -150,
    "shoulder_y_r": -70, "shoulder_x_l": 10, "elbow_l": -20, "elbow_r": -30, "spine_low_y": 15, "spine_mid_y": 10,
    "spine_low_z": 12, "spine_mid_z": 15, "neck_y": 20,
}  # fmt: skip
ARCH = {
    "spine_low_y": -11, "spine_low_x": 15, "spine_low_z": 13, "spine_mid_y": -11, "spine_mid_x": 11,
    "spine_mid_z": 19, "spine_top_y": 2, "neck_y": -41, "shoulder_y_l": -19, "shoulder_x_l": 30,
    "shoulder_z_l": -64, "elbow_l": -118, "shoulder_y_r": -141, "shoulder_x_r": -45, "shoulder_z_r": -13,
    "elbow_r": -46, "hip_y_l": -80, "hip_x_l": 17, "hip_z_l": -3, "knee_l": 48, "hip_y_r": 4, "hip_x_r": -38,
    "hip_z_r": 29, "knee_r": 48,
}  # fmt: skip
REACH = {
    "spine_low_y": -20, "spine_low_x": 10, "spine_low_z": 15, "spine_mid_y": -19, "spine_mid_x": -15,
    "spine_mid_z": 15, "spine_top_y": 2, "neck_y": -47, "shoulder_y_l": -144, "shoulder_x_l": -8,
    "shoulder_z_l": 50, "elbow_l": -7, "shoulder_y_r": -95, "shoulder_x_r": 9, "shoulder_z_r": 17, "elbow_r": -1,
    "hip_y_l": -110, "hip_x_l": -5, "hip_z_l": -6, "knee_l": 29, "hip_y_r": 25, "hip_x_r": 12, "hip_z_r": -24,
    "knee_r": 131,
}  # fmt: skip
LAND = {
    "spine_low_y": -13, "spine_low_x": -8, "spine_low_z": 7, "spine_mid_y": -19, "spine_mid_x": -4,
    "spine_mid_z": 20, "spine_top_y": -12, "neck_y": -20, "shoulder_y_l": -178, "shoulder_x_l": -10,
    "shoulder_z_l": 65, "elbow_l": -7, "shoulder_y_r": -179, "shoulder_x_r": -14, "shoulder_z_r": -60,
    "elbow_r": -43, "hip_y_l": -58, "hip_x_l": -12, "hip_z_l": 15, "knee_l": 56, "hip_y_r": -67, "hip_x_r": 12,
    "hip_z_r": -30, "knee_r": 34,
}  # fmt: skip
TURNED = {
    "hip_y_l": -20, "hip_y_r": -20, "hip_x_l": 20, "hip_x_r": -20, "knee_l": 30, "knee_r": 30, "shoulder_y_l": -110,
    "shoulder_y_r": -110, "shoulder_x_l": 30, "shoulder_x_r": -30, "elbow_l": -90, "elbow_r": -90, "spine_low_y": -8,
    "spine_mid_y": -8, "neck_y": -25,
}  # fmt: skip

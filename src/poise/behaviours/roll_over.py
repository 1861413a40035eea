"""RollOver: turn from the back to the front and stay there, by an excursion of half a turn ([Rolling] §6)."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from poise.behaviours.behaviour import Behaviour, Signal
from poise.behaviours.roll import SIGNALS
from poise.dynamics.state import State
from poise.rolling.course import Attitude, Course, Facing
from poise.rolling.drive import Drive, Wanted
from poise.rolling.program import FeatureProgram, FeatureWeights
from poise.rolling.touch import Grounded

GOAL = math.pi  # [rad] of excursion: from the back to the front
KS, KD = (
    (40.0, 60.0, 40.0),
    (12.0, 12.0, 12.0),
)  # [1/s²], [1/s] of the excursion, along travel, long axis, normal
LINEAR_KD = (3.0, 3.0, 3.0)  # [1/s]: the centre of mass should be still
# poses over the turn [rad]: on the back, half way, on the front; bending positive, sides as (near, far) of the turn
Pose = Mapping[str, float]


def poses(body, lying: Pose, turning: Pose, turned: Pose) -> np.ndarray:
    """Joint targets (3, nq - 7) of three poses."""
    model = body.model
    out = np.zeros((3, model.nq - 7))
    for row, pose in zip(out, (lying, turning, turned), strict=True):
        for joint, angle_deg in pose.items():
            row[int(model.joint(joint).qposadr[0]) - 7] = math.radians(angle_deg)
    return out


class RollOver(Behaviour):
    """Half a turn about the long axis, then stillness."""

    lies = True

    def __init__(self, strength: float = 1.0, weights: FeatureWeights | None = None, goal: float = GOAL):
        self.strength, self.goal = strength, goal
        self.weights = weights or FeatureWeights(angular=(1.0, 1.0, 1.0), pose=0.05, passes="two")
        self.course, self.facing = Course(), Facing.of("sideways")

    def start(self, state: State, dt: float) -> None:
        self.dt, self.attitude = dt, Attitude(state, self.facing, self.course)
        self.table = poses(state.character, LYING, TURNING, TURNED)
        n = state.nv - 6
        self.wanted = Wanted(np.zeros(n), np.zeros(n), np.zeros(6))
        self.q_ref = np.full(state.tree.nq, np.nan)
        self._signal, self._ground = np.zeros(len(SIGNALS)), Grounded(state)

    def solver(self, state: State, torque) -> Drive:
        self._program = FeatureProgram(state, self.weights, self.course.axes)
        return Drive(state, torque, self.strength, self._program)

    def update(self, state: State) -> Wanted:
        attitude, wanted, R = self.attitude, self.wanted, self.course.axes
        attitude.update(state)
        turned = min(max(attitude.phase / self.goal, 0.0), 1.0)
        self._pose(turned, wanted.pose)
        self._pose(min(turned + 0.15, 1.0), wanted.ahead)
        I = R.T @ state.composite_inertia @ R  # noqa: E741
        omega = np.linalg.solve(I, R.T @ state.H)
        error = R.T @ attitude.error
        error[1] = self.goal - attitude.phase
        angular = self.strength * np.multiply(KS, error) - np.multiply(KD, omega)
        wanted.momentum_rate[:3] = -state.m * (R @ np.multiply(LINEAR_KD, R.T @ state.c_dot))
        wanted.momentum_rate[3:] = R @ (I @ angular)
        self.q_ref[7:] = wanted.pose
        self._signal[:5] = attitude.phase, attitude.heading, attitude.tilt, 0.0, self._program.gamma
        self._signal[5:] = self._ground.update(state)
        return wanted

    def _pose(self, turned: float, out: np.ndarray) -> None:
        """Pose of a share of the turn: between the three, on the front from nine tenths on."""
        at = min(turned / 0.9, 1.0) * 2.0
        i = min(int(at), 1)
        np.multiply(self.table[i], 1.0 - (at - i), out=out)
        out += (at - i) * self.table[i + 1]

    def signals(self) -> Mapping[str, Signal]:
        return {"roll": Signal(self._signal, "rad, 1", "course", SIGNALS)}


# hips and shoulders bend forward with negative angles; the turn is about +z of the trunk: to its own left
LYING = {
    "hip_y_l": -70, "hip_y_r": -100, "hip_x_l": 20, "hip_x_r": 5, "knee_l": 70, "knee_r": 70, "shoulder_y_l": -150,
    "shoulder_y_r": -70, "shoulder_x_l": 10, "elbow_l": -20, "elbow_r": -30, "spine_low_y": 15, "spine_mid_y": 10,
    "spine_low_z": 12, "spine_mid_z": 15, "neck_y": 20,
}  # fmt: skip
TURNING = {
    "hip_y_l": -15, "hip_y_r": -90, "knee_l": 20, "knee_r": 60, "shoulder_y_l": -165, "shoulder_y_r": -80,
    "elbow_l": -10, "elbow_r": -30, "spine_low_y": 5, "spine_low_z": 10, "spine_mid_z": 10, "neck_y": -10,
}  # fmt: skip
TURNED = {
    "hip_y_l": -20, "hip_y_r": -20, "hip_x_l": 20, "hip_x_r": -20, "knee_l": 30, "knee_r": 30, "shoulder_y_l": -110,
    "shoulder_y_r": -110, "shoulder_x_l": 30, "shoulder_x_r": -30, "elbow_l": -90, "elbow_r": -90, "spine_low_y": -8,
    "spine_mid_y": -8, "neck_y": -25,
}  # fmt: skip

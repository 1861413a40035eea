"""RollOver: turn from the back to the front and stay there, by an excursion of half a turn ([Rolling] §6)."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from poise.behaviours.behaviour import Behaviour, Signal
from poise.behaviours.roll import SIGNALS
from poise.character import Character
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
HALF = 0.4  # of the turn: stuck beyond it, the pose goes on to the last one before an attempt is given up
DONE = 0.75  # of the turn: from here on gravity does the rest
STUCK, PATIENCE = (
    math.radians(8),
    0.6,
)  # [rad], [s]: turned by less than this for so long, an attempt has failed
REST = 0.7  # [s] on the back before the next attempt
WIND_UP = math.radians(25)  # the other way before the next attempt
RESOLVE, MOST = 0.3, 2.0  # each attempt is stronger by this share of the gain, up to so many times
Pose = Mapping[str, float]  # joint to angle [deg]


def poses(body: Character, *wanted: Pose) -> np.ndarray:
    """Joint targets (n, nq - 7) of some poses [rad]."""
    model = body.model
    out = np.zeros((len(wanted), model.nq - 7))
    for row, pose in zip(out, wanted, strict=True):
        for joint, angle_deg in pose.items():
            row[int(model.joint(joint).qposadr[0]) - 7] = math.radians(angle_deg)
    return out


class RollOver(Behaviour):
    """Half a turn about the long axis, then stillness."""

    lies = True

    def __init__(self, strength: float = 1.0, weights: FeatureWeights | None = None, goal: float = GOAL):
        self.strength, self.goal = strength, goal
        self.weights = weights or FeatureWeights(angular=(1.0, 1.0, 1.0), pose=0.024, passes="two")
        self.course, self.facing = Course(), Facing.of("sideways")

    def start(self, state: State, dt: float) -> None:
        self.dt, self.attitude = dt, Attitude(state, self.facing, self.course)
        self.table = poses(state.character, SWING, TURNING, TURNED)
        self._lying = poses(state.character, LYING)[0]
        self._past = [self.attitude.phase] * max(1, round(PATIENCE / dt))  # a ring of the last phases
        self._tick, self._rest, self._failed, self._pushed = 0, 0.0, 0, 0.0
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
        trying = self._trying(turned)
        goal = self.goal if trying else -WIND_UP
        turned = max(turned, self._pushed)
        self._pose(turned, wanted.pose)
        self._pose(min(turned + 0.15, 1.0), wanted.ahead)
        if not trying:
            wanted.pose[:] = wanted.ahead[:] = self._lying
        I = R.T @ state.composite_inertia @ R  # noqa: E741
        omega = np.linalg.solve(I, R.T @ state.H)
        error = R.T @ attitude.error
        error[1] = goal - attitude.phase
        resolve = self.strength * min(1.0 + RESOLVE * self._failed, MOST)
        angular = resolve * np.multiply(KS, error) - np.multiply(KD, omega)
        wanted.momentum_rate[:3] = -state.m * (R @ np.multiply(LINEAR_KD, R.T @ state.c_dot))
        wanted.momentum_rate[3:] = R @ (I @ angular)
        self.q_ref[:7], self.q_ref[7:] = state.q[:7], wanted.pose
        self._signal[:5] = attitude.phase, attitude.heading, attitude.tilt, 0.0, self._program.gamma
        self._signal[5:] = self._ground.update(state)
        return wanted

    def _trying(self, turned: float) -> bool:
        """Whether an attempt is on: one that comes to nothing is followed by a rest, and by the next."""
        i = self._tick % len(self._past)
        moved, self._past[i] = abs(self.attitude.phase - self._past[i]), self.attitude.phase
        self._tick += 1
        if self._rest > 0.0:
            self._rest -= self.dt
            self._tick = 0 if self._rest <= 0.0 else self._tick
            return self._rest <= 0.0
        if self._tick > len(self._past) and moved < STUCK and turned < DONE:
            if turned > HALF and self._pushed < 1.0:
                self._pushed, self._tick = 1.0, 0
            else:
                self._rest, self._pushed = REST, 0.0
                self._failed += 1
        return True

    def _pose(self, turned: float, out: np.ndarray) -> None:
        """Pose of a share of the turn: between the three, on the front from nine tenths on."""
        at = min(turned / 0.9, 1.0) * 2.0
        i = min(int(at), 1)
        np.multiply(self.table[i], 1.0 - (at - i), out=out)
        out += (at - i) * self.table[i + 1]

    def signals(self) -> Mapping[str, Signal]:
        return {"roll": Signal(self._signal, "rad, 1", "course", SIGNALS)}


# hips and shoulders bend forward with negative angles; the turn is about +z of the trunk: to its own left.
# SWING and TURNING were found by search (CMA-ES, 96 evaluations, seeds 0 to 2)
LYING = {
    "hip_y_l": -70, "hip_y_r": -100, "hip_x_l": 20, "hip_x_r": 5, "knee_l": 70, "knee_r": 70, "shoulder_y_l": -150,
    "shoulder_y_r": -70, "shoulder_x_l": 10, "elbow_l": -20, "elbow_r": -30, "spine_low_y": 15, "spine_mid_y": 10,
    "spine_low_z": 12, "spine_mid_z": 15, "neck_y": 20,
}  # fmt: skip
SWING = {
    "spine_low_y": -7, "spine_low_x": 1, "spine_low_z": -6, "spine_mid_y": -7, "spine_mid_x": 5, "spine_mid_z": -15,
    "spine_top_y": 28, "neck_y": 39, "shoulder_y_l": -179, "shoulder_x_l": -10, "shoulder_z_l": 5, "elbow_l": -10,
    "shoulder_y_r": -47, "shoulder_x_r": 10, "shoulder_z_r": -22, "elbow_r": -6, "hip_y_l": 25, "hip_x_l": 6,
    "hip_z_l": -4, "knee_l": 32, "ankle_y_l": 12, "hip_y_r": -120, "hip_x_r": 5, "hip_z_r": 21, "knee_r": 9,
}  # fmt: skip
TURNING = {
    "spine_low_y": 26, "spine_low_x": -1, "spine_low_z": 11, "spine_mid_y": -2, "spine_mid_z": 5, "spine_top_y": -13,
    "neck_y": -9, "shoulder_y_l": -158, "shoulder_x_l": -10, "shoulder_z_l": 14, "elbow_l": -33, "shoulder_y_r": -70,
    "shoulder_x_r": -39, "shoulder_z_r": -14, "elbow_r": -60, "hip_y_l": 16, "hip_x_l": -2, "hip_z_l": 6, "knee_l": 75,
    "ankle_y_l": -5, "hip_y_r": -66, "hip_x_r": 6, "hip_z_r": -12, "knee_r": 63, "ankle_y_r": 9,
}  # fmt: skip
TURNED = {
    "hip_y_l": -20, "hip_y_r": -20, "hip_x_l": 20, "hip_x_r": -20, "knee_l": 30, "knee_r": 30, "shoulder_y_l": -110,
    "shoulder_y_r": -110, "shoulder_x_l": 30, "shoulder_x_r": -30, "elbow_l": -90, "elbow_r": -90, "spine_low_y": -8,
    "spine_mid_y": -8, "neck_y": -25,
}  # fmt: skip

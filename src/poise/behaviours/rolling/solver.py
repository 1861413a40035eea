"""Solver of the rolls: torques of joint springs at every step, corrected by the feature program at 60 Hz."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from poise.behaviours.rolling.asymmetry import Mirror
from poise.behaviours.rolling.joints import Joints, errors, rotations
from poise.behaviours.rolling.springs import gains, spring_torque
from poise.control.solve import Solution
from poise.dynamics.state import State
from poise.records import Record, Vector

if TYPE_CHECKING:
    from poise.behaviours.rolling.program import FeatureProgram


@dataclass
class Wanted:
    """What a roll wants for one tick; joint poses (nv - 6,) [rad], rates world axes [N], [N m]."""

    pose: np.ndarray  # tracked by the springs; r_a of the blend
    ahead: np.ndarray  # r_b of the blend
    momentum_rate: np.ndarray  # (6,) L̇ and Ḣ
    in_plane: float = 1.0  # share that acts of the program's torques alike on both sides; below 1: no blend
    steered: bool = True  # False: by the springs alone


class Drive(Record):
    """Solver of the rolling behaviours, with the signature of those in `control`."""

    kp: Vector  # (nv - 6,)
    kd: Vector
    low: Vector  # (nv,)
    high: Vector
    joints: Joints
    goal: Vector  # (nq - 7,) a pose as rotations
    error: Vector  # (nv - 6,) from where the joints are to it

    def __init__(
        self, state: State, torque, strength: float = 1.0, program: FeatureProgram | None = None,
        solution: Solution | None = None,
    ):  # fmt: skip
        nv = state.nv
        self.state, self.program = state, program
        self._mirror = Mirror(state.character)
        self.low, self.high = strength * torque[0], strength * torque[1]
        self.kp, self.kd = gains(state.character, strength)
        self.target, self.extra, self.error = np.zeros(nv - 6), np.zeros(nv - 6), np.zeros(nv - 6)
        self.joints, self.goal = Joints(state.character), np.zeros(state.tree.nq - 7)
        self._zero = np.zeros(nv - 6)
        self._A, self._a = np.zeros((nv, nv)), np.zeros(nv)
        self._h = float(state.model.opt.timestep)
        self.solution = solution or Solution.empty(nv, len(state.character.supports))
        self.seal()

    def refresh(self, wanted: Wanted, two_pass: bool = True) -> None:
        """A new pose to hold, and the correction of its torques that the program finds."""
        self.target[:] = wanted.pose
        self.solution.momentum_rate_des[:] = wanted.momentum_rate
        self.extra[:] = 0.0
        if self.program is not None and wanted.steered:
            self.program.solve(wanted, self)
            if wanted.in_plane < 1.0:
                self._mirror.lessen(self.extra, wanted.in_plane)
            else:
                self.target += (1.0 - self.program.gamma) * (wanted.ahead - wanted.pose)
        rotations(self.joints, self.target, self.goal)

    def step(self) -> Solution:
        """Torques for the present state."""
        state, solution = self.state, self.solution
        errors(self.joints, state.q[7:], self.goal, self.error)
        good = spring_torque(state.M, state.bias, self._zero, state.v, self.error, self.kp, self.kd, self.extra,
                             self.low, self.high, self._h, self._A, self._a, solution.tau)  # fmt: skip
        if not good:
            solution.failures += 1
            solution.status = "the mass matrix is singular"
        return solution

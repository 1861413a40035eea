"""Springs on every joint, balls too: hold a configuration within torque limits, by stable PD."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from poise.behaviours.rolling.springs import spring_torque
from poise.character import Character
from poise.character.constants import BALL, WIDTH
from poise.compiled import compiled
from poise.control.command import Command, Solution
from poise.control.hybrid import HybridSolver
from poise.control.solve import RobustSolver
from poise.control.tracking import PoseError
from poise.dynamics.state import State
from poise.geometry.quat_jit import about, multiply, rotation_between

GAINS = {  # stiffness [N m/rad], damping [N m s/rad], by the beginning of a joint's name
    "spine_low": (900.0, 60.0), "spine_mid": (800.0, 50.0), "spine_top": (600.0, 30.0), "spine": (800.0, 50.0),
    "neck": (80.0, 4.0), "hip": (700.0, 45.0), "knee": (450.0, 25.0), "ankle": (300.0, 12.0),
    "shoulder": (250.0, 12.0), "elbow": (200.0, 8.0), "wrist": (30.0, 1.0),
}  # fmt: skip
OTHER = (30.0, 1.0)
TALL = 1.75  # [m]
REFERENCE = 75.0 * TALL  # [kg m] mass times height of the body that the gains are for


def gains(body: Character) -> tuple[np.ndarray, np.ndarray]:
    """Stiffness and damping of every degree of freedom of the joints (nv - 6,)."""
    model, scale = body.model, body.mass * body.height / REFERENCE
    pace = math.sqrt(body.height / TALL)
    kp, kd = np.zeros(model.nv - 6), np.zeros(model.nv - 6)
    for name in body.joint_names[1:]:
        joint = model.joint(name)
        at, width = int(joint.dofadr[0]) - 6, len(joint.qpos0) - (len(joint.qpos0) == WIDTH[BALL])
        found = [g for stem, g in GAINS.items() if name.startswith(stem)]
        k, d = found[0] if found else OTHER
        kp[at : at + width], kd[at : at + width] = scale * k, scale * pace * d
    return kp, kd


@dataclass
class Hold:
    """A configuration to hold: joints (nq - 7,), and how firmly: parts of stiffness and damping."""

    joints: np.ndarray
    firm: float | np.ndarray = 1.0
    damped: float | np.ndarray = 1.0


class Springs:
    """Torques of the springs, written into a solution that belongs to somebody else."""

    def __init__(self, state: State, torque: tuple[np.ndarray, np.ndarray], solution: Solution):
        nv = state.nv
        self.state, self.solution, (self.low, self.high) = state, solution, torque
        self._kp, self._kd = gains(state.character)
        self.kp, self.kd = self._kp.copy(), self._kd.copy()
        self._error = PoseError(state.tree)
        self._target, self._away = np.array(state.character.q_rest), np.zeros(nv)
        self._zero, self._A, self._a = np.zeros(nv - 6), np.zeros((nv, nv)), np.zeros(nv)
        self._h = float(state.model.opt.timestep)

    def refresh(self, wanted: Hold) -> None:
        self._target[7:] = wanted.joints
        np.multiply(self._kp, wanted.firm, out=self.kp)
        np.multiply(self._kd, wanted.damped, out=self.kd)

    def step(self) -> Solution:
        """Torques for the present state."""
        state, solution, zero = self.state, self.solution, self._zero
        self._error(state.q, self._target, self._away)
        good = spring_torque(state.M, state.bias, zero, state.v, self._away[6:], self.kp, self.kd, zero,
                             self.low, self.high, self._h, self._A, self._a, solution.tau)  # fmt: skip
        solution.status, solution.limits, solution.iterations = "springs", 0, 0
        if not good:
            solution.failures += 1
            solution.status = "the mass matrix is singular"
        return solution


class Either:
    """A Command goes to the usual solver, a Hold to the springs; both fill one solution."""

    def __init__(self, usual: RobustSolver | HybridSolver, springs: Springs, watch: Callable[[], None]):
        self.usual, self.springs, self.solution, self._watch = usual, springs, usual.solution, watch
        self._sprung = False

    def refresh(self, wanted: Command | Hold, two_pass: bool = True) -> None:
        self._sprung = isinstance(wanted, Hold)
        if isinstance(wanted, Hold):
            self.usual.supports.active[:] = False
            self.solution.wrenches[:] = self.solution.momentum_rate[:] = 0.0
            self.solution.momentum_rate_des[:] = self.solution.momentum_rate_free[:] = 0.0
            self.springs.refresh(wanted)
        else:
            self.usual.refresh(wanted, two_pass)

    def step(self) -> Solution:
        self._watch()
        return self.springs.step() if self._sprung else self.usual.step()

    @property
    def acting(self) -> np.ndarray:
        """Degrees of freedom whose limits act."""
        known = not self._sprung and isinstance(self.usual, RobustSolver)
        return self.usual.acting if known else np.zeros(0, dtype=int)  # type: ignore[union-attr]


@compiled
def between(kind, q_at, a, b, share, out):
    """Joints (nq,) a share of the shortest way from a to b; the root stays that of ``out``."""
    turn = np.zeros(3)
    for j in range(1, kind.shape[0]):
        i = q_at[j]
        if kind[j] == BALL:
            rotation_between(a[i : i + 4], b[i : i + 4], turn)
            angle = np.sqrt(turn[0] ** 2 + turn[1] ** 2 + turn[2] ** 2)
            if angle < 1e-9:
                out[i : i + 4] = b[i : i + 4]
            else:
                out[i : i + 4] = multiply(a[i : i + 4], about(turn / angle, share * angle))
        else:
            out[i] = a[i] + share * (b[i] - a[i])

"""Controller: a behaviour on a character, driven from anybody's own MuJoCo loop. Plain objects in, controls out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import mujoco
import numpy as np

from poise.control.contact import Supports
from poise.control.hybrid import HybridSolver
from poise.control.limits import JointLimits
from poise.control.solve import RobustSolver, Solution
from poise.dynamics.state import State
from poise.errors import BadInput, unknown

if TYPE_CHECKING:
    from poise.behaviours.behaviour import Behaviour
    from poise.character import Character

MODES = ("robust", "fast", "paper")


@dataclass(frozen=True)
class Control:
    """How wanted accelerations become torques.

    Args:
        mode: ``robust`` (one program with all limits, solved every step), ``fast`` (least squares and fitted contact
            forces) or ``paper`` (least squares and the measured ground force).
        refresh_hz: How often objectives are formed anew; None is 100 in ``robust``, 60 otherwise.
        two_pass: Whether the angular law starts from the centre of pressure that the other objectives would like.
        mu: Friction that the contact limits count on; None is 0.8 of the world's.
    """

    mode: str = "robust"
    refresh_hz: float | None = None
    two_pass: bool = True
    mu: float | None = None

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise unknown("control mode", self.mode, MODES)
        if self.refresh_hz is not None and not 1 <= self.refresh_hz <= 1e5:
            raise BadInput(f"refresh rate {self.refresh_hz} Hz; give 1 to 100000")

    @property
    def rate(self) -> float:
        return self.refresh_hz or (100.0 if self.mode == "robust" else 60.0)


class Controller:
    """``data.ctrl[:] = controller(model, data)`` before each ``mj_step``.

    Args:
        character: Whose body it is; its names must exist in the model.
        behaviour: What it should do.
        control: How torques are found.
        ground: Name of the body it stands on where that moves.
    """

    def __init__(
        self,
        character: Character,
        behaviour: Behaviour,
        control: Control | None = None,
        ground: str | None = None,
    ):
        self.character, self.behaviour, self.ground = character, behaviour, ground
        self.control = control or Control()
        self._data: mujoco.MjData | None = None

    def __call__(self, model: mujoco.MjModel, data: mujoco.MjData, ready: bool = False) -> np.ndarray:
        """Controls for the coming step.

        Args:
            ready: True where ``mj_step1`` has just run; otherwise it is run here, since after ``mj_step`` the engine's
                positions are one step old.
        """
        if data is not self._data:
            self._bind(model, data)
        elif not ready:
            mujoco.mj_step1(model, data)
        self.state.update()
        if not self.state.finite:
            self._ctrl[:] = 0.0
            return self._ctrl
        if self._tick % self._every == 0:
            self.solver.refresh(self.behaviour.update(self.state), self.control.two_pass)
        self._tick += 1
        self.solution: Solution = self.solver.step()
        if not self._direct:
            self._ctrl[self._actuator] = self.solution.tau[self._dof] / self._gear
        return self._ctrl

    def _bind(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        mujoco.mj_step1(model, data)
        self._data = data
        state = self.state = State(self.character, model, data, self.ground)
        state.update()
        mu = self.control.mu if self.control.mu is not None else 0.8 * ground_friction(model)
        self.supports = Supports(state, mu=mu, grip=self.behaviour.grip)
        self.limits = JointLimits(state.tree, self.character)
        torque = self._actuators(model)
        if self.control.mode == "robust":
            self.solver = RobustSolver(state, self.supports, self.limits, torque)
        else:
            self.solver = HybridSolver(
                state, self.supports, self.limits, measured=self.control.mode == "paper"
            )
        self._every = max(1, round(1.0 / (self.control.rate * model.opt.timestep)))
        self._tick = 0
        if self._direct:
            self._ctrl = self.solver.solution.tau[6:]
        self.behaviour.start(state, self._every * model.opt.timestep)

    def _actuators(self, model: mujoco.MjModel) -> tuple[np.ndarray, np.ndarray]:
        """Match motors to degrees of freedom; torque limits per dof, zero where nothing drives it."""
        tree = self.state.tree
        found: list[tuple[int, int, float]] = []
        low, high = np.zeros(tree.nv), np.zeros(tree.nv)
        for a in range(model.nu):
            joint = model.actuator_trnid[a, 0]
            if model.actuator_trntype[a] != mujoco.mjtTrn.mjTRN_JOINT or joint not in tree.joints:
                continue
            if not is_motor(model, a):
                raise BadInput(
                    f"actuator {model.actuator(a).name!r} is not a torque motor (a position or velocity servo?); "
                    "Poise commands torques: give the model <motor> actuators"
                )
            axis = int(np.argmax(np.abs(model.actuator_gear[a, :3])))
            g = model.actuator_gear[a, axis]
            i = int(model.jnt_dofadr[joint] - tree.dof0 + axis)
            span = model.actuator_ctrlrange[a] if model.actuator_ctrllimited[a] else np.array([-1e4, 1e4])
            low[i], high[i] = sorted(span * g)
            found.append((a, i, g))
        if not found:
            raise BadInput("the model has no torque motors on the character's joints; add <motor> actuators")
        actuator, dof, gear = zip(*found, strict=True)
        self._actuator, self._dof, self._gear = np.array(actuator), np.array(dof), np.array(gear)
        self._ctrl = np.zeros(model.nu)
        plain = model.nu == tree.nv - 6 and (self._gear == 1.0).all()
        self._direct = bool(
            plain and (self._actuator == self._dof - 6).all() and (np.diff(self._dof) == 1).all()
        )
        return low, high


def is_motor(model: mujoco.MjModel, a: int) -> bool:
    """Whether an actuator's force is its control times a fixed gain."""
    fixed = model.actuator_gaintype[a] == mujoco.mjtGain.mjGAIN_FIXED
    plain = model.actuator_biastype[a] == mujoco.mjtBias.mjBIAS_NONE
    return bool(fixed and plain and model.actuator_dyntype[a] == mujoco.mjtDyn.mjDYN_NONE)


def ground_friction(model: mujoco.MjModel) -> float:
    """Sliding friction of the ground: of the first plane, box or height field that belongs to no character."""
    for g in range(model.ngeom):
        root = model.body_rootid[model.geom_bodyid[g]]
        joint = model.body_jntadr[root]
        floats = joint >= 0 and model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_FREE
        if not floats:
            return float(model.geom_friction[g, 0])
    return 0.8

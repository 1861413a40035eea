"""Controller: a behaviour on a character, driven from anybody's own MuJoCo loop. Plain objects in, controls out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import mujoco
import numpy as np

from poise.control.actuation import Actuation
from poise.control.contact import Supports
from poise.control.hybrid import HybridSolver
from poise.control.solve import RobustSolver, Solution
from poise.dynamics.limits import JointLimits
from poise.dynamics.state import State
from poise.errors import BadInput, unknown

if TYPE_CHECKING:
    from poise.character import Character
    from poise.control.behaviour import Behaviour

MODES = ("robust", "fast", "paper")
AT_ZERO = 0.002  # [m]: a floor this near to zero is at zero; contacts lie a little inside it
GROUNDS = [int(getattr(mujoco.mjtGeom, f"mjGEOM_{kind}")) for kind in ("PLANE", "HFIELD", "BOX")]


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
        if not self.actuation.direct:
            self.actuation.controls(self.solution.tau, self._ctrl)
        return self._ctrl

    def _bind(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        mujoco.mj_step1(model, data)
        self._data = data
        state = self.state = State(self.character, model, data, self.ground)
        state.update()
        if self.ground is None:
            state.ground.point[2] = ground_height(state)
        mu = self.control.mu if self.control.mu is not None else 0.8 * ground_friction(state)
        self.supports = Supports(state, mu=mu, grip=self.behaviour.grip)
        self.limits = JointLimits(state.tree, self.character)
        self.actuation = Actuation(state.tree, self.character, data)
        torque = self.actuation.low, self.actuation.high
        own = self.behaviour.solver(state, torque)
        if own is not None:
            self.solver = own
        elif self.control.mode == "robust":
            self.solver = RobustSolver(state, self.supports, self.limits, torque)
        else:
            self.solver = HybridSolver(
                state, self.supports, self.limits, measured=self.control.mode == "paper"
            )
        self._every = max(1, round(1.0 / (self.control.rate * model.opt.timestep)))
        self._tick = 0
        self._ctrl = self.solver.solution.tau[6:] if self.actuation.direct else np.zeros(model.nu)
        self.behaviour.start(state, self._every * model.opt.timestep)


def ground_friction(state: State) -> float:
    """Sliding friction of the feet on the ground: on the first plane, height field or box that does not float."""
    model, tree = state.model, state.tree
    solid = (model.geom_contype != 0) | (model.geom_conaffinity != 0)
    roots = model.body_rootid[model.geom_bodyid]
    still = np.array([not _floats(model, int(root)) for root in roots], dtype=bool)
    grounds = [g for kind in GROUNDS for g in np.flatnonzero(solid & still & (model.geom_type == kind))]
    if not grounds:
        return 0.8
    bodies = {tree.body0 + tree.body(s.body) for s in state.character.supports}
    feet = [g for g in np.flatnonzero(solid) if int(model.body_weldid[model.geom_bodyid[g]]) in bodies]
    both = [grounds[0], *feet[:1]]
    ruling = max(int(model.geom_priority[g]) for g in both)
    return max(float(model.geom_friction[g, 0]) for g in both if model.geom_priority[g] == ruling)


def ground_height(state: State) -> float:
    """Height of the still floor under a body [m]: where it touches it, else that of a plane, else zero."""
    model, data, tree = state.model, state.data, state.tree
    mine = np.zeros(model.nbody, dtype=bool)
    mine[tree.body0 : tree.body0 + tree.nbody] = True
    touching = [
        float(c.pos[2] - 0.5 * c.dist * abs(c.frame[2]))  # a contact lies half-way between the surfaces
        for c in data.contact
        if mine[model.geom_bodyid[c.geom]].sum() == 1 and c.frame[2] ** 2 > 0.5
    ]
    planes = np.flatnonzero((model.geom_type == GROUNDS[0]) & (model.body_weldid[model.geom_bodyid] == 0))
    found = (
        float(np.mean(touching))
        if touching
        else max((float(data.geom_xpos[g, 2]) for g in planes), default=0.0)
    )
    return found if abs(found) > AT_ZERO else 0.0


def _floats(model: mujoco.MjModel, root: int) -> bool:
    joint = model.body_jntadr[root]
    return bool(joint >= 0 and model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_FREE)

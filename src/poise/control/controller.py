"""Controller: a behaviour on a character, driven from anybody's own MuJoCo loop. Plain objects in, controls out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import mujoco
import numpy as np

from poise.control.actuation import Actuation
from poise.control.ahead import Ahead
from poise.control.behaviour import Behaviour, Solver
from poise.control.contact import Supports
from poise.control.hybrid import HybridSolver
from poise.control.linkage import refuse_passive
from poise.control.solve import RobustSolver, Solution
from poise.dynamics.floor import ground_friction, ground_height, touches_ground
from poise.dynamics.limits import JointLimits
from poise.dynamics.state import State
from poise.errors import BadInput, unknown

if TYPE_CHECKING:
    from poise.character import Character

MODES = ("robust", "fast", "paper")
ROUNDS = 12  # most rounds in which contact force and torques are made to agree,
AGREED = 1e-3  # which they do when no generalised force moves by more than this, over the mass [m/s²]
FARTHEST = 0.2  # [s] of a prediction
SUNK = 0.55  # of the height of the CM at the start, or of the lowest that is wanted: below it, it has fallen


@dataclass(frozen=True)
class Control:
    """How wanted accelerations become torques.

    Args:
        mode: ``robust`` (one program with all limits, solved every step), ``fast`` (least squares and fitted contact
            forces) or ``paper`` (least squares and the measured ground force).
        refresh_hz: How often objectives are formed anew; None is 100 in ``robust``, 60 otherwise.
        two_pass: Whether the angular law starts from the centre of pressure that the other objectives would like.
        mu: Friction that the contact limits count on; None is 0.8 of the world's.
        weigh: Whether torques answer to the mass that the ground feels, where it is not the model's; not in ``paper``.
        predict: Known delay between a measurement and the torques that answer to it [s]: they are found for the
            state that the model foresees then. Not in ``paper``.
    """

    mode: str = "robust"
    refresh_hz: float | None = None
    two_pass: bool = True
    mu: float | None = None
    weigh: bool = True
    predict: float = 0.0

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise unknown("control mode", self.mode, MODES)
        if self.refresh_hz is not None and not 1 <= self.refresh_hz <= 1e5:
            raise BadInput(f"refresh rate {self.refresh_hz} Hz; give 1 to 100000")
        if not 0 <= self.predict <= FARTHEST:
            raise BadInput(f"prediction over {self.predict} s; give 0 to {FARTHEST}")
        if self.predict and self.mode == "paper":
            raise BadInput(
                "mode paper answers to the ground force of now; predict works in modes robust and fast"
            )

    @property
    def rate(self) -> float:
        return self.refresh_hz or (100.0 if self.mode == "robust" else 60.0)


@dataclass(frozen=True)
class Status:
    """How a controlled body is doing.

    Attributes:
        word: What the behaviour says that it is doing, or ``standing``, ``stepping`` (fewer supports planted than it
            has steps to take), ``moving`` (a behaviour that may lie on the ground), ``fallen`` or ``not finite``.
        limits: Torque and joint limits that act in this step, by the name of their joint.
        failures: Solves so far whose last good torques were held.
        solver: What the last solve said.
    """

    word: str
    limits: tuple[str, ...] = ()
    failures: int = 0
    solver: str = "solved"


class Controller:
    """``data.ctrl[:] = controller(model, data)`` before each ``mj_step``.

    It keeps a rate of its own: called more often than every ``dt`` it holds its torques, so the plant may step faster.
    A time that goes back, or another ``data``, starts it anew, as ``reset`` does.

    Args:
        character: Whose body it is; its names must exist in the model.
        behaviour: What it should do.
        control: How torques are found.
        ground: Name of the body it stands on where that moves.
        dt: Time between two solves [s]; None is the model's time step.
        ground_force: (nv,) generalised contact force of a ground outside the engine, kept up to date by its owner.
        servos: Whether position and velocity servos are driven too, through their own gains.
        sole_forces: (S, nv) parts of ``ground_force`` at the supports, kept up to date by their owner.
    """

    def __init__(
        self,
        character: Character,
        behaviour: Behaviour,
        control: Control | None = None,
        ground: str | None = None,
        dt: float | None = None,
        ground_force: np.ndarray | None = None,
        servos: bool = False,
        sole_forces: np.ndarray | None = None,
    ):
        if dt is not None and not 1e-5 <= dt <= 0.05:
            raise BadInput(f"control step {dt} s; give 0.00001 to 0.05, or nothing for the model's own")
        self.character, self.behaviour, self.ground, self.dt = character, behaviour, ground, dt
        self.control = control or Control()
        self._outside, self.strength, self._servos = ground_force, 1.0, servos
        self._sole_forces = sole_forces
        self._data: mujoco.MjData | None = None
        self._ahead: Ahead | None = None
        if servos and self.control.mode == "paper":
            raise BadInput("mode paper counts on torques; servos are driven in modes robust and fast")

    def reset(self) -> None:
        """Forget everything: the next call begins as the first one did."""
        self._data = None

    def look_again(self, data: mujoco.MjData) -> None:
        """See what was seen last, where ``data`` and this controller were put back to an earlier moment."""
        if self._ahead is not None:
            self._ahead.again(data)

    def __call__(self, model: mujoco.MjModel, data: mujoco.MjData, ready: bool = False) -> np.ndarray:
        """Controls for the coming step.

        Args:
            ready: True where ``mj_step1`` has just run; otherwise it is run here, since after ``mj_step`` the engine's
                positions are one step old.
        """
        t = data.time
        if data is not self._data or t < self._time:
            self._bind(model, data)
        elif t < self._due:
            return self._given
        elif self._ahead is not None:
            self._ahead.carry(data)
        elif not ready:
            mujoco.mj_step1(model, data)
        self._time, self._due = t, max(self._due + self._dt, t + 0.5 * self._dt)
        state = self.state.update()
        if not state.finite:
            self._ctrl[:] = 0.0
            self._given = self._ctrl
            return self._ctrl
        if self._tick % self._every == 0:
            self.solver.refresh(self.behaviour.update(state), self.control.two_pass)
        self._tick += 1
        if self._measured is not None:
            self._measure(self._measured)
        self.solution: Solution = self.solver.step()
        if not self.actuation.direct:
            self.actuation.controls(self.solution.tau, self._ctrl)
        factor = state.scale.factor[0]
        self._given = self._ctrl if factor == 1.0 else self._weighed(factor)
        if self._servos:
            self._given = self._led(model)
        if self._ahead is not None:
            self._ahead.send(t, self._given if self._servos else self._ctrl)
        return self._given

    def _led(self, model: mujoco.MjModel) -> np.ndarray:
        """The same controls as places and speeds, for servos."""
        v_dot = np.zeros(model.nv)
        v_dot[self.state.tree.dofs] = self.solution.v_dot
        ahead = 0.5 * max(self._dt - model.opt.timestep, 0.0)
        return self.actuation.servos.lead(self._given, v_dot, ahead)

    def _weighed(self, factor: float) -> np.ndarray:
        """Controls for a body that is so many times as heavy as its model."""
        for limit, own in zip(self._torque, self._own_torque):
            np.divide(own, factor, out=limit)
        return np.multiply(self._ctrl, factor, out=self._heavy)

    def _measure(self, force: np.ndarray) -> None:
        """The generalised ground force that mode ``paper`` counts on.

        A ground outside the engine gives a force that depends on the state alone: it is taken as measured, from the
        first step on, since a body that does not know of it then has its feet kicked away. Feet that are no supports
        are left out: one that meets the ground early yields, where joints that cancel the blow would throw the body.
        The engine's contact answers to the torques themselves, so force and torques are found in turn until they
        agree; with the force of the last step instead, the body falls.
        """
        if self._outside is not None:
            force[:] = self._outside
            if self._sole_forces is not None:
                for s in np.flatnonzero(~self.supports.active):
                    force -= self._sole_forces[s]
            return
        model, data = self.state.model, self.state.data
        for _ in range(ROUNDS):
            mujoco.mj_fwdActuation(model, data)
            mujoco.mj_fwdAcceleration(model, data)
            mujoco.mj_fwdConstraint(model, data)
            moved = float(np.abs(self.state.constraint_force - force).max())
            force[:] = self.state.constraint_force
            if moved < AGREED * self.state.m:
                return
            self.actuation.controls(self.solver.step().tau, data.ctrl)

    def _bind(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        mujoco.mj_step1(model, data)
        self._data, self._time = data, data.time
        self._dt = model.opt.timestep if self.dt is None else self.dt
        self._due = data.time - 0.5 * min(model.opt.timestep, self._dt)
        self._ahead = None
        if self.control.predict:
            self._ahead = Ahead(model, self.control.predict)
            self._ahead.carry(data)
        seen = data if self._ahead is None else self._ahead.data
        state = self.state = State(self.character, model, seen, self.ground)
        state.update()
        if self.ground is None:
            state.ground.settle(ground_height(state))
        self._every = max(1, round(1.0 / (self.control.rate * self._dt)))
        self._start(state)
        self._height = min(float(state.ground.height_of(state.c)), self.behaviour.lowest)

    def _start(self, state: State) -> None:
        """Let the behaviour begin at this state, with a solver that knows nothing yet."""
        self._prepare(state)
        self._tick = 0
        self._ctrl = self.solver.solution.tau[6:] if self.actuation.direct else np.zeros(state.model.nu)
        self._given, self._heavy = self._ctrl, np.zeros_like(self._ctrl)
        self.behaviour.start(state, self._every * self._dt)

    def switch(self, behaviour: Behaviour) -> None:
        """Let another behaviour take over from here; the next call asks it."""
        self.behaviour = behaviour
        if self._data is not None:
            held = self._given.copy()
            self._start(self.state)
            self._ctrl[:] = held
            self._height = min(self._height, behaviour.lowest)

    def weaken(self, strength: float) -> None:
        """From now on use this part of the body's torques; a roll that is under way keeps what it had."""
        for part in (*self._torque, *self._own_torque):
            part *= strength / self.strength
        self.strength = strength

    def expect(self, friction: float) -> None:
        """From now on count on this friction of the ground, where no other was asked for."""
        if self.control.mu is None:
            self.supports.change(mu=0.8 * friction)

    def _prepare(self, state: State) -> None:
        """Supports, limits, actuators and solver for this body in this model."""
        mu = self.control.mu if self.control.mu is not None else 0.8 * ground_friction(state)
        self.supports = Supports(state, mu=mu, grip=self.behaviour.grip, soft=self.control.mode == "paper")
        self.limits = JointLimits(state.tree, self.character)
        self.actuation = Actuation(state.tree, self.character, state.data, self._servos)
        low, high, effort = self.actuation.low, self.actuation.high, self.behaviour.effort * self.strength
        refuse_passive(state.tree, self.character, low, high)
        torque = self._torque = (low, high) if effort == 1.0 else (effort * low, effort * high)
        self._own_torque = torque[0].copy(), torque[1].copy()
        own: Solver | None = self.behaviour.solver(state, torque)
        self._measured: np.ndarray | None = None
        if own is not None:
            self.solver = own
        elif self.control.mode == "robust":
            self.solver = RobustSolver(state, self.supports, self.limits, torque)
        else:
            paper = self.control.mode == "paper"
            self.solver = solver = HybridSolver(state, self.supports, self.limits, measured=paper)
            self._measured = solver.ground_force if paper else None
        weighs = self.control.weigh and self.control.mode != "paper" and self._outside is None and own is None
        state.scale.begin(self._dt if weighs else 0.0)
        usual: Any = self.solver
        self.solver = self.behaviour.around(usual, state, torque)

    def fallen(self, touches: bool) -> bool:
        """Whether the character has fallen: it touches the ground with no support, or its CM has sunk.

        Args:
            touches: Whether a body that is no support is on the ground.
        """
        if self.behaviour.lies:
            return False
        state = self.state
        return touches or float(state.ground.height_of(state.c)) < SUNK * self._height

    @property
    def status(self) -> Status:
        """How the body is doing now."""
        if self._data is None:
            raise BadInput("the controller has not been called yet, so it knows nothing of the body")
        state, solution = self.state, self.solution
        if not state.finite:
            return Status("not finite", (), solution.failures, solution.status)
        word = self.behaviour.doing or self._word(state)
        return Status(word, self._acting(), solution.failures, solution.status)

    def _word(self, state: State) -> str:
        if self.behaviour.lies:
            return "moving"
        if self.fallen(touches_ground(state)):
            return "fallen"
        return "standing" if self.supports.active[self._stance].all() else "stepping"

    def _acting(self) -> tuple[str, ...]:
        """Joints whose torque or range limits act in this step."""
        model, tree = self.state.model, self.state.tree
        dofs = getattr(self.solver, "acting", ())
        joints = {int(model.dof_jntid[tree.dof0 + dof]) for dof in dofs}
        return tuple(model.joint(j).name for j in sorted(joints))

    @property
    def _stance(self) -> np.ndarray:
        """Which supports carry the body at rest (S,)."""
        return np.array([s.name in self.character.stance for s in self.character.supports])

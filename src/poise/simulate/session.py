"""Session: a scene that is running, stepped, touched, kept and put back from outside."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import mujoco
import numpy as np

from poise.control.behaviour import Behaviour
from poise.control.controller import Controller, Status
from poise.dynamics.state import State
from poise.errors import BadInput, unknown
from poise.gate import gate
from poise.record.recording import Recording
from poise.simulate.rollout import Rollout
from poise.simulate.scene import Scene
from poise.simulate.snapshot import Snapshot
from poise.simulate.take import RECORD_HZ, Take
from poise.worlds.disturb import Drag, Push
from poise.worlds.ground import AXES, Move
from poise.worlds.world import Arena

PHYSICS = mujoco.mjtState.mjSTATE_INTEGRATION


class Pull(NamedTuple):
    """A pull that is going on: what it holds and where, where to, and how hard."""

    body: str
    point: np.ndarray  # (3,) [m]
    target: np.ndarray  # (3,) [m]
    force: np.ndarray  # (3,) [N]


@dataclass(frozen=True, eq=False)
class Mark:
    """A moment of one session that can be gone back to."""

    time: float
    physics: np.ndarray  # what the engine integrates, its warm start included
    contact: np.ndarray  # generalised force of the last step's constraints
    memory: Snapshot  # everything that the controller, the world and the take remember


class Session:
    """A running scene.

    The character stands there with its torques found; ``step`` applies them. What is done between two steps, a push
    for instance, acts from the next one on. The same calls from the same mark give the same numbers, bit for bit.

    Args:
        keep: How many of the last seconds are surely recorded; None keeps all.
    """

    def __init__(self, scene: Scene, keep: float | None = None):
        if not isinstance(scene.behaviour, Behaviour):
            raise BadInput(
                f"scene {scene.name!r} is performed without physics, so nothing can be stepped or touched"
            )
        self.scene = scene
        self._pulls: dict[str, Drag] = {}
        with gate(f"scene {scene.name!r} cannot begin with {scene.character.name!r}"):
            self._begin(keep)
        if self.take.blow_up is not None:
            raise BadInput(f"scene {scene.name!r} begins in no sane state: it {self.take.blow_up}")

    def _begin(self, keep: float | None) -> None:
        """Put the character into its world, its torques found."""
        scene = self.scene
        behaviour = copy.deepcopy(scene.behaviour)  # the scene's own stays as it was made
        assert isinstance(behaviour, Behaviour)
        self.arena = arena = Arena(scene.world, scene.character)
        outside = None if arena.engine_contact else arena.ground_force[arena.tree.dofs]
        self.controller = Controller(
            scene.character, behaviour, scene.control, arena.ground_body, ground_force=outside
        )
        arena.reset(*scene.start())
        if scene.world.terrain is not None and scene.launch is None:
            arena.put_down()
        arena.ease()
        seconds = scene.seconds if keep is None else keep
        rows = round(seconds * RECORD_HZ) + 2
        self.take = Take(scene, arena, self.controller, rows, None if keep is None else rows)
        self._loop = Rollout(arena, self.controller, self.take.look, broke=self.take.broke)

    @property
    def steps(self) -> int:
        """Steps of the world so far."""
        return self._loop.steps

    @property
    def time(self) -> float:
        """[s] since the start."""
        return float(self.arena.data.time)

    @property
    def state(self) -> State:
        """The body now; arrays are overwritten by the next step."""
        return self.controller.state

    @property
    def status(self) -> Status:
        """How the body is doing: standing, stepping, fallen, and which limits act."""
        return self.controller.status

    @property
    def over(self) -> bool:
        """Whether nothing more will happen: the state blew up, or the fall was long enough ago."""
        return self._loop.over

    @property
    def fell(self) -> bool:
        return self.take.fall_time is not None

    def step(self, seconds: float | None = None) -> int:
        """Go on for some time, one step of the world by default; returns the steps taken."""
        steps = 1 if seconds is None else round(seconds / self.scene.world.dt)
        if steps < 0:
            raise BadInput(f"a step of {seconds} s; give a time from zero on, and use restore to go back")
        return self._loop.advance(steps)

    def push(self, body: str, force: tuple[float, float, float], duration: float = 0.1) -> None:
        """Push a body from now on: force in world axes [N], for a while [s]."""
        self.arena.disturb(Push(body, force, self.time, duration))

    def pull(
        self, body: str, to: tuple[float, float, float], stiffness: float = 500.0, strongest: float = 400.0,
        at: tuple[float, float, float] = (0.0, 0.0, 0.0),
    ) -> None:  # fmt: skip
        """Draw a body to a place [m] by a spring [N/m], until ``release``; pulled again, the place is moved.

        ``at`` is the point that it is held by, in the body's own frame [m].
        """
        place = np.array(to, dtype=float)
        if not np.isfinite([*place, *at, stiffness, strongest]).all():
            raise BadInput(f"pull of {body!r} to {to} by {at}; give finite numbers")
        drag = Drag(body, lambda t: place, (at[0], at[1], at[2]), stiffness=stiffness, strongest=strongest)
        self.arena.disturb(drag)
        self.release(body)
        self._pulls[body] = drag

    @property
    def pulls(self) -> list[Pull]:
        """The pulls that are going on."""
        found = [(d, *self.arena.pull_of(d)[1:]) for d in self._pulls.values()]
        return [Pull(d.body, x, np.array(d.target(self.time)), force) for d, x, force in found]

    def release(self, body: str) -> None:
        """End a pull."""
        drag = self._pulls.pop(body, None)
        if drag is not None:
            self.arena.let_go(drag)

    def throw(
        self, place: tuple[float, float, float], velocity: tuple[float, float, float], ball: int = 0
    ) -> None:
        """Throw a ball of the world from a place [m] with a velocity [m/s], again and again."""
        balls = len(self.scene.world.balls)
        if self.arena.impacts is None or not 0 <= ball < balls:
            raise BadInput(f"ball {ball} not found; the world of {self.scene.name!r} has {balls} balls")
        if not np.isfinite([*place, *velocity]).all():
            raise BadInput(f"ball thrown from {place} with {velocity}; give finite numbers")
        self.arena.impacts.throw(ball, place, velocity)
        self.arena.begin()  # contacts of the ball where it is now

    def move_ground(self, axis: str, distance: float, duration: float = 0.5) -> None:
        """Move the platform from here on, along x y z [m] or about roll or pitch [rad], smoothly."""
        if self.scene.world.platform is None:
            raise BadInput(f"the ground of {self.scene.name!r} is fixed; scene 'platform' has one that moves")
        if axis not in AXES:
            raise unknown("platform axis", axis, AXES)
        if not np.isfinite([distance, duration]).all() or duration <= 0:
            raise BadInput(
                f"ground moved by {distance} in {duration} s; give finite numbers and a time above zero"
            )
        self.arena.moves.append(Move(axis, distance, self.time, duration))

    def behave(self, behaviour: Behaviour) -> None:
        """Go on with another behaviour from here; what it signals is recorded as far as the first one had it too."""
        self.controller.switch(copy.deepcopy(behaviour))
        self.take.hear()

    @property
    def row(self) -> Mapping[str, np.ndarray]:
        """The newest record by the names of its series; arrays are overwritten by the next one."""
        return self.take.row

    def command(self, **wishes: float) -> None:
        """Tell the behaviour what is wanted from now on, e.g. ``speed=0.8`` of a walk."""
        self.controller.behaviour.command(**wishes)

    def save(self) -> Mark:
        """This moment."""
        model, data = self.arena.model, self.arena.data
        physics = np.empty(mujoco.mj_stateSize(model, PHYSICS))
        mujoco.mj_getState(model, data, physics, PHYSICS)
        memory = Snapshot([self.controller, self.arena, self.take, self._loop, self._pulls], self._fixed())
        return Mark(self.time, physics, data.qfrc_constraint.copy(), memory)

    def _fixed(self) -> list[object]:
        """What a snapshot does not enter: the scene, and the records, which are cut instead."""
        return [self.scene, self.scene.__dict__, self.take.recorder, self]

    def restore(self, mark: Mark) -> None:
        """Go back to a moment of this session; what came after it is forgotten."""
        model, data = self.arena.model, self.arena.data
        mark.memory.restore()
        mujoco.mj_setState(model, data, mark.physics, PHYSICS)
        data.qfrc_constraint[:] = mark.contact
        mujoco.mj_step1(model, data)
        mujoco.mj_setState(model, data, mark.physics, PHYSICS)
        self.take.recorder.seek(mark.time)

    def recording(self, last: float | None = None, real_time_factor: float = float("nan")) -> Recording:
        """What happened, all of it or the last so many seconds, as a Recording like any other."""
        return self.take.finish(real_time_factor, last)

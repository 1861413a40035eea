"""Session: a scene that is running, stepped, touched, kept and put back from outside."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import NamedTuple

import mujoco
import numpy as np

from poise.control.behaviour import Behaviour
from poise.control.controller import Controller
from poise.errors import BadInput, unknown
from poise.gate import NUMBERS, gate
from poise.record.recording import Recording
from poise.simulate.conditions import Conditions
from poise.simulate.hardware import Hardware
from poise.simulate.rollout import Rollout
from poise.simulate.scene import Scene
from poise.simulate.sight import Shadow, Sight
from poise.simulate.snapshot import Snapshot
from poise.simulate.take import RECORD_HZ, Take
from poise.worlds.disturb import Drag, Lean, Push
from poise.worlds.ground import AXES, Move
from poise.worlds.world import Arena

PHYSICS = mujoco.mjtState.mjSTATE_INTEGRATION
AT_FIRST = 600.0  # [s] of records that there is room for; more is found when it is needed


class Pull(NamedTuple):
    """A pull or a lean that is going on: what it holds and where, where to, and how hard."""

    body: str
    point: np.ndarray  # (3,) [m]
    target: np.ndarray  # (3,) [m]; nan where a hand leans
    force: np.ndarray  # (3,) [N]


@dataclass(frozen=True, eq=False)
class Mark:
    """A moment of one session that can be gone back to."""

    time: float
    physics: np.ndarray  # what the engine integrates, its warm start included
    contact: np.ndarray  # generalised force of the last step's constraints
    memory: Snapshot  # everything that the controller, the world and the take remember


class Session(Sight):
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
        self._pulls: dict[str, Drag | Lean] = {}
        self._then: list[Behaviour] = []
        with gate(f"scene {scene.name!r} cannot begin with {scene.character.name!r}", NUMBERS):
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
        rate = scene.world.plant.rate
        self.controller = Controller(
            scene.character,
            behaviour,
            scene.control,
            arena.ground_body,
            1.0 / rate if rate else None,
            outside,
            sole_forces=arena.sole_forces,
        )
        arena.reset(*scene.start())
        if scene.world.terrain is not None and scene.launch is None:
            arena.put_down()
        arena.ease()
        seconds = min(scene.seconds, AT_FIRST) if keep is None else keep
        rows = round(seconds * RECORD_HZ) + 2
        self.take = Take(scene, arena, self.controller, rows, None if keep is None else rows)
        self.conditions = Conditions(scene.world.friction)
        self._shadow = Shadow(arena)
        plant = scene.world.plant
        between = plant.hidden or plant.slow
        self._hardware = Hardware(self.controller, arena, scene.seed) if between else None
        driver = self._hardware or self.controller
        self._loop = Rollout(arena, driver, self._look, broke=self.take.broke)

    def _look(self) -> bool:
        """Whether it is over; a behaviour that has come to its end hands over to the one that was named for then."""
        over = self.take.look()
        if not over or not self._then or not self.controller.behaviour.done or self.take.blow_up is not None:
            return over
        self._take_over(self._then.pop())
        return False

    @property
    def steps(self) -> int:
        """Steps of the world so far."""
        return self._loop.steps

    @property
    def over(self) -> bool:
        """Whether nothing more will happen: the state blew up, or the fall was long enough ago."""
        return self._loop.over

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
        self._hold(
            Drag(body, lambda t: place, (at[0], at[1], at[2]), stiffness=stiffness, strongest=strongest)
        )

    def lean(
        self, body: str, force: tuple[float, float, float], at: tuple[float, float, float] = (0.0, 0.0, 0.0)
    ) -> None:
        """Put a hand on a point of a body and lean on it with a force in world axes [N], until ``release``."""
        if not np.isfinite([*force, *at]).all():
            raise BadInput(f"lean on {body!r} with {force} at {at}; give finite numbers")
        self._hold(Lean(body, force, at, self.time))

    def _hold(self, hand: Drag | Lean) -> None:
        self.arena.disturb(hand)
        self.release(hand.body)
        self._pulls[hand.body] = hand

    @property
    def pulls(self) -> list[Pull]:
        """The pulls and leans that are going on."""
        found = [(d, *self.arena.pull_of(d)[1:]) for d in self._pulls.values()]
        return [Pull(d.body, x, np.array(d.target(self.time)), force) for d, x, force in found]

    def release(self, body: str) -> None:
        """End a pull or a lean."""
        drag = self._pulls.pop(body, None)
        if drag is not None:
            self.arena.let_go(drag)

    def add_torques(self, controls: np.ndarray | None) -> None:
        """Add controls (nu,) to those of the controller from the next step on; None ends it. Motors have limits."""
        if controls is not None and np.shape(controls) != (self.arena.model.nu,):
            raise BadInput(f"{np.shape(controls)} controls to add; the body has {self.arena.model.nu}")
        self._loop.extra = None if controls is None else np.array(controls, dtype=float)

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

    def behave(self, behaviour: Behaviour, then: Behaviour | None = None) -> None:
        """Go on with another behaviour from here, and with ``then`` when it comes to its end.

        What it signals is recorded as far as the first one had it too.
        """
        self._then[:] = [] if then is None else [copy.deepcopy(then)]
        self._take_over(copy.deepcopy(behaviour))

    def _take_over(self, behaviour: Behaviour) -> None:
        self.controller.switch(behaviour)
        self.take.hear()

    def adjust(
        self, friction: float | None = None, strength: float | None = None, delay: float | None = None
    ) -> None:
        """Change the ground's friction, the part of its torques that the body may use, how late they act [s]."""
        if friction is not None and not self.arena.engine_contact:
            self.arena.slip(friction)  # says why not
        self.conditions.change(friction, strength, delay)
        self.conditions.act_on(self.arena, self.controller, self._loop, friction is not None)

    def command(self, **wishes: float) -> None:
        """Tell the behaviour what is wanted from now on, e.g. ``speed=0.8`` of a walk."""
        self.controller.behaviour.command(**wishes)

    def save(self) -> Mark:
        """This moment."""
        model, data = self.arena.model, self.arena.data
        physics = np.empty(mujoco.mj_stateSize(model, PHYSICS))
        mujoco.mj_getState(model, data, physics, PHYSICS)
        roots = [self.controller, self.arena, self.take, self._loop, self._pulls, self._then, self.conditions]
        memory = Snapshot(roots, self._fixed())
        return Mark(self.time, physics, data.qfrc_constraint.copy(), memory)

    def _fixed(self) -> list[object]:
        """What a snapshot does not enter: the scene, and the records, which are cut instead."""
        return [self.scene, self.scene.__dict__, self.take.recorder, self]

    def restore(self, mark: Mark) -> None:
        """Go back to a moment of this session; what came after it is forgotten."""
        model, data = self.arena.model, self.arena.data
        mark.memory.restore()
        if self.arena.engine_contact:
            self.arena.slip(self.conditions.friction)
        mujoco.mj_setState(model, data, mark.physics, PHYSICS)
        data.qfrc_constraint[:] = mark.contact
        mujoco.mj_step1(model, data)
        mujoco.mj_setState(model, data, mark.physics, PHYSICS)
        if self._hardware is not None:
            data = self._hardware.sense(data)
        self.controller.look_again(data)
        self.take.recorder.seek(mark.time)

    def recording(
        self, last: float | None = None, real_time_factor: float = float("nan"),
        part: tuple[float, float] | None = None,
    ) -> Recording:  # fmt: skip
        """What happened as a Recording like any other: all, the last so many seconds, or the part between two times."""
        return self.take.finish(real_time_factor, last, part)

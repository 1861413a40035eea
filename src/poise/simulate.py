"""Scene, and the one loop: simulate(scene) → Recording."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import mujoco
import numpy as np

import poise
from poise.character import Character
from poise.compiled import compiled
from poise.control.behaviour import Behaviour
from poise.control.controller import Control, Controller
from poise.dynamics.momentum import pressure_point, root_to_centre
from poise.errors import BadInput
from poise.record import excursion, metrics, spin
from poise.record.chatter import TorqueSpectrum
from poise.record.recording import Recorder, Recording
from poise.worlds.world import Arena, World

RECORD_HZ = 100.0
LONGEST = 3600.0  # [s] of one take
SUNK = 0.55  # of the starting height of the CM, or of the lowest that the behaviour wants: below it, it has fallen
LIFTED = 0.004  # [m]: a corner of a planted sole higher than this is off the ground
WARM_UP = 10  # steps left out of the real-time factor
XYZ = ("x", "y", "z")
NO_MOMENT = np.zeros(3)

Launch = Callable[[np.random.Generator], tuple[np.ndarray, np.ndarray]]
Metrics = Callable[[Recording], Mapping[str, Any]]


@dataclass(frozen=True)
class Scene:
    """Everything a take depends on, frozen: character, world, behaviour, control, duration, seed.

    ``options`` is what was asked for, so that the scene can be built again from its name; ``info`` is kept in the
    recording as well, for those who read it later; ``measures`` are the
    functions that add the scene's own metrics; ``watch`` names points recorded as series (body, local point [m]).
    """

    name: str
    character: Character
    world: World
    behaviour: Behaviour | Performance
    seconds: float = 6.0
    seed: int = 0
    control: Control = field(default_factory=Control)
    q_start: np.ndarray | None = None
    v_start: np.ndarray | None = None  # velocity at the start; None is at rest
    launch: Launch | None = None  # draws configuration and velocity at the start, in place of those two
    after_fall: float = np.inf  # how long a take goes on once the character has fallen [s]
    pose_noise: float = 0.0  # standard deviation of every joint at the start [rad]
    options: Mapping[str, Any] = field(default_factory=dict)
    info: Mapping[str, Any] = field(default_factory=dict)
    measures: Sequence[Metrics] = ()
    watch: Mapping[str, tuple[str, tuple[float, float, float]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not 0 < self.seconds <= LONGEST:
            raise BadInput(
                f"a scene of {self.seconds} s; give a duration above zero, {LONGEST:.0f} s at the most"
            )
        if self.seed < 0:
            raise BadInput(f"seed {self.seed}; give a whole number from zero on")
        if not 0 <= self.pose_noise < 1:
            raise BadInput(f"pose noise {self.pose_noise} rad; give a number from zero to one")


class Performance(ABC):
    """What a kinematic scene has in the place of a behaviour: it moves the body itself and makes its own recording."""

    @abstractmethod
    def perform(self, scene: Scene, progress: Callable[[float], None] | None = None) -> Recording:
        """The whole take of a scene; ``scene.measures`` are added by the caller."""


def simulate(scene: Scene, progress: Callable[[float], None] | None = None) -> Recording:
    """Run a scene to its end and return everything that happened. A fall is a result; so is a state that blew up."""
    if isinstance(scene.behaviour, Performance):
        take = scene.behaviour.perform(scene, progress)
        for measure in scene.measures:
            take.metrics.update(measure(take))
        return take
    take = _Take(scene)
    steps = round(scene.seconds / scene.world.dt)
    start = time.perf_counter()
    done = 0
    for i in range(steps + 1):
        if i == WARM_UP:  # compiled code has been loaded: count from here
            start = time.perf_counter()
        take.arena.begin()
        take.control()
        if i % take.every == 0:
            if not take.record() or take.over():
                break
            if progress is not None:
                progress(i / steps)
        if i < steps:
            take.arena.finish()
            done = i + 1
    elapsed = time.perf_counter() - start
    return take.finish((done - min(WARM_UP, done)) * scene.world.dt / max(elapsed, 1e-9))


class _Take:
    """One run: arena, controller and recorder, and what the loop does with them at each step."""

    def __init__(self, scene: Scene):
        self.scene = scene
        self.arena = arena = Arena(scene.world, scene.character)
        assert isinstance(scene.behaviour, Behaviour)
        self.controller = Controller(scene.character, scene.behaviour, scene.control, arena.ground_body)
        arena.reset(*self._start())
        self.every = max(1, round(1.0 / (RECORD_HZ * scene.world.dt)))  # steps a record
        self.fall_time: float | None = None
        self.notes: list[str] = []
        self._height: float | None = None
        self._engine, self._paper = scene.world.contact == "mujoco", scene.control.mode == "paper"
        self._ctrl = arena.data.ctrl
        self._wrench, self._wrenches = np.zeros(6), 0  # of contact, summed since the last record
        self._spectrum = TorqueSpectrum(arena.tree.nv - 6, scene.world.dt)
        self._recorder: Recorder | None = None

    def _start(self) -> tuple[np.ndarray, np.ndarray | None]:
        scene, model = self.scene, self.scene.character.model
        if scene.launch is not None:
            return scene.launch(np.random.default_rng(scene.seed))
        q = np.array(scene.character.q_rest if scene.q_start is None else scene.q_start)
        noise = np.random.default_rng(scene.seed).normal(0.0, 1.0, model.nv) * scene.pose_noise
        noise[:6] = 0.0  # the feet stay where they are put, as far as the legs allow
        mujoco.mj_integratePos(model, q, noise, 1.0)
        return q, scene.v_start

    def control(self) -> None:
        """Torques for this step, and the sum of what the ground has given since the last record."""
        arena, controller = self.arena, self.controller
        if self._paper and self._recorder is not None:
            solver: Any = controller.solver
            dofs = arena.tree.dofs
            engine = arena.data.qfrc_constraint[dofs] if self._engine else 0.0
            solver.ground_force[:] = arena.ground_force[dofs] + engine
        self._ctrl[:] = controller(arena.model, arena.data, ready=True)
        self._spectrum.add(controller.solution.tau[6:])
        self._wrench += controller.state.f if self._engine else self._contact_wrench()
        self._wrenches += 1

    def record(self) -> bool:
        """Write one row. False where the state is no longer finite: the take ends there, with a report."""
        arena, data = self.arena, self.arena.data
        if self._recorder is None:
            self._open()
        bad = None if self.controller.state.finite else _not_finite(arena)
        if bad is not None:
            self.notes.append(
                f"stopped at t = {data.time:.3f} s: {bad} is not finite; the last good record is kept"
            )
            self.fall_time = data.time if self.fall_time is None else self.fall_time
            return False
        recorder = self._recorder
        assert recorder is not None
        self._fill(self._views)
        recorder.advance(data.time)
        if self.fall_time is None and self._fallen():
            self.fall_time = data.time
        return True

    def _open(self) -> None:
        state, model = self.controller.state, self.arena.model
        character = self.scene.character
        corners = [f"{s.name}.{k}.{a}" for s in character.supports for k in range(len(s.points)) for a in XYZ]
        names_q = [f"q{i}" for i in range(model.nq)]
        dofs = [f"v{i}" for i in range(model.nv)]
        motors = [model.actuator(a).name or f"u{a}" for a in range(model.nu)]
        spec = {
            "q": ("m, rad, 1", "world and joints", tuple(names_q)),
            "v": ("m/s, rad/s", "world and joints", tuple(dofs)),
            "tau": ("N m", "joints", tuple(motors)),
            "q_ref": ("m, rad, 1", "world and joints", tuple(names_q[: state.tree.nq])),
            "support_points": ("m", "world", tuple(corners)),
            "planted": ("1", "none", tuple(s.name for s in character.supports)),
            "ground": ("m, 1", "world", ("x", "y", "z", "qw", "qx", "qy", "qz")),
            "solver": ("1", "none", ("failures", "iterations", "limits")),
            "penetration": ("m", "ground", ("depth",)),
        }
        vectors = {
            "com": "m", "com_velocity": "m/s", "linear_momentum": "kg m/s", "angular_momentum": "kg m2/s",
            "cp": "m", "cmp": "m", "contact_force": "N", "linear_momentum_rate_des": "N",
            "angular_momentum_rate_des": "N m", "angular_momentum_rate_solved": "N m",
            "angular_momentum_rate_free": "N m", "angular_momentum_rate": "N m", "arm_angular_momentum": "kg m2/s",
            "angular_velocity": "rad/s",
        }  # fmt: skip
        spec |= {name: (unit, "world", XYZ) for name, unit in vectors.items()}
        if self.arena.impacts is not None:
            spec["impact"] = ("J", "none", self.arena.tree.names)
        spec |= {f"point.{name}": ("m", "world", XYZ) for name in self.scene.watch}
        self._signals = self.controller.behaviour.signals()
        spec |= {name: (s.unit, s.frame, s.names) for name, s in self._signals.items()}
        self._arms = np.array(
            [self.arena.tree.body0 + state.tree.body(b) for b in character.arms], dtype=np.int64
        )
        self._recorder = Recorder(spec, round(self.scene.seconds * RECORD_HZ) + 2)
        self._views = {name: self._recorder.view(name) for name in spec}
        self._views["ground"][:] = 0, 0, 0, 1, 0, 0, 0
        self._height = min(
            float(state.ground.height_of(state.c)), getattr(self.scene.behaviour, "lowest", np.inf)
        )

    def _fill(self, row: Mapping[str, np.ndarray]) -> None:
        """Write the present instant into the recorder's row."""
        arena, state, solution = self.arena, self.controller.state, self.controller.solution
        data, ground, supports = arena.data, state.ground, self.controller.supports
        wrench = self._wrench / max(self._wrenches, 1)
        self._wrench, self._wrenches = np.zeros(6), 0
        force = wrench[:3]
        row["q"][:], row["v"][:], row["tau"][:] = data.qpos, data.qvel, data.ctrl
        row["q_ref"][:] = getattr(self.scene.behaviour, "q_ref", np.nan)
        sole_corners(state.corners, state.corner_count, supports.active, ground.point, ground.normal,
                     row["support_points"])  # fmt: skip
        row["planted"][:] = supports.active
        if arena.impacts is not None:
            row["impact"][:] = arena.impacts.energy
        if arena.ground_body:
            row["ground"][:3], row["ground"][3:] = ground.point, data.body(arena.ground_body).xquat
        row["solver"][:] = solution.failures, solution.iterations, solution.limits
        row["penetration"][0] = arena.contact.penetration()
        row["com"][:], row["com_velocity"][:] = state.c, state.c_dot
        row["linear_momentum"][:], row["angular_momentum"][:] = state.L, state.H
        row["angular_velocity"][:] = np.linalg.solve(state.composite_inertia, state.H)
        for name, moment in (("cp", wrench[3:]), ("cmp", NO_MOMENT)):
            if not pressure_point(state.c, force, moment, ground.point, ground.normal, row[name]):
                row[name][:] = np.nan
        row["contact_force"][:], row["angular_momentum_rate"][:] = force, wrench[3:]
        row["linear_momentum_rate_des"][:] = solution.momentum_rate_des[:3]
        row["angular_momentum_rate_des"][:] = solution.momentum_rate_des[3:]
        row["angular_momentum_rate_solved"][:] = solution.momentum_rate[3:]
        row["angular_momentum_rate_free"][:] = solution.momentum_rate_free[3:]
        model = arena.model
        spin_of(self._arms, data.cvel, data.xipos, data.ximat, model.body_inertia, model.body_mass, state.c,
                state.c_dot, row["arm_angular_momentum"])  # fmt: skip
        for name, at in self.scene.watch.items():
            row[f"point.{name}"][:] = state.place(*at)
        for name, signal in self._signals.items():
            row[name][:] = signal.values

    def _contact_wrench(self) -> np.ndarray:
        """Force and moment about c of a contact model outside the engine."""
        state = self.controller.state
        wrench = np.empty(6)
        root_to_centre(
            self.arena.ground_force[self.arena.tree.dofs], state.root_R, state.c - state.xpos[0], wrench
        )
        return wrench

    def over(self) -> bool:
        """Whether the fall was long enough ago to stop."""
        return self.fall_time is not None and self.arena.data.time >= self.fall_time + self.scene.after_fall

    def _fallen(self) -> bool:
        state = self.controller.state
        if self.controller.behaviour.lies:
            return False
        assert self._height is not None
        return float(state.ground.height_of(state.c)) < SUNK * self._height or self.arena.contact.touches()

    def finish(self, real_time_factor: float) -> Recording:
        scene, recorder = self.scene, self._recorder
        assert recorder is not None
        failures = self.controller.solution.failures
        if failures:
            self.notes.append(
                f"{failures} solves failed and held the last good torques ({self.controller.solution.status})"
            )
        info = {
            "scene": scene.name, "character": scene.character.name, "seconds": scene.seconds, "seed": scene.seed,
            "options": dict(scene.options), "dt": scene.world.dt, "record_hz": 1.0 / (self.every * scene.world.dt),
            "pushes": [str(p) for p in scene.world.pushes], "version": poise.__version__, **scene.info,
        }  # fmt: skip
        take = recorder.finish(
            info, self.arena.xml, fell=self.fall_time is not None, fall_time=self.fall_time,
            steps=self.controller.behaviour.steps, real_time_factor=real_time_factor, notes=self.notes,
        )  # fmt: skip
        take.metrics.update(metrics.standard(take))
        spin.add(take)
        excursion.add(take)
        take.metrics["torque_power_above_20hz"] = self._spectrum.share()
        take.metrics["solver_failures"] = failures
        for measure in scene.measures:
            take.metrics.update(measure(take))
        return take


@compiled
def sole_corners(corners, count, planted, point, normal, out):
    """Corners of the planted soles in a row, nan for those that are lifted: soles in the air, heels that rose."""
    at = 0
    for s in range(count.shape[0]):
        for k in range(count[s]):
            height = 0.0
            for i in range(3):
                height += (corners[s, k, i] - point[i]) * normal[i]
            for i in range(3):
                out[at] = corners[s, k, i] if planted[s] and height <= LIFTED else np.nan
                at += 1


@compiled
def spin_of(bodies, cvel, xipos, ximat, inertia, mass, c, c_dot, out):
    """Angular momentum about c that some bodies carry [kg m²/s]."""
    out[:] = 0.0
    for b in bodies:
        w, arm = cvel[b, :3], xipos[b] - c
        v = cvel[b, 3:] + np.cross(w, arm) - c_dot
        R = np.ascontiguousarray(ximat[b]).reshape(3, 3)
        out += R @ (inertia[b] * (R.T @ w)) + mass[b] * np.cross(arm, v)


def _not_finite(arena: Arena) -> str:
    """The first body whose state is not a finite number."""
    data, model = arena.data, arena.model
    bad = np.flatnonzero(~np.isfinite(data.qvel) | (np.abs(data.qvel) >= 1e6))
    return f"body {model.body(model.dof_bodyid[bad[0]]).name!r}" if len(bad) else "the configuration"

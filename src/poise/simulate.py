"""Scene, and the one loop: simulate(scene) → Recording."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import mujoco
import numpy as np

from poise.behaviours.behaviour import Behaviour
from poise.character import Character
from poise.control.controller import Control, Controller
from poise.dynamics.momentum import centre_of_pressure, moment_pivot
from poise.errors import BadInput
from poise.record import metrics
from poise.record.recording import Recorder, Recording
from poise.worlds.world import Arena, World

RECORD_HZ = 100.0
SUNK = 0.55  # of the starting height of the centre of mass: below it, the character has fallen
XYZ = ("x", "y", "z")

Metrics = Callable[[Recording], Mapping[str, Any]]


@dataclass(frozen=True)
class Scene:
    """Everything a take depends on, frozen: character, world, behaviour, control, duration, seed.

    ``options`` is what was asked for, so that the scene can be built again from its name; ``measures`` are the
    functions that add the scene's own metrics; ``watch`` names points recorded as series (body, local point [m]).
    """

    name: str
    character: Character
    world: World
    behaviour: Behaviour
    seconds: float = 6.0
    seed: int = 0
    control: Control = field(default_factory=Control)
    q_start: np.ndarray | None = None
    pose_noise: float = 0.0  # standard deviation of every joint at the start [rad]
    options: Mapping[str, Any] = field(default_factory=dict)
    measures: Sequence[Metrics] = ()
    watch: Mapping[str, tuple[str, tuple[float, float, float]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not (np.isfinite(self.seconds) and self.seconds > 0):
            raise BadInput(f"a scene of {self.seconds} s; give a duration above zero")


def simulate(scene: Scene, progress: Callable[[float], None] | None = None) -> Recording:
    """Run a scene to its end and return everything that happened. A fall is a result; so is a state that blew up."""
    take = _Take(scene)
    steps = round(scene.seconds / scene.world.dt)
    every = max(1, round(1.0 / (RECORD_HZ * scene.world.dt)))
    start = time.perf_counter()
    done = 0
    for i in range(steps + 1):
        take.arena.begin()
        take.control()
        if i % every == 0:
            if not take.record():
                break
            if progress is not None:
                progress(i / steps)
        if i < steps:
            take.arena.finish()
            done = i + 1
    elapsed = time.perf_counter() - start
    return take.finish(done * scene.world.dt / max(elapsed, 1e-9))


class _Take:
    """One run: arena, controller and recorder, and what the loop does with them at each step."""

    def __init__(self, scene: Scene):
        self.scene = scene
        self.arena = arena = Arena(scene.world, scene.character)
        self.controller = Controller(scene.character, scene.behaviour, scene.control, arena.ground_body)
        arena.reset(self._start_pose())
        self.steps = 0
        self.fall_time: float | None = None
        self.notes: list[str] = []
        self._height: float | None = None
        self._recorder: Recorder | None = None

    def _start_pose(self) -> np.ndarray:
        scene, model = self.scene, self.scene.character.model
        q = np.array(scene.character.q_rest if scene.q_start is None else scene.q_start)
        noise = np.random.default_rng(scene.seed).normal(0.0, 1.0, model.nv) * scene.pose_noise
        noise[:6] = 0.0  # the feet stay where they are put, as far as the legs allow
        mujoco.mj_integratePos(model, q, noise, 1.0)
        return q

    def control(self) -> None:
        data, controller = self.arena.data, self.controller
        if controller.control.mode == "paper" and self._recorder is not None:
            solver: Any = controller.solver
            dofs = self.arena.tree.dofs
            engine = data.qfrc_constraint[dofs] if self.scene.world.contact == "mujoco" else 0.0
            solver.ground_force[:] = self.arena.ground_force[dofs] + engine
        data.ctrl[:] = controller(self.arena.model, data, ready=True)

    def record(self) -> bool:
        """Write one row. False where the state is no longer finite: the take ends there, with a report."""
        arena, data = self.arena, self.arena.data
        if self._recorder is None:
            self._open()
        bad = _not_finite(arena)
        if bad is not None:
            self.notes.append(f"stopped at t = {data.time:.3f} s: {bad} is not finite; the last good record is kept")
            self.fall_time = data.time if self.fall_time is None else self.fall_time
            return False
        recorder = self._recorder
        assert recorder is not None
        for name, values in self._row().items():
            recorder.view(name)[:] = values
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
        }  # fmt: skip
        spec |= {name: (unit, "world", XYZ) for name, unit in vectors.items()}
        spec |= {f"point.{name}": ("m", "world", XYZ) for name in self.scene.watch}
        self._arms = np.array([state.tree.body(b) for b in character.arms if b in state.tree.names], dtype=int)
        self._recorder = Recorder(spec, round(self.scene.seconds * RECORD_HZ) + 2)
        self._height = float(state.ground.height_of(state.c))

    def _row(self) -> dict[str, Any]:
        arena, state, solution = self.arena, self.controller.state, self.controller.solution
        data, ground = arena.data, state.ground
        force, moment = self._contact_wrench()
        point = ground.point if arena.ground_body else np.zeros(3)
        body = data.body(arena.ground_body) if arena.ground_body else None
        rate = solution.momentum_rate
        planted = self.controller.supports.active
        row = {
            "q": data.qpos, "v": data.qvel, "tau": data.ctrl, "q_ref": getattr(self.scene.behaviour, "q_ref", np.nan),
            "support_points": self._corners(planted), "planted": planted,
            "ground": [*point, *(body.xquat if body else (1, 0, 0, 0))],
            "solver": (solution.failures, solution.iterations, solution.limits),
            "penetration": arena.contact.penetration(),
            "com": state.c, "com_velocity": state.c_dot, "linear_momentum": state.L, "angular_momentum": state.H,
            "cp": centre_of_pressure(state.c, force, moment, point, ground.normal),
            "cmp": moment_pivot(state.c, force, point, ground.normal), "contact_force": force,
            "linear_momentum_rate_des": solution.momentum_rate_des[:3],
            "angular_momentum_rate_des": solution.momentum_rate_des[3:],
            "angular_momentum_rate_solved": rate[3:],
            "angular_momentum_rate_free": solution.momentum_rate_free[3:],
            "angular_momentum_rate": moment, "arm_angular_momentum": self._arm_spin(),
        }  # fmt: skip
        row |= {f"point.{name}": state.place(*at) for name, at in self.scene.watch.items()}
        return row

    def _contact_wrench(self) -> tuple[np.ndarray, np.ndarray]:
        """Force and moment about c that the ground gave during the last step."""
        state = self.controller.state
        if self.scene.world.contact == "mujoco":
            return state.f[:3].copy(), state.f[3:].copy()
        g = self.arena.ground_force[self.arena.tree.dofs]
        r = state.c - state.xpos[0]
        return g[:3].copy(), state.root_R @ g[3:6] - np.cross(r, g[:3])

    def _corners(self, planted: np.ndarray) -> np.ndarray:
        state = self.controller.state
        parts = [
            state.corners[s, : state.corner_count[s]].ravel() if planted[s] else np.full(3 * state.corner_count[s], np.nan)
            for s in range(len(planted))
        ]
        return np.concatenate(parts)

    def _arm_spin(self) -> np.ndarray:
        """Angular momentum about c carried by the arms [kg m²/s]."""
        if len(self._arms) == 0:
            return np.zeros(3)
        arena, state = self.arena, self.controller.state
        data, model, b = arena.data, arena.model, self._arms + arena.tree.body0
        w, arm = data.cvel[b, :3], data.xipos[b] - state.c
        v = data.cvel[b, 3:] + np.cross(w, arm) - state.c_dot
        R = data.ximat[b].reshape(-1, 3, 3)
        spin = np.einsum("bij,bj,bkj,bk->bi", R, model.body_inertia[b], R, w)
        return (spin + model.body_mass[b, None] * np.cross(arm, v)).sum(axis=0)

    def _fallen(self) -> bool:
        state = self.controller.state
        assert self._height is not None
        return float(state.ground.height_of(state.c)) < SUNK * self._height or self.arena.contact.touches()

    def finish(self, real_time_factor: float) -> Recording:
        scene, recorder = self.scene, self._recorder
        assert recorder is not None
        failures = self.controller.solution.failures
        if failures:
            self.notes.append(f"{failures} solves failed and held the last good torques ({self.controller.solution.status})")
        info = {
            "scene": scene.name, "character": scene.character.name, "seconds": scene.seconds, "seed": scene.seed,
            "options": dict(scene.options), "dt": scene.world.dt, "record_hz": RECORD_HZ,
            "pushes": [str(p) for p in scene.world.pushes],
        }  # fmt: skip
        take = recorder.finish(
            info, self.arena.xml, fell=self.fall_time is not None, fall_time=self.fall_time, steps=self.steps,
            real_time_factor=real_time_factor, notes=self.notes,
        )  # fmt: skip
        take.metrics.update(metrics.standard(take))
        take.metrics["solver_failures"] = failures
        for measure in scene.measures:
            take.metrics.update(measure(take))
        return take


def _not_finite(arena: Arena) -> str | None:
    """The first body whose state is not a finite number, if any."""
    data, model = arena.data, arena.model
    if np.isfinite(data.qpos).all() and np.isfinite(data.qvel).all() and np.abs(data.qvel).max() < 1e6:
        return None
    bad = np.flatnonzero(~np.isfinite(data.qvel) | (np.abs(data.qvel) >= 1e6))
    return f"body {model.body(model.dof_bodyid[bad[0]]).name!r}" if len(bad) else "the configuration"

"""Take: what is kept of a simulation while it runs, and the Recording that it ends as."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext

import numpy as np

import poise
from poise.control.controller import Controller
from poise.dynamics.floor import ground_height
from poise.dynamics.momentum import root_to_centre
from poise.dynamics.state import State
from poise.record import excursion, metrics, spin
from poise.record.chatter import TorqueSpectrum
from poise.record.recording import Recorder, Recording
from poise.record.series import Spec, spec
from poise.simulate.row import Row, fill
from poise.simulate.sanity import BlowUp, judge, likely_cause
from poise.simulate.scene import Metrics, Scene
from poise.worlds.world import Arena

RECORD_HZ = 100.0
FEW = 10  # records: a take with fewer is too short for some metrics
SERIES = (
    "q", "v", "tau", "q_ref", "support_points", "planted", "ground", "solver", "penetration", "com", "com_velocity",
    "linear_momentum", "angular_momentum", "cp", "cmp", "contact_force", "linear_momentum_rate_des",
    "angular_momentum_rate_des", "angular_momentum_rate_solved", "angular_momentum_rate_free",
    "angular_momentum_rate", "arm_angular_momentum", "angular_velocity",
)  # fmt: skip


class Take:
    """Records of a scene that is running.

    Attributes:
        fall_time: When the character fell [s], None while it has not.
        blow_up: How the state left all sane bounds, None while it has not.
        notes: What a reader of the recording should know.
    """

    def __init__(
        self, scene: Scene, arena: Arena, controller: Controller, rows: int, keep: int | None = None
    ):
        """``rows`` are expected; with ``keep`` only so many of the last ones are kept for sure."""
        self.scene, self.arena, self.controller = scene, arena, controller
        self.every = max(1, round(1.0 / (RECORD_HZ * scene.world.dt)))  # steps a record
        self.fall_time: float | None = None
        self.blow_up: BlowUp | None = None
        report = scene.character.report
        self.notes: list[str] = [*(report.caveats if report else ()), *scene.info.get("notes", ())]
        self._wrench, self._wrenches = np.zeros(6), 0  # of contact, summed since the last record
        self._spectrum = TorqueSpectrum(arena.tree.nv - 6, scene.world.dt)
        self._steps, self._ready = 0, False
        self._rows, self._keep = rows, keep
        hidden = scene.world.plant.hidden or scene.control.predict > 0
        self._true = State(scene.character, arena.model, arena.data, arena.ground_body) if hidden else None

    @property
    def state(self) -> State:
        """The body as it is, whatever its controller sees."""
        return self.controller.state if self._true is None else self._true

    def _open(self) -> None:
        """Once the controller knows the body."""
        state, character, arena = self.state, self.scene.character, self.arena
        self._signals = self.controller.behaviour.signals()
        self._heard = frozenset(self._signals)  # at the start: the table has room for these
        kinds: Spec = spec(SERIES, arena.model, character)
        if arena.impacts is not None:
            kinds["impact"] = ("J", "none", arena.tree.names)
        if arena.blows is not None:
            kinds["blow"] = ("N s", "none", arena.tree.names)
        if arena.presses is not None:
            kinds |= spec(("sole_force", "sole_cp", "knock"), arena.model, character)
        kinds |= {f"point.{name}": ("m", "world", ("x", "y", "z")) for name in self.scene.watch}
        kinds |= {name: (s.unit, s.frame, s.names) for name, s in self._signals.items()}
        self.recorder = Recorder(kinds, self._rows, self._keep)
        self._views = {name: self.recorder.view(name) for name in kinds}
        self._views["ground"][:] = 0, 0, 0, 1, 0, 0, 0
        root, arms = arena.tree.body0, [arena.tree.body0 + state.tree.body(b) for b in character.arms]
        self._row = Row(self._views, arena.model, arena.data, root, arms)
        self._ready = True

    @property
    def row(self) -> Mapping[str, np.ndarray]:
        """The newest record by the names of its series."""
        return self._views

    def hear(self) -> None:
        """Listen to the behaviour that acts now; a series that it does not have is nan from here on."""
        now = self.controller.behaviour.signals()
        for name in self._signals:
            self._views[name][:] = np.nan
        known = {name for name, signal in now.items() if len(self._views.get(name, ())) == len(signal.values)}
        self._signals = {name: now[name] for name in known & self._heard}

    def look(self) -> bool:
        """Count what the ground gives in this step, and record now and then; true where the take is over."""
        if self._true is not None:
            self._true.update()
            if self._steps == 0 and self.arena.ground_body is None:
                self._true.ground.settle(ground_height(self._true))
        blow_up = judge(self.state, self.arena)
        if blow_up is not None:
            self._cut(blow_up)
            return True
        self._spectrum.add(self.controller.solution.tau[6:])
        self._wrench += self._contact_wrench()
        self._wrenches += 1
        self._steps += 1
        if (self._steps - 1) % self.every:
            return False
        self.record()
        return self.over

    def broke(self, error: Exception) -> None:
        """End the take where arithmetic failed on a state that was about to leave its bounds."""
        what = f"the controller's arithmetic failed ({error})"
        cause = judged.cause if (judged := judge(self.state, self.arena)) else likely_cause(self.arena)
        self._cut(BlowUp(float(self.arena.data.time), what, cause))

    def _cut(self, blow_up: BlowUp) -> None:
        """A blow-up is a result: nothing after the last sane record is kept."""
        self.blow_up = blow_up
        self.notes.append(str(blow_up))
        self.fall_time = blow_up.time if self.fall_time is None else self.fall_time

    def _contact_wrench(self) -> np.ndarray:
        """Force and moment about c of the contacts (6,), world axes."""
        state, arena = self.state, self.arena
        if arena.engine_contact:
            return state.f
        wrench = np.empty(6)
        root_to_centre(arena.ground_force[arena.tree.dofs], state.root_R, state.c - state.xpos[0], wrench)
        return wrench

    def record(self) -> None:
        """Write one row."""
        if not self._ready:
            self._open()
        time = self.arena.data.time
        self._fill(self._views)
        self.recorder.advance(time)
        if self.fall_time is None and self.controller.fallen(self.arena.contact.touches()):
            self.fall_time = time

    @property
    def over(self) -> bool:
        """Whether what was to be done is done, or the fall was long enough ago to stop."""
        if self.controller.behaviour.done:
            return True
        return self.fall_time is not None and self.arena.data.time >= self.fall_time + self.scene.after_fall

    def _fill(self, row: Mapping[str, np.ndarray]) -> None:
        """Write the present instant into the recorder's row."""
        arena, state = self.arena, self.state
        controller, solution = self.controller, self.controller.solution
        fill(self._row, state, controller.supports, solution, self._wrench, max(self._wrenches, 1))
        self._wrenches = 0
        row["q_ref"][:] = controller.behaviour.q_ref
        row["solver"][:] = solution.failures, solution.iterations, solution.limits
        row["penetration"][0] = arena.contact.penetration()
        if arena.impacts is not None:
            row["impact"][:] = arena.impacts.energy
        if arena.blows is not None:
            row["blow"][:] = arena.blows.impulse
        if arena.presses is not None:
            arena.presses.read(row["sole_force"], row["sole_cp"], row["knock"])
        if arena.ground_body:
            row["ground"][:3], row["ground"][3:] = (
                state.ground.point,
                arena.data.body(arena.ground_body).xquat,
            )
        for name, at in self.scene.watch.items():
            row[f"point.{name}"][:] = state.place(*at)
        for name, signal in self._signals.items():
            row[name][:] = signal.values

    def finish(
        self, real_time_factor: float, last: float | None = None, part: tuple[float, float] | None = None
    ) -> Recording:
        """The recording so far, of the last so many seconds, or between two times, with its metrics."""
        scene, world, solution = self.scene, self.scene.world, self.controller.solution
        notes = list(self.notes)
        if solution.failures:
            notes.append(
                f"{solution.failures} solves failed and held the last good torques ({solution.status})"
            )
        info = {
            "scene": scene.name, "character": scene.character.name, "seconds": scene.seconds, "seed": scene.seed,
            "options": dict(scene.options), "dt": world.dt, "record_hz": 1.0 / (self.every * world.dt),
            "pushes": [str(p) for p in self.arena.pushes], "version": poise.__version__, **scene.info,
        }  # fmt: skip
        rows = None if last is None else max(1, round(last / (self.every * world.dt)))
        take = self.recorder.finish(
            info, self.arena.xml, rows, part, fell=self.fall_time is not None, fall_time=self.fall_time,
            steps=self.controller.behaviour.steps, real_time_factor=real_time_factor, notes=notes,
            blew_up=None if self.blow_up is None else self.blow_up.time,
        )  # fmt: skip
        with np.errstate(all="ignore") if _hardly(take) else nullcontext():
            take.metrics.update(metrics.standard(take))
            spin.add(take)
            excursion.add(take)
            take.metrics["torque_power_above_20hz"] = self._spectrum.share()
            take.metrics["solver_failures"] = solution.failures
            take.metrics.update(self.controller.behaviour.metrics())
            for measure in scene.measures:
                _add(measure, take)
        return take


def _hardly(take: Recording) -> bool:
    """Whether a take is too short, or ended too badly, for every measure to make sense."""
    return len(take) < FEW or take.blew_up is not None


def _add(measure: Metrics, take: Recording) -> None:
    """Add a scene's own metrics; those that a short or broken take does not allow are left out."""
    try:
        take.metrics.update(measure(take))
    except (ArithmeticError, LookupError, ValueError):
        if not _hardly(take):
            raise

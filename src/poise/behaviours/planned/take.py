"""What a performance leaves behind: a log filled frame by frame, and the Recording made of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import mujoco
import numpy as np

import poise
from poise.behaviours.planned.body import Body
from poise.behaviours.planned.contacts import sole
from poise.behaviours.planned.course import Course
from poise.behaviours.planned.model import wrench
from poise.behaviours.planned.online import Online
from poise.behaviours.planned.outcome import corners, outcome
from poise.behaviours.planned.reference import Reference
from poise.behaviours.planned.segments import Controller
from poise.behaviours.planned.stairs import height_at, scenery, treads
from poise.control.controller import SUNK
from poise.dynamics.momentum import centre_of_pressure, moment_pivot
from poise.record import metrics
from poise.record.recording import Recorder, Recording
from poise.record.series import XYZ, Spec, spec

if TYPE_CHECKING:
    from poise.simulate import Scene

UP = np.array([0.0, 0.0, 1.0])
SERIES = (
    "q", "v", "q_ref", "support_points", "planted", "clock", "final_time_change", "penetration", "com", "com_velocity",
    "linear_momentum", "angular_momentum", "cp", "cmp", "contact_force", "angular_momentum_rate", "plan_com",
    "reference_com", "plan_linear_momentum", "plan_angular_momentum", "reach_gap",
)  # fmt: skip
SAY = 0.1  # [m] of lowering that is worth a note
WARM_UP = 10  # frames left out of the speed


class Log:
    """Arrays of a performance, one row a frame."""

    def __init__(self, ref: Reference, frames: int, points: int) -> None:
        model = ref.character.model
        self.ref, self.frames = ref, 0
        self.q, self.v = np.empty((frames, model.nq)), np.zeros((frames, model.nv))
        self.x, self.c = np.empty((frames, 12)), np.empty((frames, 3))
        self.F, self.points = np.zeros((frames, points, 3)), np.full((frames, points, 3), np.nan)
        self.clock, self.gap = np.empty((frames, 3)), np.empty((frames, 3))
        self.change, self.pushed = np.empty(frames), np.zeros((frames, 6))  # force and place of pushes
        self.why, self.offline = "", np.nan
        self.started = self.ended = np.nan  # wall clock at the end of the warm-up and of the performance [s]

    @property
    def fps(self) -> float:
        """Frames a second of wall clock, after the warm-up."""
        return max(self.frames - WARM_UP, 0) / max(self.ended - self.started, 1e-9)

    def write(self, i: int, online: Online, body: Body, force: np.ndarray, at: np.ndarray) -> None:
        """Keep frame i: the state at its beginning and the forces that act in it."""
        n = len(online.points)
        self.q[i], self.v[i], self.x[i], self.c[i] = body.q, body.v, online.x, body.follower.c
        self.F[i, :n], self.points[i, :n] = online.F[:n], online.points
        clock = online.clock
        self.clock[i] = clock.t, clock.t_c, clock.t_d
        self.clock[i] += online.segment.start
        self.gap[i], self.pushed[i, :3], self.pushed[i, 3:] = body.gap, force, at
        self.change[i] = i + online.controller.segments[0].start - online.frame
        self.frames = i + 1

    def stop(self, i: int, why: str) -> None:
        """The last frame: at the end, or where the motion cannot go on; that frame is left out then."""
        self.why = why
        if why and i > 0:
            self.frames = i


def recording(scene: Scene, ref: Reference, control: Controller, way: Course, log: Log) -> Recording:
    """The Recording of a performance, with the metrics of the contract."""
    ground = treads(ref, way)
    recorder = Recorder(_spec(ref), log.frames)
    follow = _Instant(ref, way, log, ground)
    for i in range(log.frames):
        for name, values in follow.row(i).items():
            recorder.write(name, values)
        recorder.advance(i * ref.h)
    notes = list(control.notes)
    if way.lowered.min() < -SAY:
        notes.append(
            f"the legs cannot reach these footprints at the clip's height: the centre of mass is led up to "
            f"{-100 * way.lowered.min():.0f} cm lower"
        )
    if log.why:
        notes.append(f"stopped at t = {log.frames * ref.h:.2f} s: {log.why}; the motion until then is kept")
    fall = follow.fall_time
    info = {
        "scene": scene.name, "character": scene.character.name, "seconds": scene.seconds, "seed": scene.seed,
        "options": dict(scene.options), "dt": ref.h, "record_hz": 1.0 / ref.h,
        "friction": scene.world.friction, "pushes": [str(p) for p in scene.world.pushes],
        "version": poise.__version__, **scene.info,
    }  # fmt: skip
    xml = scenery(scene.character, ground, scene.world.friction)
    take = recorder.finish(
        info,
        xml,
        fell=fall is not None,
        fall_time=fall,
        steps=_steps(ref, log),
        real_time_factor=log.fps * ref.h,
        notes=notes,
    )
    take.metrics.update(metrics.standard(take))
    take.metrics.update(_metrics(ref, control, way, log))
    return take


def _spec(ref: Reference) -> Spec:
    """The series of a performance; torques are those of inverse dynamics, so no motor has a say in them."""
    model, names = ref.character.model, ref.character.stance
    kinds = spec(SERIES, model, ref.character, names)
    kinds["tau"] = (
        "N m",
        "joints",
        tuple(model.joint(model.dof_jntid[i]).name + f".{i}" for i in range(6, model.nv)),
    )
    points = range(ref.feet.on.shape[2])
    kinds["force"] = ("N", "world", tuple(f"{s}.{k}.{a}" for s in names for k in points for a in XYZ))
    return kinds


class _Instant:
    """Makes the rows: kinematics of each frame, and torques by inverse dynamics under the plan's forces."""

    def __init__(self, ref: Reference, way: Course, log: Log, ground) -> None:
        self.ref, self.way, self.log, self.ground = ref, way, log, ground
        self.model, self.data = ref.character.model, mujoco.MjData(ref.character.model)
        self.supports = [ref.character.support(s) for s in ref.character.stance]
        self._soles = [sole(s) for s in self.supports]
        self._heights: list[float] = []  # of c above the ground [m], row by row
        # velocities belong to the way to the next frame: those of an instant are the mean of two
        v = log.v[: log.frames]
        if len(v) > 1:
            v[0] = v[1]
        self.v = np.vstack([0.5 * (v[:-1] + v[1:]), v[-1:]])
        self.v_dot = np.gradient(self.v, ref.h, axis=0) if len(v) > 1 else np.zeros_like(v)

    def row(self, i: int) -> dict[str, Any]:
        log, ref, data, model = self.log, self.ref, self.data, self.model
        data.qpos[:], data.qvel[:], data.qacc[:] = log.q[i], self.v[i], self.v_dot[i]
        mujoco.mj_fwdPosition(model, data)
        mujoco.mj_fwdVelocity(model, data)
        mujoco.mj_subtreeVel(model, data)
        frame = log.clock[i, 2]
        k = min(round(float(frame)), ref.frames - 1)
        soles = corners(data, self.supports)
        on = ref.feet.on[min(int(frame + 0.5), ref.frames - 1)]
        real = on[:, :-2]
        n = int(on.sum())
        total = np.zeros(6)
        points, F = log.points[i, :n], log.F[i, :n]
        wrench(points, F, data.subtree_com[1], total)
        force = np.zeros((*on.shape, 3))
        force[on] = F
        level = float(height_at(self.ground, data.subtree_com[1][:1])[0])
        c, base = data.subtree_com[1], np.array([0.0, 0.0, level])
        self._heights.append(float(c[2]) - level)
        pressed = total[2] > 1.0
        q_ref = np.append(log.q[i, :3], ref.q[k, 3:])
        return {
            "q": log.q[i], "v": self.v[i], "q_ref": q_ref, "tau": self._torques(on, F),
            "support_points": np.where(real[..., None], soles, np.nan).ravel(),
            "planted": on.any(axis=1), "force": force.ravel(), "clock": log.clock[i],
            "final_time_change": log.change[i], "penetration": self._depth(soles, real),
            "com": c, "com_velocity": data.subtree_linvel[1],
            "linear_momentum": ref.character.mass * data.subtree_linvel[1], "angular_momentum": data.subtree_angmom[1],
            "cp": centre_of_pressure(c, total[:3], total[3:], base, UP) if pressed else np.full(3, np.nan),
            "cmp": moment_pivot(c, total[:3], base, UP) if pressed else np.full(3, np.nan),
            "contact_force": total[:3], "angular_momentum_rate": total[3:], "plan_com": log.x[i, :3],
            "reference_com": ref.x[k, :3] + self.way.drift[k],
            "plan_linear_momentum": log.x[i, 3:6], "plan_angular_momentum": log.x[i, 9:], "reach_gap": log.gap[i],
        }  # fmt: skip

    def _torques(self, on: np.ndarray, F: np.ndarray) -> np.ndarray:
        """Joint torques (nv - 6) of inverse dynamics less what the contact forces give."""
        tau = np.empty(self.model.nv)
        mujoco.mj_rne(self.model, self.data, 1, tau)
        tau += self.model.dof_armature * self.data.qacc
        J, at = np.zeros((3, self.model.nv)), 0
        for s, support in enumerate(self.supports):
            body, points = self.model.body(support.body).id, self._soles[s]
            R, x = self.data.xmat[body].reshape(3, 3), self.data.xpos[body]
            for k in np.flatnonzero(on[s]):
                mujoco.mj_jac(self.model, self.data, J, None, x + R @ points[k], body)
                tau -= J.T @ F[at]
                at += 1
        return tau[6:]

    def _depth(self, soles: np.ndarray, on: np.ndarray) -> float:
        """How deep a corner that carries nothing is below the ground under it [m]."""
        below = height_at(self.ground, soles[..., 0]) - soles[..., 2]
        return float(np.where(on, 0.0, below).max(initial=0.0))

    @property
    def fall_time(self) -> float | None:
        """When the centre of mass had sunk too far, of the rows made so far [s]."""
        lowest = min(self._heights[0], float(self.ref.x[:, 2].min()))  # a deep squat is no fall
        low = np.flatnonzero(np.array(self._heights) < SUNK * lowest)
        return float(low[0]) * self.ref.h if len(low) else None


def _steps(ref: Reference, log: Log) -> int:
    """Landings that happened."""
    last = log.clock[log.frames - 1, 2]
    return sum(0 < s.first <= last for s in ref.feet.stances)


def _metrics(ref: Reference, control: Controller, way: Course, log: Log) -> dict[str, Any]:
    n, end = log.frames, outcome(ref, control, way, log)
    gap = np.linalg.norm(log.gap[:n], axis=1)
    return {
        "offline_s_per_60_frames": 60 * log.offline / control.frames,
        "iterations": max(s.iterations for s in control.segments),
        "final_time_change_frames": end.later,
        "online_fps": log.fps,
        "goal_error_m": end.goal_error,
        "lowered_m": float(-way.lowered.min()),
        "reach_gap_m": end.gap,
        "reach_time_s": float((gap > 1e-3).sum() * ref.h),
        "root_tilt_deg": float(np.degrees(end.tilt)),
        "cone_share": _cone_use(log.F[:n], control.segments[0].policy.mu),
        "moment_gap_nm": end.unexplained.moment,
        "force_gap_n": end.unexplained.force,
        "recovered": end.recovered,
    }


def _cone_use(F: np.ndarray, mu: float) -> float:
    """Largest tangential force over what friction allows; 1 is the edge of the pyramid."""
    normal = F[..., 2]
    loaded = normal > 1.0
    if not loaded.any():
        return 0.0
    return float((np.abs(F[..., :2]).max(axis=-1)[loaded] / (mu * normal[loaded])).max())

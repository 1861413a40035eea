"""What a frame shows: the pose at a time, a camera that follows the body, and marks such as the pushes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import mujoco
import numpy as np

from poise.draw import look
from poise.draw.camera import ANGLES, FOVY, Camera, headings, smooth
from poise.draw.form import shown_geoms
from poise.draw.marks import Mark
from poise.record.metrics import root_joint
from poise.record.pushes import end, pushes
from poise.record.recording import Recording

if TYPE_CHECKING:
    from poise.worlds.disturb import Push

MARGIN = 1.12  # room around the body
SHADOWED = 0.4  # half the width of what may have a shadow, over the distance that shows all of the body
FADE = 0.25  # a push fades out after it has ended [s]
ARROW_LENGTH = (0.3, 0.8, 500.0)  # shortest, longest [m], force that makes one metre [N]
ARROW_FAR = 1.5  # where the search for the surface begins [m]


class View:
    """Poses of a take, with the camera for pictures of one shape.

    `at(t)` moves `data` to that time and returns the camera and the marks.

    Args:
        recording: The take.
        model: Its world, dressed for pictures.
        aspect: Width of the picture over its height.
        marks: Series of points to show as balls, besides those whose name ends in "target"; "com" is put on
            the ground.
        camera: Name of the way to look.
    """

    def __init__(
        self, recording: Recording, model: mujoco.MjModel, aspect: float, marks: Sequence[str] = (),
        camera: str = "three-quarter",
    ) -> None:  # fmt: skip
        self.model, self.data = model, mujoco.MjData(model)
        self._take, self._time, self._q = recording, recording.time, recording["q"]
        self._mocap = ground_mocap(model) if "ground" in recording else -1
        self._pushes = [push for push in pushes(recording) if _body(model, push.body) >= 0]
        self._marks = [*marks, *(name for name in recording.series if name.endswith("target"))]
        self._last = int(np.flatnonzero(np.isfinite(self._q).all(axis=1))[-1:].sum())  # a take may end in nan
        self._angle = ANGLES[camera]
        self._path = smooth(self._centres(recording), recording.dt)
        self._facing = self._headings(recording.dt)
        self._distance, self._tall = self._fit(aspect)
        self.extent = SHADOWED * self._distance

    def at(self, t: float) -> tuple[Camera, list[Mark]]:
        """Put the body where it was at time t [s]."""
        i, part = self._pose(t)
        arrows = [self._arrow(p, t) for p in self._pushes if p.start <= t <= end(p) + FADE]
        return self._camera(i, part), arrows + self._balls(i) + self._ropes(t)

    def ghost(self, t: float) -> mujoco.MjData | None:
        """The pose that was followed at a time, the root where it was; None where there was none."""
        if "q_ref" not in self._take:
            return None
        i, root = self._record(t)[0], root_joint(self.model)
        wanted = reference(self._q[i], self._take["q_ref"][i], int(self.model.jnt_qposadr[max(root, 0)]))
        if wanted is None or len(wanted) != self.model.nq:
            return None
        data = mujoco.MjData(self.model)
        data.qpos[:] = wanted
        mujoco.mj_kinematics(self.model, data)
        return data

    def _camera(self, i: int, part: float) -> Camera:
        after, angle = min(i + 1, self._last), self._angle
        lookat = self._path[i] + part * (self._path[after] - self._path[i])
        turn = self._facing[i] + part * (self._facing[after] - self._facing[i])
        lookat[2] += angle.rise * self._tall
        azimuth = np.radians(angle.azimuth) + turn
        return Camera(lookat, angle.near * self._distance, azimuth, np.radians(angle.elevation))

    def _record(self, t: float) -> tuple[int, float]:
        """The record before t, and how far t is on the way to the next one."""
        x = float(np.interp(t, self._time[: self._last + 1], np.arange(self._last + 1)))
        return int(x), x - int(x)

    def _pose(self, t: float) -> tuple[int, float]:
        """Move `data`; returns what `_record` does."""
        i, part = self._record(t)
        q = self._q[i].copy()
        if part > 1e-9:
            step = np.empty(self.model.nv)
            mujoco.mj_differentiatePos(self.model, step, 1.0, q, self._q[i + 1])
            mujoco.mj_integratePos(self.model, q, step, part)
        self.data.qpos[:] = q
        if self._mocap >= 0:
            ground = self._take["ground"][i]
            self.data.mocap_pos[self._mocap], self.data.mocap_quat[self._mocap] = ground[:3], ground[3:]
        mujoco.mj_kinematics(self.model, self.data)
        mujoco.mj_comPos(self.model, self.data)
        return i, part

    def _arrow(self, push: Push, t: float) -> Mark:
        """An arrow whose tip touches the first surface on the way to the body that is pushed."""
        size = float(np.linalg.norm(push.force))
        direction = np.array(push.force) / max(size, 1e-9)
        start = self.data.xipos[_body(self.model, push.body)] - ARROW_FAR * direction
        reach = mujoco.mj_ray(
            self.model, self.data, start, direction, None, 0, -1, np.zeros(1, dtype=np.int32)
        )
        tip = start + direction * (reach if 0 < reach < ARROW_FAR else ARROW_FAR)
        shortest, longest, newtons = ARROW_LENGTH
        tail = tip - direction * np.clip(size / newtons, shortest, longest)
        alpha = float(np.clip(1 - (t - end(push)) / FADE, 0, 1))
        return Mark(tail, tip, np.array([*look.ARROW, alpha]), f"{size:.0f} N")

    def _balls(self, i: int) -> list[Mark]:
        balls = []
        for name in self._marks:
            point = self._take[name][i, :3].copy()
            if name == "com":
                point[2] = self._take["ground"][i, 2] if "ground" in self._take else 0.0
            if np.isfinite(point).all():
                balls.append(Mark(None, point, np.array([*look.MARKS.get(name, look.TARGET), 0.9])))
        return balls

    def _ropes(self, t: float) -> list[Mark]:
        """Ropes that the scene tells of while they are tight, and tendons of the model."""
        lines = []
        for rope in self._take.info.get("ropes") or ():
            body = _body(self.model, rope["body"])
            if body >= 0 and rope["start"] <= t < rope["end"]:
                held = self.data.xpos[body] + self.data.xmat[body].reshape(3, 3) @ rope["point"]
                lines.append((np.array(rope["place"]), held))
        if self.model.ntendon:
            mujoco.mj_tendon(self.model, self.data)
            points = self.data.wrap_xpos.reshape(-1, 3)
            for first, count in zip(self.data.ten_wrapadr.tolist(), self.data.ten_wrapnum.tolist()):
                lines += [(points[k], points[k + 1]) for k in range(first, first + count - 1)]
        return [Mark(a.copy(), b.copy(), np.array([*look.ROPE, 1.0]), rope=True) for a, b in lines]

    def _centres(self, recording: Recording) -> np.ndarray:
        """Points to look at (T, 3): a little below the centre of mass, so that the feet are in the picture."""
        com = recording["com"] if "com" in recording else self._q[:, :3]
        com = np.where(np.isfinite(com), com, com[self._last])
        height = com[:, 2:] - (recording["ground"][:, 2:3] if "ground" in recording else 0.0)
        return com - 0.07 * np.abs(height) * [0, 0, 1]

    def _headings(self, dt: float) -> np.ndarray:
        """Where a camera that stays behind turns to (T,) [rad]; zero for others."""
        root = root_joint(self.model)
        if not self._angle.behind or root < 0:
            return np.zeros(len(self._q))
        at = int(self.model.jnt_qposadr[root])
        q = np.where(np.isfinite(self._q), self._q, self._q[self._last])
        return headings(q[:, at : at + 7], dt)

    def _fit(self, aspect: float) -> tuple[float, float]:
        """Distance from which the body is inside the frame at all times, and the body's height [m]."""
        geoms = shown_geoms(self.model, character_only=True)
        slope = np.tan(0.5 * FOVY) * np.array([min(aspect, 1.6), 1.0])
        distance, tall = 1.0, 0.0
        for i in np.linspace(0, self._last, 16).astype(int).tolist():
            self._pose(float(self._time[i]))
            axes = Camera(np.zeros(3), 1.0, np.radians(self._angle.azimuth) + self._facing[i],
                          np.radians(self._angle.elevation)).axes  # fmt: skip
            seen = (self.data.geom_xpos[geoms] - self._path[i]) @ axes.T
            reach = np.abs(seen[:, :2]) + _extent(self.model, self.data, geoms, axes[:2])
            distance = max(distance, float(np.max(MARGIN * reach / slope + seen[:, 2:])))
            tall = max(tall, float(np.ptp(self.data.geom_xpos[geoms, 2])))
        return distance, tall


def reference(q: np.ndarray, q_ref: np.ndarray, at: int) -> np.ndarray | None:
    """The configuration that was followed, its root where it is: q with q_ref from `at` on; None if there is none."""
    if at + len(q_ref) > len(q) or not np.isfinite(q_ref[7:]).all():
        return None
    first = 3 if np.isfinite(q_ref[3:7]).all() else 7
    wanted = q.copy()
    wanted[at + first : at + len(q_ref)] = q_ref[first:]
    return wanted


def _extent(model: mujoco.MjModel, data: mujoco.MjData, geoms: np.ndarray, axes: np.ndarray) -> np.ndarray:
    """Half size of each geom's box along the given axes (n, len(axes)) [m]."""
    frames = data.geom_xmat[geoms].reshape(-1, 3, 3)
    half = np.abs(model.geom_aabb[geoms, :3]) + model.geom_aabb[geoms, 3:]
    return np.einsum("nak,nk->na", np.abs(axes @ frames), half)


def ground_mocap(model: mujoco.MjModel) -> int:
    """The mocap body that `ground` moves: the one called platform or ground, else the first; -1 if none."""
    bodies = [b for b in range(model.nbody) if model.body_mocapid[b] >= 0]
    named = [b for b in bodies if model.body(b).name in ("platform", "ground", "floor")]
    return int(model.body_mocapid[(named or bodies)[0]]) if bodies else -1


def _body(model: mujoco.MjModel, name: str) -> int:
    return mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, name)

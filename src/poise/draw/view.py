"""What a frame shows: the pose at a time, a camera that follows the body, and marks such as the pushes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import mujoco
import numpy as np

from poise.draw import look
from poise.record.metrics import root_joint
from poise.record.pushes import end, pushes
from poise.record.recording import Recording

if TYPE_CHECKING:
    from poise.worlds.disturb import Push

AZIMUTH, ELEVATION = np.radians(124.0), np.radians(-11.0)  # three-quarter view of a body that faces x
FOVY = np.radians(36.0)
FOLLOW = 0.35  # how slowly the camera follows the centre of mass: standard deviation of the smoothing [s]
MARGIN = 1.12  # room around the body
SHADOWED = 0.4  # half the width of what may have a shadow, over the distance of the camera
FADE = 0.25  # a push fades out after it has ended [s]
ARROW_LENGTH = (0.3, 0.8, 500.0)  # shortest, longest [m], force that makes one metre [N]
ARROW_FAR = 1.5  # where the search for the surface begins [m]
BALL = 0.028  # radius of a mark [m]


@dataclass(frozen=True)
class Camera:
    """A pinhole camera; x right, y up, z towards the viewer."""

    lookat: np.ndarray  # (3,) [m]
    distance: float  # [m]
    azimuth: float = AZIMUTH
    elevation: float = ELEVATION
    fovy: float = FOVY

    @property
    def axes(self) -> np.ndarray:
        """Rows: right, up and back in the world."""
        (ca, ce), (sa, se) = np.cos([self.azimuth, self.elevation]), np.sin([self.azimuth, self.elevation])
        return np.array([[sa, -ca, 0], [-ca * se, -sa * se, ce], [-ca * ce, -sa * ce, -se]])

    @property
    def eye(self) -> np.ndarray:
        return self.lookat + self.distance * self.axes[2]

    def project(self, points: np.ndarray, width: int, height: int) -> np.ndarray:
        """Pixel x, pixel y and depth (..., 3) of world points (..., 3)."""
        right, up, back = np.moveaxis((points - self.eye) @ self.axes.T, -1, 0)
        depth = np.maximum(-back, 1e-6)
        scale = 0.5 * height / np.tan(0.5 * self.fovy) / depth
        return np.stack([0.5 * width + scale * right, 0.5 * height - scale * up, depth], axis=-1)


class Mark(NamedTuple):
    """An arrow from `tail` to `tip`, or a ball at `tip` when there is no tail."""

    tail: np.ndarray | None
    tip: np.ndarray
    rgba: np.ndarray
    label: str = ""


class View:
    """Poses of a take, with the camera for pictures of one shape.

    `at(t)` moves `data` to that time and returns the camera and the marks.

    Args:
        recording: The take.
        model: Its world, dressed for pictures.
        aspect: Width of the picture over its height.
        marks: Series of points to show as balls, besides those whose name ends in "target"; "com" is put on
            the ground.
    """

    def __init__(
        self, recording: Recording, model: mujoco.MjModel, aspect: float, marks: Sequence[str] = ()
    ) -> None:
        self.model, self.data = model, mujoco.MjData(model)
        self._take, self._time, self._q = recording, recording.time, recording["q"]
        self._mocap = ground_mocap(model) if "ground" in recording else -1
        self._pushes = [push for push in pushes(recording) if _body(model, push.body) >= 0]
        self._marks = [*marks, *(name for name in recording.series if name.endswith("target"))]
        self._last = int(np.flatnonzero(np.isfinite(self._q).all(axis=1))[-1:].sum())  # a take may end in nan
        self._path = _smooth(self._centres(recording), recording.dt)
        self._distance = self._fit(aspect)
        model.stat.extent = SHADOWED * self._distance

    def at(self, t: float) -> tuple[Camera, list[Mark]]:
        """Put the body where it was at time t [s]."""
        i, part = self._pose(t)
        lookat = self._path[i] + part * (self._path[min(i + 1, self._last)] - self._path[i])
        arrows = [self._arrow(p, t) for p in self._pushes if p.start <= t <= end(p) + FADE]
        return Camera(lookat, self._distance), arrows + self._balls(i)

    def _pose(self, t: float) -> tuple[int, float]:
        """Move `data`; returns the record before t and how far t is on the way to the next one."""
        x = float(np.interp(t, self._time[: self._last + 1], np.arange(self._last + 1)))
        i, part = int(x), x - int(x)
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
        mujoco.mj_camlight(self.model, self.data)
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

    def _centres(self, recording: Recording) -> np.ndarray:
        """Points to look at (T, 3): a little below the centre of mass, so that the feet are in the picture."""
        com = recording["com"] if "com" in recording else self._q[:, :3]
        com = np.where(np.isfinite(com), com, com[self._last])
        return com * [1, 1, 0.93]

    def _fit(self, aspect: float) -> float:
        """Distance from which the body is inside the frame at all times."""
        geoms = shown_geoms(self.model, character_only=True)
        axes = Camera(np.zeros(3), 1.0).axes
        slope = np.tan(0.5 * FOVY) * np.array([min(aspect, 1.6), 1.0])
        distance = 1.0
        for i in np.linspace(0, self._last, 16).astype(int).tolist():
            self._pose(float(self._time[i]))
            seen = (self.data.geom_xpos[geoms] - self._path[i]) @ axes.T
            reach = np.abs(seen[:, :2]) + _extent(self.model, self.data, geoms, axes[:2])
            distance = max(distance, float(np.max(MARGIN * reach / slope + seen[:, 2:])))
        return distance


def shown_geoms(model: mujoco.MjModel, character_only: bool = False) -> np.ndarray:
    """Indices of the geoms that are drawn: groups 0 to 2, not transparent, no planes."""
    shown = (model.geom_group <= 2) & (model.geom_rgba[:, 3] > 0.02)
    shown &= model.geom_type != int(mujoco.mjtGeom.mjGEOM_PLANE)
    root = root_joint(model)
    if character_only and root >= 0:
        tree = model.body_rootid[model.geom_bodyid]
        shown &= tree == model.body_rootid[model.jnt_bodyid[root]]
    return np.flatnonzero(shown)


def _extent(model: mujoco.MjModel, data: mujoco.MjData, geoms: np.ndarray, axes: np.ndarray) -> np.ndarray:
    """Half size of each geom's box along the given axes (n, len(axes)) [m]."""
    frames = data.geom_xmat[geoms].reshape(-1, 3, 3)
    half = np.abs(model.geom_aabb[geoms, :3]) + model.geom_aabb[geoms, 3:]
    return np.einsum("nak,nk->na", np.abs(axes @ frames), half)


def _smooth(path: np.ndarray, dt: float) -> np.ndarray:
    """Gaussian smoothing along the first axis that keeps the ends in place."""
    reach = int(3 * FOLLOW / dt) if dt > 0 else 0
    if reach < 1:
        return path
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) * dt / FOLLOW) ** 2)
    padded = np.pad(path, ((reach, reach), (0, 0)), mode="edge")
    return np.stack([np.convolve(x, kernel / kernel.sum(), mode="valid") for x in padded.T], axis=1)


def ground_mocap(model: mujoco.MjModel) -> int:
    """The mocap body that `ground` moves: the one called platform or ground, else the first; -1 if none."""
    bodies = [b for b in range(model.nbody) if model.body_mocapid[b] >= 0]
    named = [b for b in bodies if model.body(b).name in ("platform", "ground", "floor")]
    return int(model.body_mocapid[(named or bodies)[0]]) if bodies else -1


def _body(model: mujoco.MjModel, name: str) -> int:
    return mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, name)

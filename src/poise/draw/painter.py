"""Pictures of a world, drawn by the processor alone: the same everywhere, with or without graphics libraries."""

from __future__ import annotations

import threading
from typing import NamedTuple

import mujoco
import numpy as np

from poise.draw import look, raster, shade
from poise.draw.camera import Camera
from poise.draw.cloth import clothes, joined
from poise.draw.form import Form
from poise.draw.marks import Mark
from poise.draw.shade import Eye, Solid, Sun
from poise.draw.skin import displaced

SHADOWS = 4096  # texels along an edge of the sun's map
UNDER = 256  # the same of the map that is seen from below
TAPS = 32  # points of the sun's disc that are asked for
NOTHING = -1e9
GOLDEN = np.pi * (3.0 - np.sqrt(5.0))


class Pose(NamedTuple):
    """One moment, ready to be drawn."""

    bodies: np.ndarray  # (B, 8) dual quaternions from the zero configuration
    ghost: np.ndarray | None  # the same of another pose that is shown see-through
    planes: np.ndarray  # (p, 2, 3) a point and the normal of each floor
    camera: Camera
    marks: list[Mark]


class Painter:
    """Draws poses of one world, each in whatever thread asks for it.

    Args:
        model: The world, dressed for pictures. width, height: Of the picture [pixels].
        extent: Half the width of what may have a shadow [m].
    """

    def __init__(self, model: mujoco.MjModel, width: int, height: int, extent: float) -> None:
        self._form, self._size, self._extent = Form(model), (height, width), extent
        self._planes = np.flatnonzero(model.geom_type == int(mujoco.mjtGeom.mjGEOM_PLANE))
        self._body, others, self._fixed = clothes(self._form)
        self._moving = joined([self._body, others])
        self._threads = threading.local()

    def pose(
        self, data: mujoco.MjData, camera: Camera, marks: list[Mark], ghost: mujoco.MjData | None = None
    ) -> Pose:
        """What `data` holds now."""
        frames = data.geom_xmat[self._planes].reshape(-1, 3, 3)
        planes = np.stack([data.geom_xpos[self._planes], frames[:, :, 2]], axis=1)
        at, shown = self._form, None if ghost is None else displaced(self._form, ghost.xpos, ghost.xquat)
        return Pose(displaced(at, data.xpos, data.xquat), shown, np.ascontiguousarray(planes), camera, marks)

    def __call__(self, pose: Pose) -> np.ndarray:
        """One picture (height, width, 3) uint8."""
        buffers, eye = self._buffers(), _eye(pose.camera, self._size[0])
        firm = [mark.cloth() for mark in pose.marks if mark.rgba[3] >= 1]
        solid = joined([self._moving, *firm]).at(pose.bodies)
        whole = joined([self._moving, *firm, self._fixed]).at(pose.bodies)
        buffers.clear()
        sun, under = buffers.suns(pose.camera.lookat, self._extent, solid)
        raster.seen(
            whole.points, whole.faces, eye.at, eye.axes, eye.scale, raster.SAMPLES, buffers.near, buffers.ids
        )
        out = np.empty((*self._size, 3), dtype=np.uint8)
        shade.shade(
            eye, sun, under, look.PAINT, whole, pose.planes, raster.SAMPLES, buffers.near, buffers.ids, out
        )
        if pose.ghost is not None:
            self._over(buffers, eye, self._body.at(pose.ghost), look.GHOST, True, out)
        for mark in pose.marks:
            if mark.rgba[3] < 1:
                self._over(buffers, eye, mark.cloth().at(pose.bodies), mark.rgba, False, out)
        return out

    def _over(
        self, buffers: Buffers, eye: Eye, solid: Solid, rgba: np.ndarray, rim: bool, out: np.ndarray
    ) -> None:
        buffers.ids[:] = -1
        raster.seen(
            solid.points, solid.faces, eye.at, eye.axes, eye.scale, raster.SAMPLES, buffers.near, buffers.ids
        )
        shade.veil(
            eye, solid, np.asarray(rgba, float), rim, raster.SAMPLES, buffers.ids, look.PAINT.light, out
        )

    def _buffers(self) -> Buffers:
        if not hasattr(self._threads, "buffers"):
            self._threads.buffers = Buffers(*self._size)
        return self._threads.buffers


class Buffers:
    """What one thread draws into."""

    def __init__(self, height: int, width: int) -> None:
        self.near = np.empty((height, width, len(raster.SAMPLES)), np.float32)
        self.ids = np.empty((height, width, len(raster.SAMPLES)), np.int32)
        self._maps = [np.full((size, size), NOTHING, np.float32) for size in (SHADOWS, UNDER)]
        self._blocks = [np.full((len(m) // raster.COARSE,) * 2, NOTHING, np.float32) for m in self._maps]

    def clear(self) -> None:
        """Nothing has been drawn."""
        self.near[:], self.ids[:] = 0.0, -1
        for whole, blocks in zip(self._maps, self._blocks):
            raster.wipe(whole, blocks, NOTHING)

    def suns(self, middle: np.ndarray, extent: float, solid: Solid) -> tuple[Sun, Sun]:
        """The maps that the sun sees, and the floor."""
        axes = (look.SUN_AXES, np.diag([1.0, 1.0, -1.0]))
        made = []
        for frame, heights, coarse, reach, disc in zip(
            axes, self._maps, self._blocks, (extent, extent), (look.SUN_SIZE, look.CONTACT_REACH)
        ):
            scale = 0.5 * len(heights) / reach
            raster.sunlit(solid.points, solid.faces, middle, frame, scale, heights, coarse)
            made.append(Sun(middle=middle, axes=frame, scale=scale, heights=heights, coarse=coarse,
                            box=_box(coarse), taps=DISC, disc=disc))  # fmt: skip
        return made[0], made[1]


def _eye(camera: Camera, height: int) -> Eye:
    scale = float(0.5 * height / np.tan(0.5 * camera.fovy))
    return Eye(at=camera.eye, axes=np.ascontiguousarray(camera.axes), scale=scale)


def _disc(n: int) -> np.ndarray:
    """Points spread evenly over a disc of radius one, from its middle out, and how far out (n, 3)."""
    k = np.arange(n)
    radius = np.sqrt((k + 0.5) / n)
    return np.stack([radius * np.cos(GOLDEN * k), radius * np.sin(GOLDEN * k), radius], axis=1)


def _box(coarse: np.ndarray) -> np.ndarray:
    """First and last row and column of blocks with anything in them."""
    rows, columns = (np.flatnonzero((coarse > NOTHING).any(axis=axis)) for axis in (1, 0))
    return np.array([rows[0], rows[-1], columns[0], columns[-1]] if len(rows) else [0, -1, 0, -1])


DISC = _disc(TAPS)

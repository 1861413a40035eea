"""Frames without any graphics library: rays against simple shapes in numpy, a depth buffer and a shadow."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np
from PIL import Image, ImageFilter

from poise.record import look, shapes
from poise.record.view import Arrow, Camera, shown_geoms

OVERSAMPLE = 2  # rays per pixel and axis
FADE = (4.0, 16.0)  # the floor fades into the horizon between these distances from the camera's target [m]
SHADOW = 0.34  # how dark a shadow is
SHAFT, HEAD, HEAD_LENGTH = 0.016, 0.042, 0.12  # radii and length of an arrow [m]
CORNERS = np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).reshape(3, 8).T
SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX = (
    int(getattr(mujoco.mjtGeom, f"mjGEOM_{kind}")) for kind in ("SPHERE", "CAPSULE", "ELLIPSOID", "CYLINDER", "BOX")
)


@dataclass(frozen=True)
class Shape:
    """One thing to draw."""

    kind: int
    size: np.ndarray  # as MuJoCo gives it for that kind; for an arrow's head: radius below, above, half length
    half: np.ndarray  # half edges of the box around it [m]
    position: np.ndarray
    R: np.ndarray  # rotation of the shape in the world
    rgba: np.ndarray
    casts: bool  # throws a shadow; what does not, receives one

    def meet(self, o: np.ndarray, d: np.ndarray) -> shapes.Hit:
        """Distance and normal in the frame of the shape."""
        if self.kind in (SPHERE, CAPSULE):
            return shapes.capsule(o, d, self.size[0], self.size[1] if self.kind == CAPSULE else 0.0)
        if self.kind == BOX:
            return shapes.box(o, d, self.size)
        if self.kind == CYLINDER:
            return shapes.cone(o, d, self.size[0], self.size[2] or self.size[0], self.size[1])
        return shapes.ellipsoid(o, d, self.half)

    def corners(self) -> np.ndarray:
        return self.position + (CORNERS * self.half) @ self.R.T


class Painter:
    """Draws what `data` holds; call it after the View has moved there."""

    def __init__(self, model: mujoco.MjModel, width: int, height: int) -> None:
        self._model = model
        self._width, self._height = width * OVERSAMPLE, height * OVERSAMPLE
        self._geoms = shown_geoms(model)
        self._character = set(shown_geoms(model, character_only=True).tolist())
        self._planes = np.flatnonzero(model.geom_type == int(mujoco.mjtGeom.mjGEOM_PLANE))
        self._rays: np.ndarray | None = None

    def __call__(self, data: mujoco.MjData, camera: Camera, arrows: list[Arrow]) -> np.ndarray:
        """One picture (height, width, 3) uint8."""
        rays = self._directions(camera)
        things = [self._shape(data, g) for g in self._geoms] + [part for a in arrows for part in _arrow(a)]
        canvas = Canvas(camera, rays)
        canvas.sky()
        for plane in self._planes:
            canvas.floor(data.geom_xpos[plane], data.geom_xmat[plane].reshape(3, 3)[:, 2])
        for thing in things:
            canvas.add(thing)
        canvas.shade([thing for thing in things if thing.casts])
        picture = Image.fromarray(canvas.pixels())
        return np.asarray(picture.reduce(OVERSAMPLE))

    def close(self) -> None:
        """Nothing to give back."""

    def _directions(self, camera: Camera) -> np.ndarray:
        """World directions of all rays (H, W, 3), one unit deep; the camera keeps its angles during a take."""
        if self._rays is None:
            scale = np.tan(0.5 * camera.fovy) / (0.5 * self._height)
            x = (np.arange(self._width) + 0.5 - 0.5 * self._width) * scale
            y = (0.5 * self._height - np.arange(self._height) - 0.5) * scale
            right, up, back = camera.axes
            rays = x[None, :, None] * right + y[:, None, None] * up - back
            self._rays = rays.astype(np.float32)
        return self._rays

    def _shape(self, data: mujoco.MjData, g: int) -> Shape:
        model = self._model
        R = data.geom_xmat[g].reshape(3, 3)
        centre, half = model.geom_aabb[g, :3], model.geom_aabb[g, 3:]
        size = model.geom_size[g].copy()
        kind = int(model.geom_type[g])
        if kind == CYLINDER:
            size[2] = 0
        position = data.geom_xpos[g] + (R @ centre if kind not in (SPHERE, CAPSULE, BOX, CYLINDER) else 0)
        rgba = model.mat_rgba[model.geom_matid[g]] if model.geom_matid[g] >= 0 else model.geom_rgba[g]
        return Shape(kind, size, np.maximum(half, 1e-4), position, R, rgba, g in self._character or kind != BOX)


class Canvas:
    """Colour and depth of every ray of one picture."""

    def __init__(self, camera: Camera, rays: np.ndarray) -> None:
        self._camera, self._rays, self._eye = camera, rays, camera.eye
        self._depth = np.full(rays.shape[:2], np.inf, dtype=np.float32)
        self._colour = np.empty(rays.shape, dtype=np.float32)
        self._receives = np.zeros(rays.shape[:2], dtype=bool)
        self._heights: list[float] = []  # of the surfaces that receive shadow [m]

    def sky(self) -> None:
        """Gradient from the horizon up."""
        up = self._rays[..., 2] / np.linalg.norm(self._rays, axis=2)
        part = np.clip(up * 2.2, 0, 1)[..., None]
        self._colour[:] = look.SKY_LOW + part * (look.SKY_TOP - look.SKY_LOW)

    def floor(self, point: np.ndarray, normal: np.ndarray) -> None:
        """Tiles that fade with distance."""
        facing = self._rays @ normal.astype(np.float32)
        t = np.float32((point - self._eye) @ normal) / np.where(facing < -1e-4, facing, np.nan)
        rows = np.flatnonzero(np.isfinite(t).any(axis=1))
        if not len(rows):
            return
        part = slice(rows[0], rows[-1] + 1)
        t = t[part]
        p = self._eye.astype(np.float32)[:2] + t[..., None] * self._rays[part, :, :2]
        away = np.hypot(*np.moveaxis(p - self._camera.lookat[:2].astype(np.float32), -1, 0))
        clear = 1 - np.clip((away - FADE[0]) / (FADE[1] - FADE[0]), 0, 1)
        tile = np.floor(p / np.float32(look.TILE)).sum(axis=2) % 2
        flat = look.TILE_A + tile[..., None] * (look.TILE_B - look.TILE_A)
        colour = look.SKY_LOW + (np.sqrt(clear) * clear)[..., None] * (flat - look.SKY_LOW)
        hit = np.isfinite(t) & (t < self._depth[part])
        self._colour[part][hit] = colour[hit]
        self._depth[part][hit] = t[hit]
        self._receives[part] |= hit
        self._heights.append(float(point[2]))

    def add(self, shape: Shape) -> None:
        """Draw one shape where it is nearer than what is there."""
        window = self._window(shape.corners())
        if window is None:
            return
        R = shape.R.astype(np.float32)
        o = ((self._eye - shape.position) @ shape.R).astype(np.float32)
        t, normal = shape.meet(o, self._rays[window] @ R)
        nearer = t < self._depth[window]
        if not nearer.any():
            return
        n = normal[nearer]
        n /= np.linalg.norm(n, axis=1, keepdims=True) + 1e-9
        colour = _lit(n, shape, -(self._rays[window][nearer] @ R))
        alpha = shape.rgba[3]
        self._colour[window][nearer] = alpha * colour + (1 - alpha) * self._colour[window][nearer]
        self._depth[window][nearer] = t[nearer]
        self._receives[window][nearer] = not shape.casts
        if not shape.casts:
            self._heights.append(float(shape.corners()[:, 2].max()))

    def shade(self, casters: list[Shape]) -> None:
        """Darken the floor where a shape is between it and the sun."""
        dark = np.zeros(self._depth.shape, dtype=bool)
        for shape in casters:
            window = self._window(self._thrown(shape.corners()))
            if window is None:
                continue
            ask = self._receives[window] & ~dark[window]
            p = self._eye + self._depth[window][ask][:, None] * self._rays[window][ask]
            towards = -look.LIGHT @ shape.R
            t, _ = shape.meet((p - shape.position) @ shape.R, np.broadcast_to(towards, p.shape))
            dark[window][ask] = np.isfinite(t)
        soft = Image.fromarray(dark.astype(np.uint8) * 255).filter(ImageFilter.GaussianBlur(2.0 * OVERSAMPLE))
        amount = np.asarray(soft, dtype=np.float32) / 255 * SHADOW
        self._colour *= 1 - np.where(self._receives, amount, 0)[..., None]

    def pixels(self) -> np.ndarray:
        return (np.clip(self._colour, 0, 1) * 255 + 0.5).astype(np.uint8)

    def _thrown(self, corners: np.ndarray) -> np.ndarray:
        """The corners moved along the light to each height that may be in shadow."""
        down = [corners + ((z - corners[:, 2:]) / look.LIGHT[2]) * look.LIGHT for z in set(self._heights)]
        return np.concatenate(down) if down else np.zeros((0, 3))

    def _window(self, corners: np.ndarray) -> tuple[slice, slice] | None:
        """Rows and columns of the picture that hold these points."""
        height, width = self._depth.shape
        if not len(corners):
            return None
        x, y, depth = self._camera.project(corners, width, height).T
        if depth.min() < 0.05:
            return (slice(0, height), slice(0, width)) if depth.max() > 0.05 else None
        left, right = np.clip([np.floor(x.min()), np.ceil(x.max()) + 1], 0, width).astype(int)
        top, bottom = np.clip([np.floor(y.min()), np.ceil(y.max()) + 1], 0, height).astype(int)
        return (slice(top, bottom), slice(left, right)) if left < right and top < bottom else None


def _lit(normal: np.ndarray, shape: Shape, to_eye: np.ndarray) -> np.ndarray:
    """Colour of surface points: sky light, sun, and a little from the camera."""
    sun = np.maximum(normal @ (-look.LIGHT @ shape.R).astype(np.float32), 0)
    facing = np.maximum(np.sum(normal * to_eye, axis=1) / np.linalg.norm(to_eye, axis=1), 0)
    light = look.AMBIENT + look.DIFFUSE * sun + look.HEAD * facing
    return (light[:, None] * shape.rgba[:3]).astype(np.float32)


def _arrow(arrow: Arrow) -> list[Shape]:
    """Shaft and head."""
    along = arrow.tip - arrow.tail
    length = float(np.linalg.norm(along))
    z = along / max(length, 1e-9)
    x = np.cross([0, 0, 1.0] if abs(z[2]) < 0.9 else [1.0, 0, 0], z)
    x /= np.linalg.norm(x)
    R = np.stack([x, np.cross(z, x), z], axis=1)
    rgba = np.array([*look.ARROW, arrow.alpha])
    neck = max(length - HEAD_LENGTH, 0.02)
    parts = ((SHAFT, 0.0, 0.0, neck), (HEAD, 1e-4, neck, length))
    made = []
    for low, high, start, end in parts:
        half = 0.5 * (end - start)
        middle = arrow.tail + z * 0.5 * (start + end)
        made.append(Shape(CYLINDER, np.array([low, half, high]), np.array([low, low, half]), middle, R, rgba, True))
    return made

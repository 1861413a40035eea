"""Layers of a picture that is made of rays: colour, depth and cover of each ray."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageFilter

from poise.draw import look, shapes
from poise.draw.view import Camera

FADE = (4.0, 18.0)  # the floor fades into the horizon between these distances from the camera's target [m]
SHADOW = 0.36  # how dark a shadow is
LIFT = 2e-3  # so that no surface shades itself [m]
SOFT = 0.004  # blur of its edge, as a part of the picture's height
CORNERS = np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).reshape(3, 8).T
Window = tuple[slice, slice]


@dataclass(frozen=True)
class Solid:
    """One thing to draw."""

    kind: str
    size: np.ndarray  # as MuJoCo has it; a cylinder has its radius below, radius above, half length
    half: np.ndarray  # half edges of the box around it [m]
    position: np.ndarray
    R: np.ndarray  # rotation of the shape in the world
    rgba: np.ndarray
    receives: bool  # shows shadows

    def meet(self, o: np.ndarray, d: np.ndarray) -> shapes.Hit:
        """Distance and normal in the frame of the shape."""
        if self.kind in ("sphere", "capsule"):
            return shapes.capsule(o, d, self.size[0], self.size[1] if self.kind == "capsule" else 0.0)
        if self.kind == "box":
            return shapes.box(o, d, self.size.astype(np.float32))
        if self.kind == "cylinder":
            return shapes.cone(o, d, *self.size.tolist())
        return shapes.ellipsoid(o, d, self.half.astype(np.float32))

    def corners(self) -> np.ndarray:
        return self.position + (CORNERS * self.half) @ self.R.T

    @property
    def top(self) -> float:
        return float(self.corners()[:, 2].max())


class Layer:
    """Rays (H, W) of one camera, and what they have met so far."""

    def __init__(self, camera: Camera, rays: np.ndarray) -> None:
        self._camera, self._rays, self._eye = camera, rays, camera.eye.astype(np.float32)
        self._depth = np.full(rays.shape[:2], np.inf, dtype=np.float32)
        self._receives = np.zeros(rays.shape[:2], dtype=bool)
        self.colour = np.zeros(rays.shape, dtype=np.float32)
        self.cover = np.zeros(rays.shape[:2], dtype=np.float32)
        self.drawn: Window | None = None  # the part of the picture that shapes are in

    def sky(self) -> None:
        """Gradient from the horizon up."""
        part = np.clip(self._rays[..., 2:] * np.float32(3.5), 0, 1)
        self.colour[:] = look.SKY_LOW + part * (look.SKY_TOP - look.SKY_LOW)

    def bury(self, point: np.ndarray, normal: np.ndarray) -> None:
        """Hide what is below a plane."""
        np.minimum(self._depth, self._plane(point, normal), out=self._depth)

    def floor(self, point: np.ndarray, normal: np.ndarray) -> None:
        """Tiles that fade with distance, averaged over the width of a ray (box filter)."""
        t = self._plane(point, normal)
        rows = np.flatnonzero(np.isfinite(t).any(axis=1))
        if not len(rows):
            return
        part = slice(rows[0], rows[-1] + 1)
        t, rays = t[part], self._rays[part]
        hit = t < self._depth[part]
        t = np.where(np.isfinite(t), t, np.float32(1e3))
        pixel = np.float32(2 * np.tan(0.5 * self._camera.fovy) / len(self._rays))
        width = t * pixel / np.maximum(np.abs(rays[..., 2]), 0.05) / np.float32(2 * look.TILE)
        ground = [self._eye[k] + t * rays[..., k] for k in (0, 1)]
        square = _stripes(ground[0], width) * _stripes(ground[1], width)
        away = np.hypot(*(g - np.float32(self._camera.lookat[k]) for k, g in enumerate(ground)))
        clear = 1 - np.clip((away - FADE[0]) / (FADE[1] - FADE[0]), 0, 1)
        mix = (0.5 + 0.5 * square)[..., None] * (look.TILE_B - look.TILE_A) + (look.TILE_A - look.SKY_LOW)
        colour = look.SKY_LOW + (clear * np.sqrt(clear))[..., None] * mix
        np.copyto(self.colour[part], colour, where=hit[..., None])
        np.copyto(self._depth[part], t, where=hit)
        self._receives[part] |= hit

    def add(self, shape: Solid) -> None:
        """Draw one shape where it is nearer than what is there."""
        window = self._window(shape.corners())
        if window is None:
            return
        R = shape.R.astype(np.float32)
        rays = self._rays[window]
        t, normal = shape.meet(((self._eye - shape.position) @ shape.R).astype(np.float32), rays @ R)
        nearer = t < self._depth[window]
        if not nearer.any():
            return
        colour, alpha = _lit(normal[nearer], -(rays[nearer] @ R), shape), np.float32(shape.rgba[3])
        self.colour[window][nearer] += alpha * (colour - self.colour[window][nearer])
        self.cover[window][nearer] += alpha * (1 - self.cover[window][nearer])
        self._depth[window][nearer] = t[nearer]
        self._receives[window][nearer] = shape.receives
        self.drawn = _union(self.drawn, window)

    def shade(self, casters: Iterable[Solid], heights: Iterable[float]) -> None:
        """Darken surfaces at the given heights where a shape is between them and the sun."""
        dark = np.zeros(self._depth.shape, dtype=np.uint8)
        total: Window | None = None
        for shape in casters:
            corners = shape.corners()
            fallen = [corners + (z - corners[:, 2:]) / look.LIGHT[2] * look.LIGHT for z in heights]
            window = self._window(np.concatenate(fallen)) if fallen else None
            ask = self._receives[window] & (dark[window] == 0) if window else np.zeros(0, dtype=bool)
            if not ask.any() or window is None:
                continue
            p = self._eye + self._depth[window][ask][:, None] * self._rays[window][ask]
            p -= LIFT * look.LIGHT.astype(np.float32)
            R = shape.R.astype(np.float32)
            towards = (-look.LIGHT @ shape.R).astype(np.float32)
            t, _ = shape.meet((p - shape.position.astype(np.float32)) @ R, np.broadcast_to(towards, p.shape))
            dark[window][ask] = np.isfinite(t) * np.uint8(255)
            total = _union(total, window)
        if total is not None:
            blur = ImageFilter.GaussianBlur(SOFT * len(self._rays))
            soft = np.asarray(Image.fromarray(dark[total]).filter(blur), dtype=np.float32)
            self.colour[total] *= 1 - np.where(self._receives[total], soft * (SHADOW / 255), 0)[..., None]

    def pixels(self) -> np.ndarray:
        return (np.clip(self.colour, 0, 1) * 255 + 0.5).astype(np.uint8)

    def _plane(self, point: np.ndarray, normal: np.ndarray) -> np.ndarray:
        """Depth of a plane along each ray, inf where it is not in front."""
        facing = self._rays @ normal.astype(np.float32)
        height = np.float32((point - self._eye) @ normal)
        return np.where(facing < -1e-4, height / np.minimum(facing, np.float32(-1e-4)), np.float32(np.inf))

    def _window(self, corners: np.ndarray) -> Window | None:
        """Rows and columns of the picture that hold these points."""
        height, width = self._rays.shape[:2]
        seen = self._camera.project(corners, width, height)
        x, y, depth = seen[:, 0], seen[:, 1], seen[:, 2]
        if depth.min() < 0.05:
            return (slice(0, height), slice(0, width)) if depth.max() > 0.05 else None
        left, right = np.clip([np.floor(x.min()), np.ceil(x.max()) + 1], 0, width).astype(int).tolist()
        top, bottom = np.clip([np.floor(y.min()), np.ceil(y.max()) + 1], 0, height).astype(int).tolist()
        return (slice(top, bottom), slice(left, right)) if left < right and top < bottom else None


def _union(a: Window | None, b: Window) -> Window:
    if a is None:
        return b
    rows, columns = (slice(min(i.start, j.start), max(i.stop, j.stop)) for i, j in zip(a, b))
    return rows, columns


def _stripes(x: np.ndarray, width: np.ndarray) -> np.ndarray:
    """Average of a square wave of ±1 and period two tiles over `width` periods around x."""
    x = x / np.float32(2 * look.TILE)
    width = np.maximum(width, np.float32(1e-4))
    ends = [np.abs((x + side * width) % 1 - np.float32(0.5)) for side in (np.float32(-0.5), np.float32(0.5))]
    return (ends[0] - ends[1]) / width


def _lit(normal: np.ndarray, to_eye: np.ndarray, shape: Solid) -> np.ndarray:
    """Colour of surface points: light of the sky and the sun, and a little from the camera."""
    length = np.sqrt(np.einsum("nk,nk->n", normal, normal)) + np.float32(1e-9)
    sun = np.maximum(normal @ (-look.LIGHT @ shape.R).astype(np.float32), 0) / length
    eye = np.sqrt(np.einsum("nk,nk->n", to_eye, to_eye))
    facing = np.maximum(np.einsum("nk,nk->n", normal, to_eye), 0) / (length * eye)
    light = look.AMBIENT + look.DIFFUSE * sun + look.HEAD * facing
    return (light[:, None] * shape.rgba[:3]).astype(np.float32)

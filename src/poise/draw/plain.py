"""Frames without any graphics library: rays against simple shapes in numpy, with depth and shadows."""

from __future__ import annotations

import mujoco
import numpy as np
from PIL import Image

from poise.draw.canvas import Layer, Solid
from poise.draw.view import BALL, Camera, Mark, shown_geoms

OVERSAMPLE = 2  # rays per pixel and axis on bodies; floor and sky are smooth with one
SHAFT, HEAD, HEAD_LENGTH = 0.016, 0.042, 0.12  # radii and length of an arrow [m]
KINDS = {
    int(getattr(mujoco.mjtGeom, f"mjGEOM_{kind.upper()}")): kind
    for kind in ("sphere", "capsule", "cylinder", "box", "ellipsoid")
}


class PlainPainter:
    """Draws what `data` holds; call it after the View has moved there."""

    def __init__(self, model: mujoco.MjModel, width: int, height: int) -> None:
        self._model, self._size = model, (width, height)
        self._geoms = shown_geoms(model)
        self._character = set(shown_geoms(model, character_only=True).tolist())
        self._planes = np.flatnonzero(model.geom_type == int(mujoco.mjtGeom.mjGEOM_PLANE))
        self._rays: list[np.ndarray] = []

    def __call__(self, data: mujoco.MjData, camera: Camera, marks: list[Mark]) -> np.ndarray:
        """One picture (height, width, 3) uint8."""
        if not self._rays:  # the camera keeps its angles during a take
            self._rays = [_directions(camera, *self._size, n) for n in (1, OVERSAMPLE)]
        things = [self._shape(data, g) for g in self._geoms] + [
            part for mark in marks for part in _parts(mark)
        ]
        planes = [(data.geom_xpos[p], data.geom_xmat[p].reshape(3, 3)[:, 2]) for p in self._planes]
        heights = {float(point[2]) for point, _ in planes} | {thing.top for thing in things if thing.receives}
        back, front = (Layer(camera, rays) for rays in self._rays)
        back.sky()
        for point, normal in planes:
            back.floor(point, normal)
            front.bury(point, normal)
        for thing in things:
            front.add(thing)
        for layer in (back, front):
            layer.shade(things, heights)
        return _over(back, front)

    def close(self) -> None:
        """Nothing to give back."""

    def _shape(self, data: mujoco.MjData, g: int) -> Solid:
        model = self._model
        R = data.geom_xmat[g].reshape(3, 3)
        kind = KINDS.get(int(model.geom_type[g]), "ellipsoid")  # a mesh is shown as the ellipsoid in its box
        size = model.geom_size[g] if kind != "cylinder" else model.geom_size[g, [0, 0, 1]]
        centre, half = model.geom_aabb[g, :3], np.maximum(model.geom_aabb[g, 3:], 1e-4)
        rgba = model.mat_rgba[model.geom_matid[g]] if model.geom_matid[g] >= 0 else model.geom_rgba[g]
        receives = kind == "box" and g not in self._character
        return Solid(kind, size, half, data.geom_xpos[g] + R @ centre, R, rgba, receives)


def _directions(camera: Camera, width: int, height: int, n: int) -> np.ndarray:
    """World directions (H, W, 3) of n × n rays per pixel, one unit deep."""
    scale = np.tan(0.5 * camera.fovy) / (0.5 * height)
    x = ((np.arange(width * n) + 0.5) / n - 0.5 * width) * scale
    y = (0.5 * height - (np.arange(height * n) + 0.5) / n) * scale
    right, up, back = camera.axes
    return (x[None, :, None] * right + y[:, None, None] * up - back).astype(np.float32)


def _over(back: Layer, front: Layer) -> np.ndarray:
    """The bodies over the floor and the sky, with the average of the rays in each pixel."""
    picture = Image.fromarray(back.pixels())
    if front.drawn is None:
        return np.asarray(picture)
    rows, columns = (slice(s.start // OVERSAMPLE, -(-s.stop // OVERSAMPLE)) for s in front.drawn)
    window = tuple(slice(s.start * OVERSAMPLE, s.stop * OVERSAMPLE) for s in (rows, columns))
    cover = Image.fromarray((front.cover[window] * 255).astype(np.uint8)).reduce(OVERSAMPLE)
    colour = front.colour[window] * front.cover[window][..., None]
    drawn = np.asarray(
        Image.fromarray((np.clip(colour, 0, 1) * 255 + 0.5).astype(np.uint8)).reduce(OVERSAMPLE)
    )
    result = np.array(picture)
    under = result[rows, columns] * (1 - np.asarray(cover, dtype=np.float32)[..., None] / 255)
    result[rows, columns] = np.minimum(under + drawn + 0.5, 255).astype(np.uint8)
    return result


def _parts(mark: Mark) -> list[Solid]:
    """Shaft and head of an arrow, or a ball."""
    if mark.tail is None:
        return [Solid("sphere", np.full(3, BALL), np.full(3, BALL), mark.tip, np.eye(3), mark.rgba, False)]
    along = mark.tip - mark.tail
    length = float(np.linalg.norm(along))
    z = along / max(length, 1e-9)
    x = np.cross([0, 0, 1.0] if abs(z[2]) < 0.9 else [1.0, 0, 0], z)
    x /= np.linalg.norm(x)
    R = np.stack([x, np.cross(z, x), z], axis=1)
    neck = max(length - HEAD_LENGTH, 0.02)
    made = []
    for low, high, start, end in ((SHAFT, SHAFT, 0.0, neck), (HEAD, 1e-4, neck, length)):
        half = 0.5 * (end - start)
        middle = mark.tail + z * 0.5 * (start + end)
        edges = np.array([low, low, half])
        made.append(Solid("cylinder", np.array([low, high, half]), edges, middle, R, mark.rgba, False))
    return made

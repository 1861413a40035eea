"""Ground that is not flat, as real shapes: a tilted plane, a height field, boxes for stairs. It leads along +x."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import mujoco
import numpy as np

from poise.errors import BadInput
from poise.gate import number
from poise.worlds.ground import add_floor, surface

AHEAD, BEHIND, ASIDE = 40.0, 4.0, 6.0  # [m] that a terrain reaches from the origin
CELL = 0.1  # [m] of a height field
FLAT = 1.0  # [m] around the start without bumps
DEEP = 0.5  # [m] of ground below the lowest point


@dataclass(frozen=True)
class Slope:
    """An endless plane that rises along x by an angle [rad]; negative leads down."""

    angle: float

    def __post_init__(self) -> None:
        if not abs(self.angle) < math.radians(60):
            raise BadInput(f"slope of {math.degrees(self.angle):.0f}°; give less than 60°")

    def add(self, spec: mujoco.MjSpec, friction: float) -> None:
        quat = [math.cos(self.angle / 2), 0.0, -math.sin(self.angle / 2), 0.0]
        plane = mujoco.mjtGeom.mjGEOM_PLANE
        surface(spec.worldbody.add_geom(name="ground", type=plane, size=[40, 20, 0.1], quat=quat), friction)


@dataclass(frozen=True)
class Uneven:
    """A height field of smooth random bumps, ``height`` from the lowest to the highest [m], flat at the start."""

    height: float = 0.03
    wavelength: float = 1.2  # [m] of the bumps
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.height < 1:
            raise BadInput(f"uneven ground {self.height} m high; give a height above zero, below 1 m")
        number("wavelength of uneven ground [m]", self.wavelength, 0.1, 40.0)
        number("seed of uneven ground", self.seed, 0, 2**32, whole=True)

    def heights(self) -> np.ndarray:
        """(rows along y, columns along x) from 0 to 1 of the height."""
        rows, columns = round(2 * ASIDE / CELL) + 1, round((AHEAD + BEHIND) / CELL) + 1
        from scipy.ndimage import gaussian_filter

        noise = np.random.default_rng(self.seed).normal(size=(rows, columns))
        smooth = gaussian_filter(noise, self.wavelength / CELL / 4)
        low, high = np.quantile(smooth, (0.01, 0.99))
        bumps = np.clip((smooth - low) / (high - low), 0.0, 1.0)
        x = np.linspace(-BEHIND, AHEAD, columns)[None, :]
        y = np.linspace(-ASIDE, ASIDE, rows)[:, None]
        far = np.clip((np.hypot(x, y) - FLAT) / FLAT, 0.0, 1.0)
        return 0.5 + (bumps - 0.5) * far

    def add(self, spec: mujoco.MjSpec, friction: float) -> None:
        heights = self.heights()
        half = (AHEAD + BEHIND) / 2
        field = spec.add_hfield(name="terrain", nrow=heights.shape[0], ncol=heights.shape[1])
        field.size = [half, ASIDE, self.height, DEEP]
        field.userdata = heights.ravel()
        geom = spec.worldbody.add_geom(
            name="ground", type=mujoco.mjtGeom.mjGEOM_HFIELD, hfieldname="terrain",
            pos=[AHEAD - half, 0.0, -0.5 * self.height],
        )  # fmt: skip
        surface(geom, friction)


@dataclass(frozen=True)
class Stairs:
    """Steps down along x: each ``drop`` lower [m] (negative leads up) and ``run`` long [m], from x = ``first`` on."""

    drop: float = 0.04
    run: float = 1.0
    first: float = 1.5
    count: int = 30

    def __post_init__(self) -> None:
        if not 0 < abs(self.drop) < 1 or not self.run > 0.1 or not 0 < self.count <= 200:
            raise BadInput(
                f"stairs of {self.count} steps, {self.drop} m down, {self.run} m long; give up to 1 m down, more than "
                "0.1 m long, 1 to 200 steps"
            )

    def add(self, spec: mujoco.MjSpec, friction: float) -> None:
        edges = [
            -BEHIND,
            *(self.first + self.run * i for i in range(self.count)),
            AHEAD + self.run * self.count,
        ]
        base = -max(self.drop * self.count, 0.0) - DEEP
        for i, (start, end) in enumerate(pairwise(edges)):
            top = -self.drop * i
            geom = spec.worldbody.add_geom(
                name="ground" if i == 0 else f"ground_{i}", type=mujoco.mjtGeom.mjGEOM_BOX,
                pos=[(start + end) / 2, 0.0, (top + base) / 2], size=[(end - start) / 2, ASIDE, (top - base) / 2],
            )  # fmt: skip
            surface(geom, friction)
            shade = 0.95 if i % 2 else 1.0
            geom.rgba = [0.72 * shade, 0.74 * shade, 0.77 * shade, 1.0]


@dataclass(frozen=True)
class Blocks:
    """A level floor with blocks on it, each (x, y, heading, half length, half width, height) [m, rad]."""

    blocks: tuple[tuple[float, float, float, float, float, float], ...]

    def add(self, spec: mujoco.MjSpec, friction: float) -> None:
        add_floor(spec, friction)
        for i, (x, y, heading, length, width, top) in enumerate(self.blocks):
            geom = spec.worldbody.add_geom(
                name=f"ground_{i + 1}", type=mujoco.mjtGeom.mjGEOM_BOX, pos=[x, y, 0.5 * top],
                size=[length, width, 0.5 * top], quat=[math.cos(heading / 2), 0.0, 0.0, math.sin(heading / 2)],
            )  # fmt: skip
            surface(geom, friction)
            geom.rgba = [0.68, 0.70, 0.73, 1.0]


class Terrain(Protocol):
    """Anything that puts ground into a model, in shapes whose names begin with ``ground``."""

    def add(self, spec: mujoco.MjSpec, friction: float) -> None: ...


def slope(angle: float = 5.0) -> Slope:
    """A slope by degrees."""
    return Slope(math.radians(angle))


TERRAINS: dict[str, Callable[..., Terrain]] = {
    "slope": slope,
    "stairs": Stairs,
    "uneven": Uneven,
}  # by option

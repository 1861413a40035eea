"""What a character stands on: a flat floor, or a heavy platform driven along a given path."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import mujoco
import numpy as np

from poise.character import Floor
from poise.errors import unknown
from poise.geometry.easing import quintic_rates

AXES = ("x", "y", "z", "roll", "pitch")
LEVEL = ("x", "y")


@dataclass(frozen=True)
class Sine:
    """One wave: amplitude [m or rad], frequency [Hz], phase [rad], on one of x y z roll pitch."""

    axis: str
    amplitude: float
    frequency: float
    phase: float = 0.0


@dataclass(frozen=True)
class Move:
    """One smooth (least jerk) displacement along an axis: distance [m or rad], from start, for duration [s]."""

    axis: str
    distance: float
    start: float
    duration: float

    def add(self, t: float, out: np.ndarray) -> None:
        """Add displacement, velocity and acceleration at a time to the rows of ``out`` (3, 5)."""
        p, v, acc = quintic_rates((t - self.start) / self.duration)
        T = self.duration
        out[:, AXES.index(self.axis)] += self.distance * np.array([p, v / T, acc / T**2])


@dataclass(frozen=True)
class Platform:
    """A heavy slab, driven by strong actuators along sums of sines and single moves; it is a body like any other.

    The waves fade in over ``fade`` seconds, so that the ride begins at rest.
    """

    waves: Sequence[Sine] = ()
    moves: Sequence[Move] = ()
    size: float = 1.5  # half side [m]
    mass: float = 4000.0  # [kg]
    stiffness: float = 80.0  # of the drive, as a frequency [rad/s]
    fade: float = 1.0

    def __post_init__(self) -> None:
        for part in (*self.waves, *self.moves):
            if part.axis not in AXES:
                raise unknown("platform axis", part.axis, AXES)

    def at(self, t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Wanted displacement, velocity and acceleration of (x, y, z, roll, pitch)."""
        out = np.zeros((3, 5))
        for wave, now in zip(self.waves, self._waves(t)):
            out[:, AXES.index(wave.axis)] += now
        for move in self.moves:
            move.add(t, out)
        return out[0], out[1], out[2]

    def lean(self, t: float, omega: float) -> np.ndarray:
        """How a rider who knows the waves leans: place, rate and acceleration over the ground, and the ground's (4, 2).

        Seen from ground that accelerates by a, a pendulum on a pressure in the middle of its support obeys
        ẍ = ω² x - a. Its one bounded answer to a wave of angular frequency Ω is x = a / (ω² + Ω²): it leans into the
        wave, and in the world its centre of mass travels less than the ground. Moves come unforeseen.
        """
        out = np.zeros((4, 2))
        for wave, (p, v, a) in zip(self.waves, self._waves(t)):
            if wave.axis in LEVEL:
                w2 = (2 * math.pi * wave.frequency) ** 2
                share, i = -w2 / (omega * omega + w2), LEVEL.index(wave.axis)
                out[:, i] += share * p, share * v, share * a, a
        return out

    def _waves(self, t: float) -> list[tuple[float, float, float]]:
        """Displacement, velocity and acceleration of each wave, faded in."""
        s, ds, dds = 1.0, 0.0, 0.0
        if self.fade > 0:
            s, ds, dds = quintic_rates(t / self.fade)
            ds, dds = ds / self.fade, dds / self.fade**2
        out = []
        for wave in self.waves:
            w = 2 * math.pi * wave.frequency
            a, phase = wave.amplitude, w * t + wave.phase
            p, v, acc = a * math.sin(phase), a * w * math.cos(phase), -a * w * w * math.sin(phase)
            out.append((s * p, s * v + ds * p, s * acc + 2 * ds * v + dds * p))
        return out


def add_floor(spec: mujoco.MjSpec, friction: float) -> None:
    """An endless flat floor at z = 0."""
    geom = spec.worldbody.add_geom(name="ground", type=mujoco.mjtGeom.mjGEOM_PLANE, size=[20, 20, 0.1])
    surface(geom, friction)


def add_platform(spec: mujoco.MjSpec, platform: Platform, friction: float) -> None:
    """A slab whose top is at z = 0, on three slides and two hinges."""
    thickness = 0.1
    body = spec.worldbody.add_body(name="platform", pos=[0, 0, 0])
    body.mass = platform.mass
    body.inertia = [platform.mass, platform.mass, platform.mass]
    body.ipos = [0, 0, 0]
    body.explicitinertial = True
    slide, hinge = mujoco.mjtJoint.mjJNT_SLIDE, mujoco.mjtJoint.mjJNT_HINGE
    for name, kind, axis in [
        ("x", slide, [1, 0, 0]), ("y", slide, [0, 1, 0]), ("z", slide, [0, 0, 1]),
        ("roll", hinge, [1, 0, 0]), ("pitch", hinge, [0, 1, 0]),
    ]:  # fmt: skip
        body.add_joint(name=f"platform_{name}", type=kind, axis=axis)
    geom = body.add_geom(
        name="ground", type=mujoco.mjtGeom.mjGEOM_BOX, size=[platform.size, platform.size, thickness / 2],
        pos=[0, 0, -thickness / 2],
    )  # fmt: skip
    surface(geom, friction)


def suit(geom: mujoco.MjsGeom, floor: Floor) -> None:
    """Make the ground as firm as a body's file has it, and let it meet all of the body."""
    geom.contype = geom.conaffinity = floor.bits
    if floor.solref is not None:
        geom.solref = floor.solref


def surface(geom, friction: float) -> None:
    geom.friction = [friction, 0.005, 0.0001]
    geom.contype, geom.conaffinity, geom.condim, geom.priority = 1, 1, 3, 1
    geom.solref = [0.006, 1.0]
    geom.rgba = [0.72, 0.74, 0.77, 1.0]

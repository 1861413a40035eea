"""Cameras: a pinhole, and the ways in which one accompanies a body."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

FOVY = np.radians(36.0)
FOLLOW = 0.35  # how slowly a camera follows: standard deviation of the smoothing [s]
TURN = 0.8  # the same of the heading of one that stays behind the body [s]


@dataclass(frozen=True)
class Camera:
    """A pinhole camera; x right, y up, z towards the viewer."""

    lookat: np.ndarray  # (3,) [m]
    distance: float  # [m]
    azimuth: float  # [rad] where it looks, from above
    elevation: float  # [rad] above the horizon
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


@dataclass(frozen=True)
class Angle:
    """A way to look at a body: angles in degrees, of a body that faces x; part of the distance that shows all of it."""

    azimuth: float
    elevation: float
    near: float = 1.0
    rise: float = 0.0  # of the body's height: how far above its middle the camera looks
    behind: bool = False  # whether it turns with the body


ANGLES = {
    "three-quarter": Angle(124.0, -11.0),
    "side": Angle(90.0, -6.0),
    "front": Angle(180.0, -8.0),
    "follow": Angle(0.0, -16.0, behind=True),
    "close": Angle(138.0, -6.0, near=0.5, rise=0.22),
}


def smooth(path: np.ndarray, dt: float, spread: float = FOLLOW) -> np.ndarray:
    """Gaussian smoothing along the first axis that keeps the ends in place."""
    reach = int(3 * spread / dt) if dt > 0 else 0
    if reach < 1:
        return path
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) * dt / spread) ** 2)
    padded = np.pad(path, ((reach, reach), (0, 0)), mode="edge")
    return np.stack([np.convolve(x, kernel / kernel.sum(), mode="valid") for x in padded.T], axis=1)


def headings(q: np.ndarray, dt: float) -> np.ndarray:
    """Where a body with a root quaternion in q[3:7] faces over time (T,) [rad], smoothed."""
    w, x, y, z = q[:, 3:7].T
    forward = np.stack([1 - 2 * (y * y + z * z), 2 * (x * y + w * z)], axis=1)
    kept = smooth(forward, dt, TURN)
    return np.unwrap(np.arctan2(kept[:, 1], kept[:, 0]))

"""Does a joint turn about one axis in the clip? Then it is a hinge, and its zero is chosen, not found."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise.capture.anatomy.figure import mean_rotation
from poise.capture.autorig.stand import LEFT
from poise.geometry import quat
from poise.geometry.linear import norm, principal, times

HINGED = ("shin", "forearm", "tarsus")  # parts that may hang on a hinge
ASIDE = np.radians(2.5)  # a hinge's rotation about any other axis stays below this
SHOWN = np.radians(12)  # a joint that turns less does not show its axis


@dataclass(frozen=True)
class Fit:
    """A hinge as near to a joint's motion as can be."""

    axis: np.ndarray  # in the parent's frame, pointing to the left as far as it can (3,)
    offset: np.ndarray  # rotation that the body's zero takes on so that only the hinge remains (4,)
    good: bool  # whether a hinge does it justice
    evidence: str  # in words


def fit(relative: np.ndarray, along: np.ndarray, above: np.ndarray, wanted: np.ndarray) -> Fit:
    """Fit a hinge to rotations (T, 4) of a body in its parent.

    ``along`` and ``above`` are the body's bone and its parent's in the zero pose; at zero it should point as wanted.
    """
    mean = mean_rotation(relative)
    away = quat.to_rotvec(quat.multiply(relative, quat.conjugate(mean)))
    range_ = float(norm(away, axis=1).max())
    axis = _principal(away) if range_ > SHOWN else _across(above, along)
    aside = float(norm(away - (times(away, axis))[:, None] * axis, axis=1).max())
    shown = f"turns by ±{np.degrees(range_):.0f}°, {np.degrees(aside):.1f}° of it about other axes"
    straight = _straighten(axis, quat.rotate(mean, along), wanted)
    return Fit(axis, quat.multiply(straight, mean), aside < ASIDE, shown)


def angle(relative: np.ndarray, axis: np.ndarray) -> np.ndarray:
    """Angle (T,) about an axis of rotations (T, 4) that are about it, without jumps, the first within ±π [rad]."""
    sign = np.where(relative[:, :1] < 0, -1.0, 1.0)
    return np.unwrap(2.0 * np.arctan2(times(sign * relative[:, 1:], axis), (sign * relative[:, :1])[:, 0]))


def _principal(away: np.ndarray) -> np.ndarray:
    axis = principal(times(away.T, away))
    return axis if axis[1] >= 0 else -axis


def _across(above: np.ndarray, along: np.ndarray) -> np.ndarray:
    """Axis of the bend between two bones; the one to the left where they are straight."""
    axis = np.cross(above, along)
    size = float(norm(axis))
    if size < 0.2 * float(norm(above) * norm(along)):
        return LEFT
    return axis / size if axis[1] >= 0 else -axis / size


def _straighten(axis: np.ndarray, bone: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Rotation about an axis that brings a bone as near as can be to a direction."""
    a, b = (u - (times(u, axis)) * axis for u in (bone, wanted))
    turn = np.arctan2(float(times(np.cross(a, b), axis)), float(times(a, b)))
    return quat.from_rotvec(turn * axis)

"""Joint limits: a human's by role, or wide ones, widened to what the clip does."""

from __future__ import annotations

import numpy as np

from poise.character.build import ball, degrees
from poise.character.character import SwingTwist
from poise.geometry import quat

MARGIN = np.radians(5)  # between the clip's own range and a limit
FAR = 6.0  # [rad]: no swing is that far, so such a limit never acts
LEFT_ELBOW, KNEE = ball((-25, 25), (-150, 15), (-90, 90)), ball((-12, 12), (-12, 150), (-25, 25))
CLAVICLE, NECK = ball((-20, 30), (-20, 20), (-20, 20)), ball((-25, 25), (-30, 35), (-40, 40))
WIDE, WIDE_HINGE = ball((-50, 50), (-50, 50), (-40, 40)), degrees(-60, 60)

Limits = SwingTwist | tuple[float, float]


def widened(limits: Limits, motion: np.ndarray, margin: float = MARGIN) -> Limits:
    """Limits that the clip stays inside of by a margin [rad].

    Args:
        limits: A ball's or a hinge's.
        motion: What the joint does: quaternions (T, 4) for a ball, angles (T,) for a hinge [rad].
    """
    if isinstance(limits, SwingTwist):
        return _ball(limits, motion, margin)
    low, high = float(motion.min()) - margin, float(motion.max()) + margin
    return min(limits[0], low), max(limits[1], high)


def _ball(limits: SwingTwist, motion: np.ndarray, margin: float) -> SwingTwist:
    swing, twist = quat.swing_twist(limits.from_centre(motion))
    sides = [list(limits.swing_x), list(limits.swing_y)]
    for axis in range(2):  # first as far as the clip goes along each axis alone,
        sides[axis] = [
            min(sides[axis][0], swing[:, axis].min() - margin),
            max(sides[axis][1], swing[:, axis].max() + margin),
        ]
    # then each quarter of the ellipse as far as the clip goes in it
    quarters = {}
    for i, j in np.ndindex(2, 2):
        inside = swing[((swing[:, 0] > 0) == i) & ((swing[:, 1] > 0) == j)]
        reach = np.hypot(inside[:, 0] / sides[0][i], inside[:, 1] / sides[1][j])
        size = np.linalg.norm(inside, axis=1)
        quarters[i, j] = float(np.max(reach * (1.0 + margin / np.maximum(size, margin)), initial=1.0))
    grown = [[sides[0][i] * max(quarters[i, 0], quarters[i, 1]) for i in range(2)],
             [sides[1][j] * max(quarters[0, j], quarters[1, j]) for j in range(2)]]  # fmt: skip
    x, y = ((max(a, -FAR), min(b, FAR)) for a, b in grown)
    turn = (
        min(limits.twist[0], float(twist.min()) - margin),
        max(limits.twist[1], float(twist.max()) + margin),
    )
    return SwingTwist((float(x[0]), float(x[1])), (float(y[0]), float(y[1])), turn, limits.centre)


def mirrored(limits: SwingTwist, side: float) -> SwingTwist:
    """A left joint's limits for its side: +1 left, -1 right."""
    if side >= 0:
        return limits
    (a, b), (c, d), (w, x, y, z) = limits.swing_x, limits.twist, limits.centre
    return SwingTwist((-b, -a), limits.swing_y, (-d, -c), (w, -x, y, -z))


def written(limits: Limits) -> dict | list:
    """Limits as plain numbers in degrees."""
    if not isinstance(limits, SwingTwist):
        return [round(float(np.degrees(x)), 1) for x in limits]
    sides = {name: getattr(limits, name) for name in ("swing_x", "swing_y", "twist")}
    table: dict = {name: [round(float(np.degrees(x)), 1) for x in pair] for name, pair in sides.items()}
    if limits.centre != (1.0, 0.0, 0.0, 0.0):
        table["centre"] = [
            round(float(np.degrees(x)), 1) for x in quat.to_rotvec(np.array(limits.centre))[:2]
        ]
    return table

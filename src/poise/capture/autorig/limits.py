"""Joint limits: a human's by role, or wide ones, widened to what the clip does."""

from __future__ import annotations

import numpy as np

from poise.character.build import ball, degrees
from poise.character.character import SwingTwist
from poise.geometry import quat
from poise.geometry.linear import norm

MARGIN = np.radians(5)  # between the clip's own range and a limit
NEVER = 6.0  # [rad]: no swing is that far, so such a limit never acts
NECK_BALL = ball((-25, 25), (-30, 35), (-40, 40))
LEFT_BALLS = {  # of parts that the adult hangs on hinges, or has not
    "forearm": ball((-25, 25), (-150, 15), (-90, 90)),
    "shin": ball((-12, 12), (-12, 150), (-25, 25)),
    "clavicle": ball((-20, 30), (-20, 20), (-20, 20)),
}
WIDE_BALL, WIDE_HINGE = ball((-50, 50), (-50, 50), (-40, 40)), degrees(-60, 60)

Limits = SwingTwist | tuple[float, float]


def widened(limits: Limits, motion: np.ndarray, margin: float = MARGIN) -> Limits:
    """Limits that the clip stays inside of by a margin [rad]: quaternions (T, 4) of a ball, angles (T,) of a hinge."""
    return _ball(limits, motion, margin) if isinstance(limits, SwingTwist) else _pair(limits, motion, margin)


def _pair(bounds: tuple[float, float], values: np.ndarray, margin: float) -> tuple[float, float]:
    return min(bounds[0], float(values.min()) - margin), max(bounds[1], float(values.max()) + margin)


def _ball(limits: SwingTwist, motion: np.ndarray, margin: float) -> SwingTwist:
    swing, twist = quat.swing_twist(limits.from_centre(motion))
    # first as far as the clip goes along each axis alone,
    x, y = (list(_pair(pair, s, margin)) for pair, s in zip((limits.swing_x, limits.swing_y), swing.T))
    for i, j in np.ndindex(2, 2):  # then each quarter of the ellipse as far as it goes in it
        inside = swing[((swing[:, 0] > 0) == i) & ((swing[:, 1] > 0) == j)]
        away = np.maximum(norm(inside, axis=1), margin)
        reach = np.hypot(inside[:, 0] / x[i], inside[:, 1] / y[j]) * (1.0 + margin / away)
        grow = float(np.max(reach, initial=1.0))
        x[i], y[j] = grow * x[i], grow * y[j]
        if max(abs(x[i]), abs(y[j])) > NEVER:
            x[i], y[j] = (-NEVER, NEVER)[i], (-NEVER, NEVER)[j]
    return SwingTwist((x[0], x[1]), (y[0], y[1]), _pair(limits.twist, twist, margin), limits.centre)


def written(limits: Limits) -> dict | list:
    """Limits as plain numbers in degrees."""
    if not isinstance(limits, SwingTwist):
        return np.degrees(limits).round(1).tolist()
    table = {name: getattr(limits, name) for name in ("swing_x", "swing_y", "twist")}
    if limits.centre != (1.0, 0.0, 0.0, 0.0):
        table["centre"] = quat.to_rotvec(np.array(limits.centre))[:2]
    return {name: np.degrees(pair).round(1).tolist() for name, pair in table.items()}

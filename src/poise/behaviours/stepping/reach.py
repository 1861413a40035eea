"""The paper's swing: the foot reaches for its place on a straight way, with a Gaussian speed ([Stepping] 4.4.1)."""

from __future__ import annotations

import math

import numpy as np

from poise.behaviours.stepping.swing import LOW, PITCH, ROLL, SwingPath, approach

WIDTH = 0.08  # of the Gaussian, in the time of a step: eq. 3.1
SIGMAS = 3.0  # either side of mid-step, within which the foot is off the ground
LIFT, LAND = 0.5 - SIGMAS * WIDTH, 0.5 + SIGMAS * WIDTH  # of the step: both feet are down before and after
EDGE = math.exp(-0.5 * SIGMAS**2)  # of the Gaussian at its ends, taken off: the foot begins and ends at rest
AREA = WIDTH * math.sqrt(2 * math.pi) * math.erf(SIGMAS / math.sqrt(2)) - 2 * SIGMAS * WIDTH * EDGE


def reach(
    path: SwingPath,
    goal: np.ndarray,
    heading: float,
    share: float,
    T: float,
    lift: float,
    tilt: float,
    sink: float,
) -> None:
    """One tick of a swing at a share of a step of T seconds, up to ``lift`` [m]; then it sinks [m/s] for the ground.

    ``tilt`` is the least pitch that the ankle allows [rad].
    """
    e, e_dot, e_ddot, up, up_dot, up_ddot = bell(share)
    way = np.array([goal[0] - path.start[0], goal[1] - path.start[1], 0.0, _turn(heading - path.start[3])])
    at = [0, 1, 3]
    path.value[at] = path.start[at] + e * way[at]
    path.rate[at], path.acc[at] = e_dot / T * way[at], e_ddot / T**2 * way[at]
    left = max((LAND - share) * T, path.dt)
    for i, end in ((PITCH, max(path.slope, tilt)), (ROLL, path.roll)):
        path.value[i], path.rate[i], path.acc[i] = approach(
            path.value[i], path.rate[i], path.acc[i], end, left, path.dt, 0.0
        )
    path.falling, path.touch, path.share = share > 0.5, 0.0, (share - LIFT) / (LAND - LIFT)
    if share < LAND:
        path.value[LOW], path.rate[LOW], path.acc[LOW] = lift * up, lift * up_dot / T, lift * up_ddot / T**2
    else:
        path.value[LOW] -= sink * path.dt
        path.rate[LOW], path.acc[LOW] = -sink, 0.0
    path.done += path.dt


def bell(share: float) -> tuple[float, float, float, float, float, float]:
    """Part of the way gone, and of the lift reached, at a share of the step; each with two derivatives by it."""
    x = min(max(share, LIFT), LAND) - 0.5
    z = x / WIDTH
    g = math.exp(-0.5 * z * z)
    gone = WIDTH * math.sqrt(math.pi / 2) * (math.erf(z / math.sqrt(2)) + math.erf(SIGMAS / math.sqrt(2)))
    slope = -z / WIDTH * g
    up = (g - EDGE) / (1 - EDGE), slope / (1 - EDGE), (z * z - 1) / WIDTH**2 * g / (1 - EDGE)
    e = (gone - EDGE * (x + SIGMAS * WIDTH)) / AREA
    return e, (g - EDGE) / AREA, slope / AREA, *up


def _turn(angle: float) -> float:
    """The same angle, within half a revolution."""
    return (angle + math.pi) % (2 * math.pi) - math.pi

"""How near to the ground and to the captured roll of its feet a score keeps."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

Roll = tuple[
    tuple[float, float], tuple[float, float]
]  # shares of a stance; places on the sole, in half lengths
TREMBLE = 0.01  # [rad]: a heel that rises less stands


@dataclass(frozen=True)
class Manner:
    """What a clip's feet are allowed."""

    clearance: float = 0.045  # [m] of the lowest corner in mid-swing
    strike: float = 0.35  # [rad] that toes are up at the most when a heel lands
    toes: float = 0.0  # [rad] that a heel is up at the most when toes land first
    lie: float = 0.25  # [s] in which it then lies flat at the latest
    less: float = 0.10  # [rad] of a heel's rise that are not followed,
    soft: float = 0.0  # [rad] or from which on it is followed
    edge: float = 0.8  # where the pressure of a tilted sole is, in half lengths,
    steep: float = 0.1  # [rad] from which tilt on
    lean: int = 5  # every so many poses are asked how far the trunk leans for longer,
    near: float = 1e-5  # [rad, m] and poses are solved for to this
    aside: float = 0.2  # part of its half width that the pressure may use
    roll: Roll | None = (
        None  # how load goes over a sole that lies flat; it then goes evenly to the next foot, too
    )
    meets: bool = False  # whether a swing begins and ends with the speed of the rolling sole
    kinks: float = 6.0  # [Hz] cut-off of the filter that takes kinks out of fitted poses
    ahead: float = (
        0.0  # [s] before a foot is due, from which on load goes over: its heel strikes a little early
    )
    heel: float = 0.0  # [m] radius of the edges that soles roll over
    room: float = 0.0  # in heights that legs in the air keep from each other; 0 leaves them as captured,
    blunt: float = (
        0.0  # [m] radius of edges; where it counts, swings that the clip begins or ends in clear the ground
    )
    bounce: float = 0.0  # [Hz] up to which the body goes up and down as in the clip; 0 for all of it

    def rise(self, pitch: np.ndarray) -> np.ndarray:
        """Heel-off that is followed, for a captured pitch (k,) [rad]."""
        if not self.soft:
            return np.maximum(pitch - self.less, 0.0)
        up = np.where(pitch > TREMBLE, pitch, 0.0)
        return up * up / (up + self.soft)


CAREFUL = Manner(room=0.01, blunt=0.015, toes=0.45)
STRIDING = Manner(
    clearance=0.02,
    strike=0.5,
    soft=0.04,
    edge=1.0,
    steep=0.02,
    lean=1,
    near=1e-7,
    roll=((0.15, 0.62), (0.2, 0.96)),
    aside=0.03,
    lie=0.5,
    meets=True,
    bounce=4.0,
    kinks=10.0,
    heel=0.015,
    ahead=0.02,
)  # a walk on and on, as captured
AGAIN = replace(STRIDING, soft=0.0, less=TREMBLE)  # what was made so already

r"""How fast a foot and a centre of mass go along their paths in one step ([Stepping] 3.3, 3.4).

The step lasts from t0 to t3; the swing foot is off the ground from t1 to t2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from poise.geometry.easing import quintic

SPREAD = 6.0  # widths of the Gaussian that a swing lasts: w = 0.08 for a swing of 0.48 of a step (eq. 3.1)
COLLINEAR = 1e-3  # [m]: a curve that comes nearer to the pivot by less than this has no way there and back
EDGE = math.exp(-0.125 * SPREAD**2)  # of the Gaussian at the ends of a swing, taken off: it begins at rest
INSIDE = math.sqrt(2 * math.pi) / SPREAD * math.erf(0.5 * SPREAD / math.sqrt(2)) - EDGE


@dataclass(frozen=True)
class Timing:
    """Times of a step [s]: begin, foot up, foot down, end."""

    begin: float
    lift: float
    land: float
    end: float

    def scaled(self, seconds: float) -> Timing:
        """From zero, lasting so long, in the same proportions."""
        k = seconds / (self.end - self.begin)
        return Timing(0.0, k * (self.lift - self.begin), k * (self.land - self.begin), seconds)


def foot_progress(t: np.ndarray, timing: Timing) -> np.ndarray:
    r"""Part of the way (0 to 1) that the swing foot has gone: integral of eq. 3.1 from foot up to foot down.

    .. math:: V_f = a\, e^{-(x - 0.5)^2 / 2 w^2}

    with a such that the area is the distance.
    """
    x = np.clip((np.asarray(t, float) - timing.lift) / (timing.land - timing.lift), 0.0, 1.0)
    z = SPREAD * (x - 0.5) / math.sqrt(2)
    erf = np.array([math.erf(a) for a in np.atleast_1d(z)]).reshape(np.shape(z))
    area = math.sqrt(2 * math.pi) / SPREAD * 0.5 * (erf + math.erf(0.5 * SPREAD / math.sqrt(2))) - EDGE * x
    return area / INSIDE


@dataclass(frozen=True)
class Fall:
    """Speeds towards the pivot at foot up and foot down [m/s], and the accelerations m1, m2, m3 (Fig. 3.2) [m/s²]."""

    up: float
    down: float
    push: float
    fall: float
    landing: float


def fall(timing: Timing, towards: float, away: float) -> Fall:
    r"""Three phases of constant acceleration whose areas are the ways to the pivot and back (Fig. 3.2).

    The speed grows from zero to u at foot up, falls evenly through zero to -d at foot down, and dies out. With swing
    time s, the zero lies a part u / (u + d) into the swing, so that

    .. math:: A_0 = \tfrac12 u (t_1 - t_0 + s\tfrac{u}{u + d}), \quad A_1 = \tfrac12 d (t_3 - t_2 + s\tfrac{d}{u + d})

    are the ways ``towards`` and ``away`` [m].
    """
    push, s, land = timing.lift - timing.begin, timing.land - timing.lift, timing.end - timing.land

    def gap(share: float) -> float:
        """With u = share k, d = (1 - share) k, both areas give a k; they must agree."""
        return towards * (1 - share) * (land + s * (1 - share)) - away * share * (push + s * share)

    low, high = 0.0, 1.0  # gap falls from positive to negative
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if gap(middle) > 0 else (low, middle)
    share = 0.5 * (low + high)
    k = 2 * (towards + away) / (share * (push + s * share) + (1 - share) * (land + s * (1 - share)))
    u, d = share * k, (1 - share) * k
    return Fall(u, -d, u / push, -(u + d) / s, d / land)


def com_path(
    t: np.ndarray, timing: Timing, start: np.ndarray, pivot: np.ndarray, end: np.ndarray
) -> np.ndarray:
    """Where the centre of mass should be (n, 2) [m]: on the Bézier curve over the pivot, as far as the speeds say.

    Args:
        t: Times (n,) [s].
        start, pivot, end: Control points (2,) of the curve, seen from above [m].
    """
    u = _parameter(np.asarray(t, float), timing, start, pivot, end)[:, None]
    return (1 - u) ** 2 * start + 2 * u * (1 - u) * pivot + u**2 * end


def _parameter(
    t: np.ndarray, timing: Timing, start: np.ndarray, pivot: np.ndarray, end: np.ndarray
) -> np.ndarray:
    """Parameter of the curve at each time, 0 to 1."""
    a, b = pivot - start, pivot - end
    sizes = np.linalg.norm(a), np.linalg.norm(b)
    n = a / max(sizes[0], 1e-9) + b / max(sizes[1], 1e-9)  # both legs of the curve lead along it
    n /= max(float(np.linalg.norm(n)), 1e-9)
    rise, drop = float(a @ n), float(b @ n)
    if min(rise, drop) < COLLINEAR:  # straight past the pivot: nothing falls away from it
        return quintic((t - timing.begin) / (timing.end - timing.begin))
    top = rise / (rise + drop)  # where the curve comes nearest to the pivot
    found = fall(timing, rise * top, drop * (1 - top))
    turn = timing.lift + found.up / -found.fall
    left = _left(t, timing, found, turn)
    return np.where(t <= turn, top - np.sqrt(left / (rise + drop)), top + np.sqrt(left / (rise + drop)))


def _left(t: np.ndarray, timing: Timing, f: Fall, turn: float) -> np.ndarray:
    """Way towards the pivot still to go at each time, or already come back [m]."""
    t = np.clip(t, timing.begin, timing.end)
    pushing = 0.5 * f.up * (timing.lift - timing.begin) - 0.5 * f.push * (t - timing.begin) ** 2
    falling = -0.5 * f.fall * (t - turn) ** 2
    total = 0.5 * -f.down * (timing.end - timing.land)
    landing = total - 0.5 * f.landing * (timing.end - t) ** 2
    before, after = -0.5 * f.fall * (timing.lift - turn) ** 2, -0.5 * f.fall * (timing.land - turn) ** 2
    return np.where(t < timing.lift, before + pushing, np.where(t <= timing.land, falling, after + landing))

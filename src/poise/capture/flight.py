"""Flights: while nothing touches, the centre of mass falls with g; that ties the unit to the frame rate."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from poise.capture.anatomy.shares import centre as centre_of
from poise.capture.scan import Scan
from poise.geometry.linear import norm, times
from poise.motion.parts import runs

BASES = (5, 20, 50)  # percentiles of the lowest point that may be the floor
ALOFT = 0.02  # how far above it a flight begins, in leg lengths
FLIGHT_FRAMES = 5  # frames of a flight
RISE = 0.012  # depth of the parabola, in leg lengths
FIT = 0.015  # rms of what the parabola leaves, part of its depth
DRIFT = 0.35  # sideways acceleration, part of the fall
STIR = 0.5  # every point moves by this part of the depth at least
TRIM = 0.12  # part of a flight left out at either end


@dataclass(frozen=True)
class Flight:
    """Frames first to last without contact, and how the centre of mass falls [file units per frame²]."""

    first: int
    last: int
    fall: float
    misfit: float

    @property
    def frames(self) -> int:
        return self.last - self.first + 1


def find(scan: Scan, up: np.ndarray) -> list[Flight]:
    """Flights of the clip; empty where it has none that is clear."""
    if scan.raw.markers or scan.limbs.legs is None or len(scan.raw) - scan.first < 2 * FLIGHT_FRAMES:
        return []
    centre, points = centre_of(scan.limbs, scan.raw.points)[scan.first :], scan.points[scan.first :]
    low = (times(points, up)).min(axis=1)
    best: dict[int, Flight] = {}
    for base in BASES:
        level = np.percentile(low, base) + ALOFT * scan.reach
        for first, past in runs(low > level):
            flight = _fit(centre, points, up, first, past - 1, scan.reach)
            if flight is not None:
                known = next((k for k in best if first <= k < past), (first + past - 1) // 2)
                if known not in best or flight.misfit < best[known].misfit:
                    best[known] = flight
    return [replace(f, first=f.first + scan.first, last=f.last + scan.first) for _, f in sorted(best.items())]


def _fit(
    centre: np.ndarray, points: np.ndarray, up: np.ndarray, first: int, last: int, reach: float
) -> Flight | None:
    trim = int(np.ceil(TRIM * (last - first + 1)))
    a, b = first + trim, last - trim
    if b - a + 1 < FLIGHT_FRAMES or first == 0 or last == len(centre) - 1:
        return None  # a flight that the clip cuts may be no flight
    t = np.arange(a, b + 1) - 0.5 * (a + b)
    curve = np.polynomial.polynomial.polyfit(t, centre[a : b + 1], 2)
    rest = centre[a : b + 1] - times(np.stack([np.ones_like(t), t, t**2], axis=1), curve)
    fall = -2.0 * float(times(curve[2], up))
    sideways = 2.0 * norm(curve[2] + 0.5 * fall * up)
    depth = fall * (b - a) ** 2 / 8.0
    misfit = float(np.sqrt(np.mean((times(rest, up)) ** 2)) / max(depth, 1e-12))
    if depth < RISE * reach or misfit > FIT or sideways > DRIFT * fall:
        return None
    if norm(np.ptp(points[a : b + 1], axis=0), axis=-1).min() < STIR * depth:
        return None  # a point that stays where it is holds the body up
    return Flight(first, last, fall, misfit)

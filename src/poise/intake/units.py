"""Metres per unit: the size of the skeleton against a human's, and flights against g."""

from __future__ import annotations

import numpy as np

from poise.intake import rate
from poise.intake.flight import Flight
from poise.intake.scan import Scan

UNITS = {
    "metres": 1.0,
    "feet": 0.3048,
    "decimetres": 0.1,
    "CMU units (0.45 of them to an inch)": 0.0254 / 0.45,
    "inches": 0.0254,
    "centimetres": 0.01,
    "millimetres": 0.001,
}
METRIC = ("metres", "centimetres", "millimetres")
STATURE = 1.7  # m
LEG_PART = 0.491  # thigh and shank of a human, part of stature
TALLER, SHORTER = 0.15, 0.30  # how much log stature varies: children are common, giants are not
HUMAN = (1.2, 2.2)  # m, statures that raise no doubt
BEAST = 0.8  # m, leg of what stands on all fours: from cats to horses within a factor of ten
SNAP = 0.25  # a unit is the one that flights want when it is this near


def stature(scan: Scan) -> float:
    """Stature of a human with these thighs and shanks, the two longest bones of each leg [file units].

    Without legs, as for markers: how far the points reach, which is a little less than the stature of one who stands.
    """
    if scan.body.legs is None:
        return float(np.median(np.ptp(scan.points[scan.some], axis=1).max(axis=-1)))
    bones = [np.sort(scan.lengths[list(leg.chain)])[-2:].sum() for leg in scan.body.legs]
    return float(np.mean(bones)) / LEG_PART


def doubt(size: float) -> float:
    """How odd a stature is [standard deviations of its logarithm]."""
    off = float(np.log(size / STATURE))
    return abs(off) / (TALLER if off > 0 else SHORTER)


def guess(scan: Scan, flights: list[Flight], fours: bool) -> tuple[float, str]:
    """Metres per unit and why."""
    tall = stature(scan)
    if not tall > 0 or not np.isfinite(tall):
        return 1.0, "the skeleton has no size; metres assumed"
    said = {} if scan.raw.unit is None else {"the unit that the file names": scan.raw.unit}
    units = said | UNITS
    if fours:
        return _beast(tall * LEG_PART, units)
    name = min(units, key=lambda n: doubt(tall * units[n]))
    size = tall * units[name]
    told = f"thigh and shank make a human of {size:.2f} m in {name}"
    if scan.body.legs is None:
        told = f"the points reach over {size:.2f} m in {name}"
    if HUMAN[0] <= size <= HUMAN[1]:
        return units[name], told
    hz = None if scan.raw.hz is None else rate.header(scan.raw.hz)
    dropped = rate.fall(flights, 1.0)
    if hz is not None and dropped is not None:
        return _by_flight(rate.G / (dropped * hz**2), units)
    return units[name], f"{told}; an odd size, but every other unit gives an odder one"


def _beast(leg: float, units: dict[str, float]) -> tuple[float, str]:
    name = min(METRIC, key=lambda n: abs(np.log(leg * units[n] / BEAST)))
    return units[name], f"it stands on all fours, on legs of {leg * units[name]:.2f} m in {name}"


def _by_flight(wanted: float, units: dict[str, float]) -> tuple[float, str]:
    """The unit with which flights fall with g at the header's rate."""
    name = min(units, key=lambda n: abs(np.log(units[n] / wanted)))
    told = f"no unit makes it the size of a human; flights fall with g at {wanted:.4g} m"
    if abs(units[name] / wanted - 1) < SNAP:
        return units[name], f"{told}, which is near {name}"
    return wanted, told

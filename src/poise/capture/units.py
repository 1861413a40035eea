"""Metres per unit: the size of the skeleton against a human's, and flights against g."""

from __future__ import annotations

import numpy as np

from poise.capture import rate
from poise.capture.flight import Flight
from poise.capture.scan import Scan

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
USUAL_STATURE = 1.7  # m
LEG_PART = 0.491  # thigh and shank of a human, part of stature
TALLER, SHORTER = 0.15, 0.30  # how much log stature varies: children are common, giants are not
HUMAN = (1.2, 2.2)  # m, statures that raise no doubt
ARM_OVER_LEG = (0.45, 1.0)  # arms over legs of humans, cartoons among them
BEAST = 0.45  # m, thigh and shank of what is no human: units stay apart from 0.14 (a cat: 0.2) to 1.4 (a horse: 0.9)
SNAP = 0.25  # a unit is the one that flights want when it is this near


def stature(scan: Scan) -> float:
    """Stature of a human with these thighs and shanks, the two longest bones of each leg [file units].

    Without legs, as for markers: how far the points reach, which is a little less than the stature of one who stands.
    """
    if scan.limbs.legs is None:
        return float(np.median(np.ptp(scan.points[scan.some], axis=1).max(axis=-1)))
    return scan.limbs.tree.span(scan.limbs.legs) / LEG_PART


def doubt(size: float) -> float:
    """How odd a stature is [standard deviations of its logarithm]."""
    off = float(np.log(size / USUAL_STATURE))
    return abs(off) / (TALLER if off > 0 else SHORTER)


def guess(scan: Scan, flights: list[Flight]) -> tuple[float, str]:
    """Metres per unit and why."""
    tall = stature(scan)
    if not tall > 0 or not np.isfinite(tall):
        return 1.0, "the skeleton has no size; metres assumed"
    units = {} if scan.raw.unit is None else {"the unit that the file names": scan.raw.unit}
    units |= UNITS
    hz = None if scan.raw.hz is None else rate.header(scan.raw.hz)
    dropped = rate.fall(flights, 1.0)
    wanted = None if hz is None or dropped is None else rate.G / (dropped * hz**2)
    if scan.on_all_fours or not (scan.raw.markers or is_human(scan)):
        return _beast(tall * LEG_PART, scan.on_all_fours) if wanted is None else _by_flight(wanted, units)
    name = min(units, key=lambda n: doubt(tall * units[n]))
    size = tall * units[name]
    told = f"thigh and shank make a human of {size:.2f} m in {name}"
    if scan.limbs.legs is None:
        told = f"the points reach over {size:.2f} m in {name}"
    if HUMAN[0] <= size <= HUMAN[1]:
        return units[name], told
    if wanted is not None:
        return _by_flight(wanted, units)
    return units[name], f"{told}; an odd size, but every other unit gives an odder one"


def is_human(scan: Scan) -> bool:
    """Whether arms are to legs as a human's, by the two longest bones of each."""
    limbs = scan.limbs
    if limbs.legs is None or limbs.arms is None:
        return False
    leg, arm = limbs.tree.span(limbs.legs), limbs.tree.span(limbs.arms)
    return bool(ARM_OVER_LEG[0] * leg < arm < ARM_OVER_LEG[1] * leg)


def _beast(leg: float, fours: bool) -> tuple[float, str]:
    name = min(METRIC, key=lambda n: abs(np.log(leg * UNITS[n] / BEAST)))
    what = "it stands on all fours" if fours else "it is no human by its limbs"
    told = f"{what}; its legs are {leg * UNITS[name]:.2f} m in {name}, other than metric units not tried"
    return UNITS[name], told


def _by_flight(wanted: float, units: dict[str, float]) -> tuple[float, str]:
    """The unit with which flights fall with g at the header's rate."""
    name = min(units, key=lambda n: abs(np.log(units[n] / wanted)))
    told = f"it has not the size of a human; flights fall with g at {wanted:.4g} m"
    if abs(units[name] / wanted - 1) < SNAP:
        return units[name], f"{told}, which is near {name}"
    return wanted, told

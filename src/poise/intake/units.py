"""Metres per unit: the size of the skeleton against a human's."""

from __future__ import annotations

import numpy as np

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
STATURE = 1.7  # m
LEG_PART = 0.491  # thigh and shank of a human, part of stature
HUMAN = (1.2, 2.15)  # m, statures that raise no doubt


def stature(scan: Scan) -> float:
    """Stature of a human with these thighs and shanks [file units]: the two longest bones of each leg."""
    if scan.body.legs is None:
        return float(np.ptp(scan.raw.points[scan.some], axis=1).max(axis=-1).mean())
    bones = [np.sort(scan.lengths[list(leg.chain)])[-2:].sum() for leg in scan.body.legs]
    return float(np.mean(bones)) / LEG_PART


def guess(scan: Scan) -> tuple[float, str]:
    """Metres per unit and why."""
    tall = stature(scan)
    if tall <= 0:
        return 1.0, "the skeleton has no size"
    name = min(UNITS, key=lambda n: abs(np.log(tall * UNITS[n] / STATURE)))
    size = tall * UNITS[name]
    told = f"thigh and shank make a human of {size:.2f} m if lengths are in {name}"
    if not HUMAN[0] <= size <= HUMAN[1]:
        told += "; no common unit gives a usual size, this is the nearest"
    return UNITS[name], told

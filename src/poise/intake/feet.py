"""Feet and facing: where a leg turns into a foot, and which way the toes point."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise.geometry import quat
from poise.intake.axes import upright
from poise.intake.scan import Scan

FLAT = 0.7  # a bone whose slope is less (sine to the floor) is part of a foot
LEG = 0.6  # part of a leg that is leg for certain
CALM = 0.3  # part of the frames, the most upright, that show how the body stands


@dataclass(frozen=True)
class Foot:
    """Points of one foot: the joint it turns about, and what touches the floor in front (joints, tip last)."""

    heel: int
    toes: tuple[int, ...]


def standing_frames(scan: Scan, up: np.ndarray) -> np.ndarray:
    """The frames in which the body is most upright."""
    slope = upright(scan, scan.some) @ up
    count = max(1, int(CALM * len(slope)))
    return np.sort(scan.some[np.argsort(-slope, kind="stable")[:count]])


def find(scan: Scan, up: np.ndarray) -> tuple[Foot, ...]:
    """A foot for each leg; a leg that ends in no flat bone has its tip as heel and no toes."""
    if scan.body.legs is None:
        return ()
    points = scan.raw.points[standing_frames(scan, up)]
    return tuple(_foot(points[:, list(leg.chain)], leg.chain, up) for leg in scan.body.legs)


def _foot(points: np.ndarray, chain: tuple[int, ...], up: np.ndarray) -> Foot:
    bones = np.diff(points, axis=1)
    lengths = np.linalg.norm(bones, axis=-1).mean(axis=0)
    slope = np.abs(bones @ up).mean(axis=0) / np.maximum(lengths, 1e-12)
    passed = np.cumsum(lengths) - lengths
    for k in range(len(lengths)):
        if passed[k] >= LEG * lengths.sum() and slope[k] < FLAT and lengths[k] > 0:
            return Foot(chain[k], chain[k + 1 :])
    return Foot(chain[-1], ())


def pelvis(scan: Scan) -> int:
    """The joint that the legs hang on."""
    if scan.body.legs is None:
        return 0
    return max(0, int(scan.body.parents[scan.body.legs[0].chain[0]]))


def forward(scan: Scan, up: np.ndarray, feet: tuple[Foot, ...]) -> tuple[np.ndarray, str]:
    """Where the body faces, as a direction in the frame of its pelvis, and why."""
    frames = standing_frames(scan, up)
    points, turned = scan.raw.points[frames], scan.raw.world[1][frames, pelvis(scan)]
    vector, why = _seen(scan, points, up, feet)
    flat = vector - (vector @ up)[:, None] * up
    inside = quat.rotate(quat.conjugate(turned), flat)
    mean = np.median(inside / np.maximum(np.linalg.norm(inside, axis=-1, keepdims=True), 1e-12), axis=0)
    size = float(np.linalg.norm(mean))
    if size < 0.3:
        return np.zeros(3), "no clear direction"
    return mean / size, why


def _seen(scan: Scan, points: np.ndarray, up: np.ndarray, feet: tuple[Foot, ...]) -> tuple[np.ndarray, str]:
    """Directions (T, 3): along a trunk that lies level, else along the feet."""
    legs, arms = scan.body.legs, scan.body.arms
    if legs is not None and arms is not None:
        starts = [points[:, [limb.chain[0] for limb in pair]].mean(axis=1) for pair in (legs, arms)]
        trunk = starts[1] - starts[0]
        slope = np.abs(trunk @ up) / np.maximum(np.linalg.norm(trunk, axis=-1), 1e-12)
        if np.median(slope) < 0.5:
            return trunk, "the trunk is level: from hind to front limbs"
    toed = [foot for foot in feet if foot.toes]
    if toed:
        return sum(
            points[:, f.toes[-1]] - points[:, f.heel] for f in toed
        ), "the feet point there, ankle to toe"
    return np.zeros((len(points), 3)), "nothing tells the front"

"""Feet and facing: where a leg turns into a foot, and which way the toes point."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise.capture import sides
from poise.capture.axes import at_rest, on_all_fours, upright
from poise.capture.scan import Scan
from poise.geometry import quat

FLAT = 0.8  # a bone whose slope is less (sine to the floor) is part of a foot
STANDS = 0.9  # a rest pose so upright shows the feet flat
OFTEN = 30  # percent of the frames in which it must be
LEG = 0.6  # part of a leg that is leg for certain
CLEAR = 0.3  # length of the mean of unit vectors that agree
FLEETING = 0.01  # leg lengths; shorter directions say nothing
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
    legs = scan.body.legs
    if legs is None:
        return ()
    size = min(len(leg.chain) for leg in legs)
    slope, lengths = _slopes(scan, scan.points[standing_frames(scan, up)], size, up)
    rest = at_rest(scan)
    if upright(rest, np.array([0]))[0] @ up > STANDS:
        slope = np.maximum(slope, _slopes(rest, rest.points, size, up)[0])
    passed = np.cumsum(lengths) - lengths
    foot = (passed >= LEG * lengths.sum()) & (slope < FLAT) & (lengths > 0)
    ankle = int(np.argmax(foot)) if foot.any() else size - 1
    return tuple(Foot(leg.chain[ankle], leg.chain[ankle + 1 :]) for leg in legs)


def _slopes(scan: Scan, points: np.ndarray, size: int, up: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How steep each bone of the legs often is (0: level, 1: upright), and how long."""
    bones = np.concatenate(
        [np.diff(points[:, list(leg.chain[:size])], axis=1) for leg in scan.body.legs or ()]
    )
    lengths = np.linalg.norm(bones, axis=-1)
    steep = np.abs(bones @ up) / np.maximum(lengths, 1e-12)
    return np.percentile(steep, OFTEN, axis=0), lengths.mean(axis=0)


def pelvis(scan: Scan) -> int:
    """The joint that the legs hang on."""
    if scan.body.legs is None:
        return 0
    return max(0, int(scan.body.parents[scan.body.legs[0].chain[0]]))


def forward(scan: Scan, up: np.ndarray, feet: tuple[Foot, ...]) -> tuple[np.ndarray | None, str]:
    """Where the body faces, as a direction in the frame of its pelvis, and why; None where nothing tells.

    Square to the line between the hips, to the side to which feet (or knees, or the trunk on all fours) point.
    """
    frames = standing_frames(scan, up)
    points, turned = scan.points[frames], quat.conjugate(scan.raw.world[1][frames, pelvis(scan)])
    vector, why = _seen(scan, points, up, feet)
    flat = vector - (vector @ up)[:, None] * up
    size = np.linalg.norm(flat, axis=-1, keepdims=True)
    mean = np.median(quat.rotate(turned, flat / np.maximum(size, 1e-12)), axis=0)
    if np.linalg.norm(mean) < CLEAR or np.median(size) < FLEETING * scan.reach:
        return None, f"nothing clear ({why})"
    upwards = np.median(quat.rotate(turned, up), axis=0)
    square = np.cross(np.median(quat.rotate(turned, _across(scan, points)), axis=0), upwards)
    if (
        np.linalg.norm(square) < FLEETING * scan.reach
        or abs(square @ mean) < 0.5 * np.linalg.norm(square) * CLEAR
    ):
        return mean / np.linalg.norm(mean), why
    return np.sign(square @ mean) * square / np.linalg.norm(square), f"square to the hips; {why}"


def _across(scan: Scan, points: np.ndarray) -> np.ndarray:
    """From one hip to the other (T, 3): the first points of the legs that are apart."""
    assert scan.body.legs is not None
    one, two = (leg.chain for leg in scan.body.legs)
    for a, b in zip(one, two):
        apart = points[:, a] - points[:, b]
        if np.median(np.linalg.norm(apart, axis=-1)) > FLEETING * scan.reach:
            return apart
    return np.zeros((len(points), 3))


def mirrored(scan: Scan, up: np.ndarray, ahead: np.ndarray) -> bool:
    """Whether names say left where the front says right: a file with swapped names, or of a left-handed world."""
    frames = standing_frames(scan, up)
    points, turned = scan.points[frames], scan.raw.world[1][frames, pelvis(scan)]
    named = sides.ahead(scan, _across(scan, points), up)
    if named is None or on_all_fours(scan):
        return False
    return bool(np.median(np.sum(named * quat.rotate(turned, ahead), axis=-1)) < 0)


def travel(scan: Scan, up: np.ndarray) -> np.ndarray | None:
    """Direction in which the body moves over the clip (3,), level; None when it hardly does."""
    middle = scan.points[scan.some].mean(axis=1)
    way = middle[-1] - middle[0]
    way = way - (way @ up) * up
    size = float(np.linalg.norm(way))
    return way / size if size > scan.reach else None


def _seen(scan: Scan, points: np.ndarray, up: np.ndarray, feet: tuple[Foot, ...]) -> tuple[np.ndarray, str]:
    """Directions (T, 3): along a trunk on all fours, else along feet, else by left and right, else as knees bend."""
    legs, arms = scan.body.legs, scan.body.arms
    if legs is None:
        return np.zeros((len(points), 3)), "no legs to tell the front"
    if arms is not None and on_all_fours(scan):
        starts = [points[:, [limb.chain[0] for limb in pair]].mean(axis=1) for pair in (legs, arms)]
        return starts[1] - starts[0], "it stands on all fours: from hind to front limbs"
    toed = [foot for foot in feet if foot.toes]
    if toed:
        toes = np.sum([points[:, f.toes[-1]] - points[:, f.heel] for f in toed], axis=0)
        return toes, "the feet point there, ankle to toe"
    named = sides.ahead(scan, _across(scan, points), up)
    if named is not None:
        return named, "by the names of left and right"
    return _knees(scan, points), "the knees bend that way"


def _knees(scan: Scan, points: np.ndarray) -> np.ndarray:
    """From the line between hip and foot to the knee, summed over the legs."""
    assert scan.body.legs is not None
    total = np.zeros((len(points), 3))
    for leg in scan.body.legs:
        lengths = scan.lengths[list(leg.chain)]
        upper = int(np.sort(np.argsort(-lengths, kind="stable")[:2])[0])
        knee, foot, hip = leg.chain[upper], leg.chain[-1], leg.chain[max(upper - 1, 0)]
        part = lengths[upper] / max(float(lengths[upper:].sum()), 1e-12)
        total += points[:, knee] - (1 - part) * points[:, hip] - part * points[:, foot]
    return total

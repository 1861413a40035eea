"""The missing thorax bone of the common CMU conversion: neck and both shoulders start where the thorax starts.

In the skeletons they were converted from, a bone about as long as the one below it lies between. Without it arms, neck
and head are some 0.12 m too low.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise.capture.scan import Scan

SHORT = 0.62  # hips to shoulders over thigh and shank: the conversions have 0.39 to 0.54, and 0.14 more when repaired


@dataclass(frozen=True, eq=False)
class Missing:
    """The joint whose bone is missing, its children that need it, and the bone in the joint's frame [file units]."""

    joint: int
    children: tuple[int, ...]
    bone: np.ndarray


def find(scan: Scan) -> tuple[Missing | None, str]:
    """The missing bone, if it is, and why."""
    body, raw = scan.body, scan.raw
    if raw.markers or body.legs is None or body.arms is None:
        return None, "no legs and arms to compare"
    joint = int(body.parents[body.arms[0].chain[0]])
    parents, offsets = raw.bvh.parents, raw.bvh.offsets
    children = [int(k) for k in np.flatnonzero(parents == joint)]
    at_start = [k for k in children if np.linalg.norm(offsets[k]) < 1e-3 * scan.reach]
    size = float(np.linalg.norm(offsets[joint]))
    shoulders, hips = ({limb.chain[0] for limb in pair} for pair in (body.arms, body.legs))
    if not shoulders < set(at_start) or parents[joint] < 0 or size == 0:
        return None, "neck and shoulders do not start where their parent does"
    if any(np.linalg.norm(offsets[k]) > 1e-3 * scan.reach for k in hips):
        return None, "the hips are apart: not the conversion that drops the thorax"
    ratio = _trunk(scan) / _legs(scan)
    told = (
        f"neck and shoulders start at '{raw.bvh.names[joint]}' itself, and the trunk is {ratio:.2f} of thigh and "
        f"shank (human: about 0.6)"
    )
    if ratio > SHORT:
        return None, told
    along = np.zeros(3)
    k = int(np.argmax(np.abs(offsets[joint])))
    along[k] = np.sign(offsets[joint][k])
    return Missing(joint, tuple(at_start), along * size), told


def _legs(scan: Scan) -> float:
    """Thigh and shank: the two longest bones of a leg."""
    assert scan.body.legs is not None
    return float(np.mean([np.sort(scan.lengths[list(leg.chain)])[-2:].sum() for leg in scan.body.legs]))


def _trunk(scan: Scan) -> float:
    """From the hips to the shoulders, along the bones: where the two longest bones of leg and arm begin."""
    legs, arms = scan.body.legs, scan.body.arms
    assert legs is not None and arms is not None
    ends = []
    for pair in (legs, arms):
        for limb in pair:
            bones = scan.lengths[list(limb.chain)]
            first = int(np.sort(np.argsort(-bones, kind="stable")[:2])[0])
            ends.append(limb.chain[max(first - 1, 0)])
    at = scan.raw.bvh.offsets
    return _height(scan, at, ends[2:]) - _height(scan, at, ends[:2])


def _height(scan: Scan, offsets: np.ndarray, points: list[int]) -> float:
    """Mean height of points above the pelvis in the zero pose, along the bone that leads to the arms."""
    joint = int(scan.body.parents[scan.body.arms[0].chain[0]]) if scan.body.arms else 0
    up = offsets[joint] / max(float(np.linalg.norm(offsets[joint])), 1e-12)
    total = 0.0
    for point in points:
        k = point
        while k > 0:
            total += float(offsets[k] @ up)
            k = int(scan.raw.bvh.parents[k])
    return total / len(points)

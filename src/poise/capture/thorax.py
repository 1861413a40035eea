"""The missing thorax bone of the common CMU conversion: neck and both shoulders start where the thorax starts.

In the skeletons they were converted from, a bone about as long as the one below it lies between. Without it arms, neck
and head are some 0.12 m too low.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise.capture.anatomy.limbs import Limbs
from poise.capture.scan import Scan
from poise.geometry.linear import norm, times

SHORT_TRUNK = 0.62  # hips to shoulders over thigh and shank: conversions have 0.39 to 0.54


@dataclass(frozen=True, eq=False)
class Missing:
    """The joint whose bone is missing, its children that need it, and the bone in the joint's frame [file units]."""

    joint: int
    children: tuple[int, ...]
    bone: np.ndarray


def find(scan: Scan) -> tuple[Missing | None, str]:
    """The missing bone, if it is, and why."""
    limbs, raw = scan.limbs, scan.raw
    if raw.markers or limbs.legs is None or limbs.arms is None:
        return None, "no legs and arms to compare"
    joint = limbs.node(limbs.arms)
    parents, offsets = raw.bvh.parents, np.concatenate([raw.bvh.offsets, raw.bvh.ends])
    children = [int(k) for k in np.flatnonzero(parents == joint)]
    at_start = [k for k in children if norm(offsets[k]) < 1e-3 * scan.reach]
    size = float(norm(offsets[joint]))
    shoulders, hips = ({chain[0] for chain in pair} for pair in (limbs.arms, limbs.legs))
    if not shoulders < set(at_start) or parents[joint] < 0 or size == 0:
        return None, "neck and shoulders do not start where their parent does"
    if any(norm(offsets[k]) > 1e-3 * scan.reach for k in hips):
        return None, "the hips are apart: not the conversion that drops the thorax"
    ratio = _trunk(limbs, offsets, joint) / limbs.tree.span(limbs.legs)
    told = (
        f"neck and shoulders start at '{raw.bvh.names[joint]}' itself, and the trunk is {ratio:.2f} of thigh and "
        f"shank (human: about 0.6)"
    )
    if ratio > SHORT_TRUNK:
        return None, told
    k = int(np.argmax(np.abs(offsets[joint])))
    return Missing(joint, tuple(at_start), np.sign(offsets[joint][k]) * size * np.eye(3)[k]), told


def _trunk(limbs: Limbs, offsets: np.ndarray, joint: int) -> float:
    """From hips to shoulders, where the long bones begin, in the zero pose along the bone that leads to the arms."""
    up = offsets[joint] / max(float(norm(offsets[joint])), 1e-12)
    heights = []
    for pair in limbs.pairs[:2]:
        starts = [chain[max(limbs.tree.long_bones(chain)[0] - 1, 0)] for chain in pair]
        heights.append(np.mean([(times(offsets[list(limbs.tree.path(k)[1:])], up)).sum() for k in starts]))
    return float(heights[1] - heights[0])

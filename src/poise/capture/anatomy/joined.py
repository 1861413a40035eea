"""Joints that a bone goes straight on through: exports of animation tools cut a thigh or an arm into two or three."""

from __future__ import annotations

import numpy as np

from poise.capture.anatomy import names as said
from poise.geometry import quat
from poise.geometry.linear import norm

LONG = "thigh", "shin", "upper_arm", "forearm"  # bones that are cut
STRAIGHT = np.cos(np.radians(4.0))  # between both parts of a bone, at any time
LOOKED_AT = 200  # frames, about


def through(
    names: tuple[str, ...], parents: np.ndarray, offsets: np.ndarray, rotations: np.ndarray
) -> list[int]:
    """Joints, parents first, that are named as the long bone above them, or as twists, and never bend.

    Args:
        names: Of the joints.
        parents: (J,) of each, -1 for the root.
        offsets: (J, 3) each in its parent's frame.
        rotations: (T, J, 4) each in its parent's frame.
    """
    some = rotations[:: max(1, len(rotations) // LOOKED_AT)]
    onward = {int(p): j for j, p in enumerate(parents) if p >= 0 and not said.helper(names[j])}
    found = []
    for j, parent in enumerate(parents):
        if parent < 0 or parents[parent] < 0 or j not in onward or not _named_alike(names, j, int(parent)):
            continue
        before, after = offsets[j], quat.rotate(some[:, j], offsets[onward[j]])
        size = norm(before) * norm(offsets[onward[j]])
        if size > 0 and float((after @ before).min()) > STRAIGHT * size:
            found.append(j)
    return found


def _named_alike(names: tuple[str, ...], joint: int, parent: int) -> bool:
    """Whether a joint's name says that it is more of the bone above it: ``thigh.L.001`` below ``thigh.L``."""
    part, above = said.part(names[joint]), said.part(names[parent])
    return above in LONG and said.side(names[joint]) == said.side(names[parent]) and (
        part == above or (said.helper(names[joint], tips=False) and part in ("", above))
    )  # fmt: skip

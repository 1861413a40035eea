"""Which bodies of a rig run into each other where they should not: at rest, or often in the clip."""

from __future__ import annotations

from collections import Counter

import mujoco
import numpy as np

from poise.character.character import Character
from poise.motion.collide import closer

OFTEN = 0.1  # of the frames
DEEP = 0.015  # [m]
LOOKED_AT = 60  # frames


def touching(character: Character, poses: np.ndarray) -> set[tuple[str, str]]:
    """Pairs of bodies that touch at rest, or are deep in each other in many of the poses (T, nq)."""
    model, data = character.model, mujoco.MjData(character.model)
    some = poses[:: max(1, len(poses) // LOOKED_AT)]
    counts = Counter(pair for q in some for pair in closer(model, data, q, -DEEP))
    often = {pair for pair, count in counts.items() if count > OFTEN * len(some)}
    return often | closer(model, data, character.q_rest, 0.0)

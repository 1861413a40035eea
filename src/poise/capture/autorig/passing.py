"""Which bodies of a rig run into each other where they should not: at rest, or often in the clip."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mujoco
import numpy as np

if TYPE_CHECKING:
    from poise.character.character import Character

OFTEN = 0.1  # of the frames
DEEP = 0.015  # [m]
LOOKED_AT = 60  # frames


def touching(character: Character, poses: np.ndarray) -> set[tuple[str, str]]:
    """Pairs of bodies that touch at rest, or are deep in each other in many of the poses (T, nq)."""
    model, data = character.model, mujoco.MjData(character.model)
    some = poses[:: max(1, len(poses) // LOOKED_AT)]
    counts: dict[tuple[str, str], int] = {}
    for q in some:
        for pair in _pairs(model, data, q, -DEEP):
            counts[pair] = counts.get(pair, 0) + 1
    often = {pair for pair, count in counts.items() if count > OFTEN * len(some)}
    return often | _pairs(model, data, character.q_rest, 0.0)


def _pairs(model: mujoco.MjModel, data: mujoco.MjData, q: np.ndarray, closer: float) -> set[tuple[str, str]]:
    """Pairs of bodies that are closer than a distance [m] in a pose, in the order of the model."""
    data.qpos[:] = q
    mujoco.mj_kinematics(model, data)
    mujoco.mj_collision(model, data)
    found = set()
    for contact in data.contact[: data.ncon]:
        if contact.dist < closer:
            a, b = sorted(model.geom_bodyid[contact.geom])
            found.add((model.body(a).name, model.body(b).name))
    return found

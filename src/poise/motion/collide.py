"""Parts of a body that are in each other in a clip: captured limbs are thinner than ours, and hands rest on hips."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from itertools import product

import mujoco
import numpy as np

from poise.character.character import Character
from poise.motion.clip import Clip

FLESH = (
    (0.02, 1.0),
    (0.02, 0.9, 0.03, 0.5, 2.0),
)  # solref, solimp of limbs that touch each other: soft over 3 cm
DEEP = 0.002  # [m] at any frame of a clip,
EVERY = 3  # of its frames
FAR_IN = 0.015  # [m] often:
OFTEN = 0.1  # of the frames looked at,
LOOKED_AT = 60  # about so many
HALVINGS = 8  # in search of the pose nearest to a wanted one whose parts are apart


def touching(clip: Clip) -> set[tuple[str, str]]:
    """Pairs of bodies that are in each other at some frame."""
    model, data = clip.character.model, mujoco.MjData(clip.character.model)
    return set().union(*(closer(model, data, q, -DEEP) for q in clip.q[::EVERY]))


def often_touching(character: Character, poses: np.ndarray) -> set[tuple[str, str]]:
    """Pairs of bodies that touch at rest, or are deep in each other in many of the poses (T, nq)."""
    model, data = character.model, mujoco.MjData(character.model)
    some = poses[:: max(1, len(poses) // LOOKED_AT)]
    counts = Counter(pair for q in some for pair in closer(model, data, q, -FAR_IN))
    often = {pair for pair, count in counts.items() if count > OFTEN * len(some)}
    return often | closer(model, data, character.q_rest, 0.0)


def closer(
    model: mujoco.MjModel, data: mujoco.MjData, q: np.ndarray, distance: float
) -> set[tuple[str, str]]:
    """Pairs of bodies that are closer than a distance [m] in a pose, in the order of the model."""
    data.qpos[:] = q
    mujoco.mj_kinematics(model, data)
    mujoco.mj_collision(model, data)
    near = [sorted(model.geom_bodyid[c.geom]) for c in data.contact[: data.ncon] if c.dist < distance]
    return {(model.body(a).name, model.body(b).name) for a, b in near}


def parted(character: Character, pose: Callable[[float], np.ndarray]) -> float:
    """How far the way from a wanted pose to a free one must be gone until no part of the body is in another, 0 to 1.

    Parts that begin in each other are thrown apart, by energy that comes from nowhere.

    Args:
        pose: (nq,) at a share of the way; where the root is does not matter.
    """
    model, data = character.model, mujoco.MjData(character.model)
    if not closer(model, data, pose(0.0), -DEEP):
        return 0.0
    inside, apart = 0.0, 1.0
    for _ in range(HALVINGS):
        share = 0.5 * (inside + apart)
        inside, apart = (share, apart) if closer(model, data, pose(share), -DEEP) else (inside, share)
    return apart


def meet(
    clip: Clip,
    data: mujoco.MjData,
    times: Iterable[float],
    ones: Iterable[int],
    others: Iterable[int],
    near: float,
) -> bool:
    """Whether any of some shapes and any of others are nearer than ``near`` [m] at one of some times of a clip [s]."""
    model, pairs = clip.character.model, list(product(ones, others))
    for t in times:
        data.qpos[:] = clip.at(min(max(t, clip.start), clip.end))
        mujoco.mj_kinematics(model, data)
        if any(mujoco.mj_geomDistance(model, data, a, b, 2 * near, None) < near for a, b in pairs):
            return True
    return False


def passing(character: Character, pairs: Collection[tuple[str, str]]) -> Character:
    """The same body, some pairs of whose parts go through each other."""
    if not pairs:
        return character
    spec = mujoco.MjSpec.from_string(character.spec_xml)
    for a, b in sorted(pairs):
        spec.add_exclude(bodyname1=a, bodyname2=b)
    spec.compile()
    return replace(character, spec_xml=spec.to_xml())


def fleshy(character: Character) -> Character:
    """The same body, whose parts touch each other as flesh does: people's legs brush in walking."""
    spec = mujoco.MjSpec.from_string(character.spec_xml)
    for geom in spec.geoms:
        geom.solref, geom.solimp = FLESH
    spec.compile()
    return replace(character, spec_xml=spec.to_xml())

"""A body begins its roll in one piece: no part of it in another."""

import numpy as np
import pytest

import poise
from poise.behaviours.rolling.joints import Joints
from poise.behaviours.rolling.on_ground import DEEP, unfolded
from poise.behaviours.rolling.roll import crouch
from poise.character import Character
from poise.motion.collide import closer

TINY = 1e-3  # [m] by which the ground's own contact may shift parts


def deepest(scene: str) -> float:
    """How far two parts of the body are in each other at the start of a scene [m]."""
    arena = poise.Session(poise.scene(scene)).arena
    own = range(arena.tree.body0, arena.tree.body0 + arena.tree.nbody)
    pairs = [(arena.model.geom_bodyid[c.geom], c.dist) for c in arena.data.contact]
    return max((-dist for bodies, dist in pairs if all(b in own for b in bodies)), default=0.0)


@pytest.mark.parametrize("scene", ["roll-forward-keyframe", "roll-backward-keyframe"])
def test_a_tuck_begins_with_no_part_in_another(scene: str) -> None:
    """It began 10 cm in itself once, and was thrown half a metre into the air."""
    assert deepest(scene) < DEEP + TINY


def test_a_pose_that_is_free_stays_as_it_is() -> None:
    body = Character.named("adult")
    free = crouch(body)
    assert unfolded(body, free, np.zeros_like(free)) is free


def test_a_folded_pose_is_opened_no_more_than_it_must() -> None:
    body = Character.named("adult")
    free, joints = crouch(body), Joints(body)
    tuck = free.copy()
    for side in "lr":
        hip = joints.place(f"hip_y_{side}")
        assert hip is not None
        tuck[hip] = 2.5 * free[hip]  # thighs in the belly

    def deep(pose: np.ndarray) -> bool:
        q = body.model.qpos0.copy()
        q[7:] = joints.q(pose)
        return bool(closer(body.model, body.posed(q), q, -DEEP))

    opened = unfolded(body, tuck, free)
    assert deep(tuck) and not deep(opened)
    assert deep(opened + 0.02 * (tuck - free))

"""How scenes begin: no part of a body is in another, since that would throw them apart by energy from nowhere."""

from typing import Any

import pytest

import poise
from poise.motion.collide import DEEP

TINY = 1e-3  # [m] by which soft contact may be deeper


def deepest(scene: str, seed: int = 0, **options: Any) -> float:
    """How far two parts of the body are in each other at the start [m]."""
    arena = poise.Session(poise.scene(scene, seed=seed, **options)).arena
    own = range(arena.tree.body0, arena.tree.body0 + arena.tree.nbody)
    pairs = [(arena.model.geom_bodyid[c.geom], c.dist) for c in arena.data.contact]
    return max((-dist for bodies, dist in pairs if all(b in own for b in bodies)), default=0.0)


@pytest.mark.parametrize("scene", ["roll-forward-keyframe", "roll-backward-keyframe"])
def test_a_tuck_begins_with_no_part_in_another(scene: str) -> None:
    """It began 10 cm in itself once, and was thrown half a metre into the air."""
    assert deepest(scene) < DEEP + TINY


@pytest.mark.parametrize("pose", ["prone", "supine", "side", "random"])
def test_limbs_that_lie_anyhow_are_not_in_each_other(pose: str) -> None:
    assert max(deepest("get-up", seed, pose=pose) for seed in range(4)) < DEEP + TINY

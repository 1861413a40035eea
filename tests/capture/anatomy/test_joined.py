"""Bones that are cut into two or three joints are one bone; joints that bend are not."""

from __future__ import annotations

import numpy as np

from poise.capture.anatomy.joined import through
from poise.capture.anatomy.tree import Tree
from poise.geometry import quat

NAMES = ("hips", "thigh.L", "thigh.L.001", "shin.L", "shin_twist.L", "foot.L")
PARENTS = np.array([-1, 0, 1, 2, 3, 4])
OFFSETS = np.array([[0, 0, 0], [0.1, 0, 0], [0, -0.2, 0], [0, -0.2, 0], [0, -0.2, 0], [0, -0.2, 0]], float)


def turned(joint: int, axis: tuple[float, float, float], frames: int = 20) -> np.ndarray:
    """Rotations of all joints, one of which swings about an axis."""
    out = np.tile(quat.IDENTITY, (frames, len(NAMES), 1))
    out[:, joint] = quat.from_rotvec(np.outer(np.linspace(0, 1, frames), axis))
    return out


def test_a_bone_goes_through_joints_that_are_named_alike_and_never_bend():
    assert through(NAMES, PARENTS, OFFSETS, turned(3, (1.0, 0, 0))) == [2, 4]
    assert through(NAMES, PARENTS, OFFSETS, turned(2, (0, 1.0, 0))) == [2, 4]  # it may twist
    assert through(NAMES, PARENTS, OFFSETS, turned(2, (0.5, 0, 0))) == [4]  # but not bend


def test_a_tree_has_whole_bones():
    tree = Tree.of(NAMES, PARENTS, np.array([5]), np.concatenate([OFFSETS, [[0, 0, 0.1]]]), [2, 4])
    assert tree.chain(1) == (1, 3, 5, 6)
    assert np.allclose(tree.lengths[[3, 5]], 0.4)
    assert tree.path(5) == (0, 1, 3, 5)

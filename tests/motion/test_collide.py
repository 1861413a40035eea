"""Parts of a body in each other."""

from collections.abc import Callable

import numpy as np

from poise.character import Character
from poise.motion.collide import DEEP, HALVINGS, closer, parted


def folding(body: Character, by: float) -> Callable[[float], np.ndarray]:
    """From elbows folded by so much [rad] to the pose at rest."""
    at = [int(body.model.joint(f"elbow_{side}").qposadr[0]) for side in "lr"]

    def pose(share: float) -> np.ndarray:
        q = np.array(body.q_rest)
        q[at] += (1.0 - share) * by
        return q

    return pose


def test_a_pose_whose_parts_are_apart_stays() -> None:
    body = Character.named("adult")
    assert parted(body, folding(body, 0.0)) == 0.0


def test_a_folded_pose_is_opened_no_more_than_it_must() -> None:
    body = Character.named("adult")
    pose = folding(body, -3.0)  # hands in the upper arms

    def inside(share: float) -> bool:
        return bool(closer(body.model, body.posed(pose(share)), pose(share), -DEEP))

    share = parted(body, pose)
    assert inside(0.0) and 0.0 < share < 1.0
    assert not inside(share) and inside(share - 2.0**-HALVINGS)

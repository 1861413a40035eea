"""The pose a body stands in: a keyframe of its file, its zero pose, or one that is found."""

from __future__ import annotations

import numpy as np

from poise.character.foreign.anatomy import ModelAnatomy
from poise.character.foreign.judge import Pose, height, spare_legs, trouble, worth
from poise.character.foreign.putdown import found, legs_dropped, stretch
from poise.character.foreign.soles import sole
from poise.character.foreign.source import Notes
from poise.character.foreign.stance import bounds, follow
from poise.errors import BadInput
from poise.geometry import quat

WORDS = ("stand", "home", "stance", "default", "neutral", "idle", "init", "nominal")
BENT, STRAIGHT = 0.4, 0.99  # of a leg's reach: shorter legs squat, longer ones cannot give way
STRAIGHT_MANY = 0.95  # the same of more than two legs, which step by bending alone
LIKELIER = 1.2  # the worth of a stand in the orientation that the file gives, over others
AXES = ((0, 0, 0), (1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (2, 0, 0))  # in quarter turns
TURNS = [quat.from_rotvec(0.5 * np.pi * np.array(axis)) for axis in AXES]


def choose(anatomy: ModelAnatomy, keys: dict[str, np.ndarray], notes: Notes) -> Pose:
    """The best pose to stand in: a keyframe, else the zero pose, else one that is found, turned upright if need be.

    Keyframes are configurations of the body alone, by name.
    """
    says_standing = {key: any(word in key.lower() for word in WORDS) for key in keys}
    for named in (True, False):  # those whose name says so first
        poses = [_as_is(anatomy, q, f"keyframe {k!r}") for k, q in keys.items() if named == says_standing[k]]
        good = [pose for pose in poses if pose is not None]
        if good:
            pose = max(good, key=lambda p: height(anatomy, p.q))
            notes("rest pose", pose.source, pose.why)
            return pose
    if keys:
        notes("keyframes passed over", list(keys), "in none of them does the body stand on its feet")
    low, high = bounds(anatomy.model)
    zero = np.clip(anatomy.model.qpos0, low, high)
    follow(anatomy.model, zero)
    pose = _as_is(anatomy, zero, "zero pose") or found(anatomy, zero, "legs")
    if pose is None or spare_legs(anatomy, pose):
        pose = _upright(anatomy, zero, notes)
    notes("rest pose", pose.source, pose.why)
    return pose


def of_pose(anatomy: ModelAnatomy, q: np.ndarray, source: str) -> Pose:
    """A pose that the user gave: legs and soles as they are in it."""
    data = anatomy.posed(q)
    legs = anatomy.legs(data)
    if not legs:
        raise BadInput(f"{source}: no limb ends below the rest of the body, so there is nothing to stand on")
    return Pose(q, legs, [sole(anatomy, data, leg) for leg in legs], source, "given")


def _upright(anatomy: ModelAnatomy, zero: np.ndarray, notes: Notes) -> Pose:
    """The best stand that is found from the zero pose, as the file has it or turned so that its legs point down."""
    good: list[tuple[float, int, Pose]] = []
    for i, turn in enumerate(TURNS):
        q = zero.copy()
        q[3:7] = quat.multiply(turn, zero[3:7])
        pose = found(anatomy, q, "legs")
        if pose is None or spare_legs(anatomy, pose):
            lower = found(anatomy, legs_dropped(anatomy, q), "limbs that reach lowest")
            pose = max((p for p in (pose, lower) if p), key=lambda p: worth(anatomy, p), default=None)
        if pose is not None:
            good.append((worth(anatomy, pose) * (LIKELIER if i == 0 else 1.0), i, pose))
    if not good:
        raise BadInput(
            "no pose found in which this body stands on two or more legs, whichever way it is turned; "
            "give supports= (names of bodies) and rest= (a keyframe's name, or joint angles)"
        )
    _, i, pose = max(good, key=lambda g: g[0])
    if i:
        turned = quat.to_rotvec(TURNS[i]).round(3).tolist()
        notes("up", turned, "rotation vector of the root: only so it stands on its legs")
    return pose


def _as_is(anatomy: ModelAnatomy, q: np.ndarray, source: str) -> Pose | None:
    """The pose where the body stands on its feet in it, else None."""
    if not np.isfinite(q).all():
        return None
    data = anatomy.posed(q)
    legs = anatomy.legs(data)
    soles = [sole(anatomy, data, leg) for leg in legs]
    pose = Pose(q, legs, soles, source, f"it stands on {len(legs)} feet in it")
    if trouble(anatomy, q, legs, soles) is not None:
        return None
    reach = stretch(anatomy, pose)
    straight = STRAIGHT if len(legs) == 2 else STRAIGHT_MANY
    if min(reach) < BENT or (source == "zero pose" and max(reach) > straight):
        return None
    return pose

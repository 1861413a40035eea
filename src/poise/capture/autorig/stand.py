"""The zero pose of a rig: every body frame parallel to the world.

A biped's is the project's own: upright, arms and legs hanging straight down, knees and elbows bending about y, feet
flat. Other bodies keep the pose in which they stand.
"""

from __future__ import annotations

import numpy as np

from poise.capture.anatomy.parts import Anatomy, Part
from poise.geometry import quat
from poise.geometry.linear import norm, times

DOWN = np.array([0.0, 0.0, -1.0])
LEFT = np.array([0.0, 1.0, 0.0])
ABOUT_STRAIGHT = np.radians(50)  # a leg bent by more than this where the figure stands is left as it is
ASKEW = np.radians(10)  # hips and shoulders more out of line than this are squared up
SHOWS_BEND = np.radians(20)  # a bend of this much shows the axis of a knee or elbow
STEADY = 0.85  # how constant that axis must be, 1 for perfectly
AXIS_TRUST = np.radians(75)  # the clip's axis is believed as long as it is this near to the pose's own


def zero_pose(anatomy: Anatomy, flat: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """World rotation (4,) of each part's own joint in the zero pose; what is up in a foot's frame when it is flat."""
    figure, made = anatomy.figure, {}
    turns: dict[str, np.ndarray] = {}  # what was done to each part, on top of the standing pose
    for part in anatomy.parts:
        carried = turns[part.parent] if part.parent else quat.IDENTITY
        if part.joint < 0:
            turns[part.name] = carried
            continue
        now = quat.multiply(carried, figure.turned[part.joint])
        then = _settled(anatomy, part, now, flat)
        made[part.name] = then
        turns[part.name] = quat.multiply(then, quat.conjugate(figure.turned[part.joint]))
    return made


def straight_legs(anatomy: Anatomy) -> bool:
    """Whether this is a biped whose legs are made of thigh, shin and foot and stand about straight."""
    feet = anatomy.feet
    if len(feet) != 2 or any(part.kind == "tarsus" for part in anatomy.parts):
        return False
    shins = [part for part in anatomy.parts if part.kind == "shin"]
    return len(shins) == 2 and all(_bend(anatomy, shin) < ABOUT_STRAIGHT for shin in shins)


def bone(anatomy: Anatomy, part: Part) -> np.ndarray:
    """Where a part's bone leads, in its joint's frame (3,) [m]: the next part of the limb, or its farthest point."""
    figure = anatomy.figure
    kids = [kid for kid in anatomy.kids(part.name) if kid.joint >= 0]
    if kids and part.kind not in ("hand", "foot"):
        to = figure.at[kids[0].joint]
    else:
        points = figure.points(part.joint)
        to = points[norm(points - points[0], axis=1).argmax()]
    return quat.rotate(quat.conjugate(figure.turned[part.joint]), to - figure.at[part.joint])


def _settled(anatomy: Anatomy, part: Part, now: np.ndarray, flat: dict[str, np.ndarray]) -> np.ndarray:
    """Rotation of a part in the zero pose, given where it is once its parent has been settled."""
    if part.kind == "foot":
        return _flat(anatomy, part, now, flat[part.name])
    if not straight_legs(anatomy):
        return now
    if part.kind in ("thigh", "shin", "upper_arm", "forearm", "hand"):
        return _hanging(anatomy, part, now)
    if part.kind == "pelvis":
        return _squared(anatomy, "thigh", part, now)
    if part.kind == "spine" and any(kid.kind in ("clavicle", "upper_arm") for kid in anatomy.kids(part.name)):
        return _squared(anatomy, "upper_arm", part, now)
    return now


def _hanging(anatomy: Anatomy, part: Part, now: np.ndarray) -> np.ndarray:
    """The part turned the shortest way to hang down, then about itself so that its joint below bends about y."""
    along = bone(anatomy, part)
    if norm(along) < 1e-6:
        return now
    then = quat.multiply(_shortest(quat.rotate(now, along), DOWN), now)
    axis = _bending(anatomy, part)
    if axis is None:
        return then
    wanted = LEFT if part.kind == "thigh" else -LEFT
    is_, to = quat.rotate(then, axis)[:2], wanted[:2]
    turn = float(np.arctan2(is_[0] * to[1] - is_[1] * to[0], times(is_, to)))
    if abs(turn) > AXIS_TRUST:
        return then
    return quat.multiply(quat.from_rotvec(np.array([0.0, 0.0, turn])), then)


def _bending(anatomy: Anatomy, part: Part) -> np.ndarray | None:
    """Axis about which the next joint of a limb bends in the clip, in this part's joint's frame; None if unclear."""
    kids = [kid for kid in anatomy.kids(part.name) if kid.kind in ("shin", "forearm")]
    if part.kind not in ("thigh", "upper_arm") or not kids:
        return None
    turned = anatomy.figure.capture.world[1]
    above = quat.conjugate(turned[:, part.joint])
    a, b = bone(anatomy, part), bone(anatomy, kids[0])
    a, b = a / max(float(norm(a)), 1e-9), b / max(float(norm(b)), 1e-9)
    across = np.cross(a, quat.rotate(quat.multiply(above, turned[:, kids[0].joint]), b))
    size = norm(across, axis=1)
    seen = across[size > np.sin(SHOWS_BEND)]
    if not len(seen) or norm(seen.sum(axis=0)) < STEADY * norm(seen, axis=1).sum():
        return None
    mean = seen.mean(axis=0)
    return mean / norm(mean)


def _squared(anatomy: Anatomy, kind: str, part: Part, now: np.ndarray) -> np.ndarray:
    """A part of the trunk turned so that the line from right to left limb points left, where it is far from it."""
    figure = anatomy.figure
    pair = [limb for limb in anatomy.parts if limb.kind == kind and limb.name in (f"{kind}_l", f"{kind}_r")]
    if len(pair) != 2:
        return now
    done = quat.multiply(now, quat.conjugate(figure.turned[part.joint]))
    line = quat.rotate(done, (figure.at[pair[0].joint] - figure.at[pair[1].joint]) * pair[0].side)
    turn = _shortest(line, LEFT)
    if norm(quat.to_rotvec(turn)) < ASKEW:
        return now
    return quat.multiply(turn, now)


def _flat(anatomy: Anatomy, part: Part, now: np.ndarray, up: np.ndarray) -> np.ndarray:
    """A foot with its sole level and pointing ahead."""
    then = quat.multiply(_shortest(quat.rotate(now, up), -DOWN), now)
    toe = quat.rotate(then, bone(anatomy, part))
    if np.hypot(toe[0], toe[1]) < 0.02 * anatomy.figure.size or toe[0] < 0:
        return then
    return quat.multiply(quat.from_rotvec(np.array([0.0, 0.0, -np.arctan2(toe[1], toe[0])])), then)


def _bend(anatomy: Anatomy, part: Part) -> float:
    """Angle between a part's bone and its parent's where the figure stands [rad]."""
    above, figure = anatomy.part(part.parent), anatomy.figure
    a, b = (quat.rotate(figure.turned[p.joint], bone(anatomy, p)) for p in (above, part))
    return float(np.arctan2(norm(np.cross(a, b)), times(a, b)))


def _shortest(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Rotation by the smallest angle that takes the direction of a to the unit vector b."""
    return quat.between(a / norm(a), b)

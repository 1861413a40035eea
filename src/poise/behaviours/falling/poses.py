"""The poses of falling and getting up, as numbers; by the names of joints, so that any body with these limbs has them.

Angles in degrees: y bends (negative is forward at hips and shoulders), x goes out to the side, z turns out; the
rotation is Ry Rx Rz. A joint without a side is that of both, mirrored. ``spine`` and ``neck`` are sums of their joints.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from poise.character import Character
from poise.character.constants import BALL
from poise.errors import BadInput
from poise.geometry import quat

Angles = float | tuple[float, float, float]
Pose = Mapping[str, Angles]


def both(
    shoulder: Angles, elbow: float, hip: Angles, knee: float, ankle: float, spine: Angles, neck: Angles
) -> Pose:
    """A pose alike on both sides."""
    return {
        "shoulder": shoulder,
        "elbow": elbow,
        "hip": hip,
        "knee": knee,
        "ankle": ankle,
        "spine": spine,
        "neck": neck,
    }


NEUTRAL = both((0, 20, 0), -30, (-15, 0, 0), 20, -5, 0, 0)
CHIN_IN = both(
    (0, 20, 0), -30, (-55, 0, 0), 85, -5, 20, 50
)  # on the back: the head is not let fall, the knees are up
OUT = both((0, 80, 70), -75, 0, 0, -10, 0, -15)
OVER = both((0, 160, 160), -25, 0, 0, -20, 0, -20)
LIFT = both((-190, 18, 0), -5, 0, 0, -20, -15, -20)
FLAT = both((-150, 15, 0), -20, 0, 0, -20, 0, -20)
CHILD = both((-165, 18, 0), -5, (-115, 10, 0), 125, -30, 10, -20)
FOURS = both((-80, 10, 0), -10, (-90, 8, 0), 95, -30, 10, -20)
# a burpee, found by search (CMA-ES, about 250 trials from 2 starts)
HOP = (
    both((-66, 12, 0), 0, (-83, 14, 0), 9, -3, -5, -15),
    both((-87, 12, 0), -3, (-135, 14, 0), 150, -22, 44, -15),
    both((-107, 12, 0), -8, (-134, 14, 0), 150, -30, 45, -15),
)
# the same way in two hops, found by search at 0.6 to 0.75 of the torques (CMA-ES, about 150 trials from 6 starts)
HOPS = (
    both((-77, 12, 0), 0, (-80, 14, 0), 34, -14, -7, -15),
    both((-65, 12, 0), -20, (-134, 14, 0), 133, -30, 17, -15),
    both((-123, 12, 0), -22, (-84, 14, 0), 15, -10, 14, -15),
    both((-107, 12, 0), 0, (-135, 14, 0), 150, -18, 25, -15),
    both((-110, 12, 0), -1, (-131, 14, 0), 144, -27, 37, -15),
)
# from the back to the front over the left side, found by search (CMA-ES, about 80 trials from 8 starts of 6 bodies)
TURN: tuple[Pose, ...] = (
    {"shoulder_l": (-140, 8, 0), "shoulder_r": (-81, 49, 0), "elbow_l": -26, "elbow_r": -49, "spine": (5, -11, 12),
     "hip_r": (-106, -5, 0), "knee_r": 93, "hip_l": (-3, -9, 0), "knee_l": 0, "neck": 40},
    {"shoulder_l": (-115, 27, 0), "shoulder_r": (-66, -31, 0), "elbow_l": -21, "elbow_r": -27, "spine": (7, 32, 68),
     "hip_r": (-77, -25, 0), "knee_r": 34, "hip_l": (30, -15, 0), "knee_l": 48, "neck": 20},
    {"shoulder_l": (-181, 7, 0), "shoulder_r": (-156, -64, 0), "elbow_l": -1, "elbow_r": -70, "spine": (-30, -34, 34),
     "hip_r": (-38, -32, 0), "knee_r": 54, "hip_l": (6, 18, 0), "knee_l": 14},
)  # fmt: skip
# the same from that side, found by search (from 11 ways in which falls had ended)
TIP: tuple[Pose, ...] = (
    {"shoulder_l": (-174, -3, 0), "elbow_l": 0, "shoulder_r": (-147, -4, 0), "elbow_r": -34, "spine": (2, 7, 16),
     "hip_r": (-82, -34, 0), "knee_r": 68, "hip_l": (-18, -7, 0), "knee_l": 46, "neck": 15},
    {"shoulder_l": (-158, 5, 0), "elbow_l": 0, "shoulder_r": (-114, -90, 0), "elbow_r": -94, "spine": (-44, -20, 27),
     "hip_r": (-22, -34, 0), "knee_r": 53, "hip_l": (9, 26, 0), "knee_l": 51},
)  # fmt: skip
# found by search (60 sets of poses, 12 falls to the back each): the head does not touch in most of them
BACKWARD = both((60, 3, 0), 0, -126, 102, -10, 103, 65)
# once it has touched: it rolls no further; thighs drawn in more than this would turn it over its neck
ON_BACK = both((41, 90, 0), -65, -80, 69, -10, 77, 65)


def mixed(a: Pose, b: Pose, share: float) -> Pose:
    """Angles a share of the way from one pose to another that names the same joints."""
    return {name: tuple(((1 - share) * _three(a[name]) + share * _three(b[name])).tolist()) for name in a}


def forward(lean_deg: float) -> Pose:
    """Arms to the ground ahead, further up the more the trunk leans; chin away from the ground."""
    return both((-min(max(lean_deg + 30, 60), 150), 18, 0), -30, -15, 40, -5, -10, -45)


def leftward(lean_deg: float) -> Pose:
    """The left arm to the ground, the right one across; hips and knees give, the head bends away from it.

    Found by search (40 sets of poses, 12 falls to a side each).
    """
    return {
        "shoulder_l": (-2, min(max(lean_deg + 12, 40), 120), 0), "shoulder_r": (-28, -51, 0), "elbow_l": -40,
        "elbow_r": -56, "hip": -71, "knee": 90, "spine": (5, 16, 0), "neck": (-5, 45, 0),
    }  # fmt: skip


NEEDED = (
    "hip_l",
    "hip_r",
    "knee_l",
    "knee_r",
    "shoulder_l",
    "shoulder_r",
    "elbow_l",
    "elbow_r",
    "head",
    "hand_l",
    "hand_r",
)

LONGER = {
    "knee": -1.0,
    "hip": 0.5,
    "ankle": 0.5,
}  # how the joints of a leg share an angle that makes it longer

COLUMNS = (
    "spine",
    "neck",
)  # of several joints, each with its part of the bend: as its range is of all their ranges


class Figure:
    """The joints of one body by name: poses become configurations of its joints."""

    def __init__(self, body: Character):
        model = body.model
        missing = [name for name in NEEDED if name not in (*body.joint_names, *body.body_names)]
        if missing:
            raise BadInput(
                f"{body.name} has no way to get up: its poses need {', '.join(missing)}, which it has not"
            )
        self._joints = [(name, model.joint(name)) for name in body.joint_names[1:]]
        self._shares: dict[str, np.ndarray] = {}
        for column in COLUMNS:
            ranges = {name: _ranges(body, name) for name, _ in self._joints if name.startswith(column)}
            total = np.maximum(sum(ranges.values(), np.zeros((2, 3))), 1e-9)
            self._shares |= {name: own / total for name, own in ranges.items()}
        self._size, self._dofs = model.nq - 7, model.nv - 6
        ball = np.array([int(joint.type[0]) == BALL for _, joint in self._joints])
        at = np.array([int(joint.qposadr[0]) - 7 for _, joint in self._joints])
        self._hinges, self._balls = (~ball, at[~ball]), (ball, at[ball][:, None] + np.arange(4))

    def joints(self, pose: Pose, mirrored: bool = False) -> np.ndarray:
        """Configuration (nq - 7,) of a pose, or of its mirror image; joints that it does not name are straight."""
        q = np.zeros(self._size)
        angles = np.array([self._angles(pose, name, mirrored) for name, _ in self._joints])
        q[self._hinges[1]] = np.radians(angles[self._hinges[0], 0])
        q[self._balls[1]] = quat.from_euler(np.radians(angles[self._balls[0]]), "yxz")
        return q

    def soft(self, share: float, but: str) -> np.ndarray:
        """Parts of the stiffness (nv - 6,): a share everywhere but in joints whose names begin so."""
        parts = np.full(self._dofs, share)
        for name, joint in self._joints:
            at, width = int(joint.dofadr[0]) - 6, 3 if int(joint.type[0]) == BALL else 1
            if name.startswith(but):
                parts[at : at + width] = 1.0
        return parts

    def balanced(self, joints: np.ndarray, sway: float, press: float, reach: float) -> np.ndarray:
        """The same configuration with three angles added [rad].

        Args:
            sway: Of the knees: the left leg gets longer by it and the right one shorter.
            press: Of the ankles: the toes press harder by it, and the heels less.
            reach: Of the shoulders: the arms go further ahead.
        """
        moved = joints.copy()
        for name, joint in self._joints:
            stem = name[:-2]
            turn = LONGER.get(stem, 0.0) * (sway if name.endswith("_l") else -sway)
            turn += press * (stem == "ankle") - reach * (stem == "shoulder")
            at = int(joint.qposadr[0]) - 7
            if int(joint.type[0]) == BALL and turn:
                moved[at : at + 4] = quat.multiply(quat.from_rotvec([0.0, turn, 0.0]), joints[at : at + 4])
            elif turn:
                moved[at] += turn
        return moved

    def _angles(self, pose: Pose, name: str, mirrored: bool) -> np.ndarray:
        """y, x, z of a joint in its own axes [deg]."""
        stem, side = (name[:-2], name[-1]) if name[-2:] in ("_l", "_r") else (name, "")
        if name in self._shares:
            angles = _three(next(pose.get(column, 0.0) for column in COLUMNS if name.startswith(column)))
        elif side:
            asked = {"l": "r", "r": "l"}[side] if mirrored else side
            angles = _three(pose.get(f"{stem}_{asked}", pose.get(stem, 0.0)))
        else:
            angles = _three(pose.get(stem, 0.0))
        if side == "r" or (mirrored and not side):
            angles = angles * (1, -1, -1)
        if name in self._shares:
            share = self._shares[name]
            angles = angles * np.where(angles < 0, share[0], share[1])
        return angles


def _three(angles: Angles) -> np.ndarray:
    return np.array(angles if isinstance(angles, tuple) else (angles, 0.0, 0.0), dtype=float)


def _ranges(body: Character, joint: str) -> np.ndarray:
    """How far a joint goes down and up about y, x, z (2, 3) [rad]."""
    limit = body.limits.get(joint)
    if limit is None:
        return np.ones((2, 3))
    return np.abs(np.array([limit.swing_y, limit.swing_x, limit.twist]).T)

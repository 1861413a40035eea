"""The acrobat: the adult on its hands, with the wrists, elbows and shoulders of a gymnast.

Why not the adult itself: a body has fallen when anything but a declared support touches the ground, so an adult whose
hands were supports could fall on them unnoticed; and its wrists neither bend nor bear enough. Here the hands are the
supports, the rest pose is the handstand, and the legs overhead are what the arms are to a body on its feet. Whatever
stands or steps on the adult's feet does so on these hands.

In the handstand x is where the fingers point, which is behind the back, so that the left hand is on the left.

Ranges: wrist extension of 110° under load and shoulder flexion beyond vertical are those of trained gymnasts. Torques
(shoulder 150, elbow 100, wrist 60 N m) are of a strong athlete; in a still handstand a wrist bears 20 N m.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from poise.character.bodies import adult
from poise.character.build import Limb, ball, both_sides, build, degrees
from poise.character.character import Character, SwingTwist
from poise.character.shapes import Sole, capsule, look
from poise.geometry import quat

# Axes of the left palm in the hand's: x along the fingers (down the hanging arm), z out of its back (to the left).
PALM = (0.5, -0.5, 0.5, 0.5)
WRIST_HEIGHT = 0.04  # of the joint above the ground [m]
PALM_SHAPE = Sole(heel=-0.02, toe=0.125, width=(0.08, 0.10), depth=WRIST_HEIGHT, radius=0.012, frame=PALM)

# Rest, all [rad]: the palm is flat; the arm leans forward until the centre of mass is over the middle of the palms.
LEAN = 0.203  # of the upper arm, forward
INWARD = -0.03  # from shoulder to elbow
ELBOW = -0.25
TURN = -0.45  # of the arm about its length: the elbows bend backward and a little outward
POINTED = 0.7  # ankles
LOOK = -0.35  # neck: eyes on the ground between the hands


def acrobat() -> Character:
    """Adult on its hands, a gymnast."""
    made = build("acrobat", limbs(), stance=("hand_l", "hand_r"))
    return replace(made, rest={**made.rest, "root": np.array([0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0])})


def limbs() -> tuple[Limb, ...]:
    """The acrobat limb by limb."""
    *trunk, head = adult.trunk()
    return (*trunk, replace(head, rest=(0, LOOK, 0)), *both_sides(*_leg()), *both_sides(*_arm()))


def _leg() -> tuple[Limb, ...]:
    thigh, shin, foot = (replace(limb, arm=True) for limb in adult.leg())
    pointed = replace(foot, rest=(0, POINTED, 0), sole=None)
    return replace(thigh, rest=()), replace(shin, rest=(0.06,)), pointed


def _arm() -> tuple[Limb, ...]:
    upper, forearm, hand = (replace(limb, arm=False, track=1.0) for limb in adult.arm())
    shoulder, wrist = _handstand()
    reach = ball((-130, 130), (-130, 130), (-120, 120), centre=(35, -80))
    upper = replace(upper, limits=reach, torque=(150, 150, 80), rest=shoulder)
    forearm = replace(forearm, limits=degrees(-145, 0), torque=(100,), rest=(ELBOW,))
    skin = adult.SKIN
    hand = replace(
        hand,
        shapes=(
            capsule((0.0, 0, -0.045), (0.0, 0, -0.135), 0.026, skin, drawn=False),
            look("ellipsoid", (0.0, -0.02, -0.045), (0.044, 0.02, 0.062), skin),
            look("ellipsoid", (0.0, -0.028, -0.115), (0.048, 0.012, 0.055), skin),
            look("ellipsoid", (0.045, -0.028, -0.06), (0.013, 0.011, 0.04), skin, pitch=-0.6),
        ),
        # counted from a palm laid flat under a vertical arm: bending, turning on the spot, leaning aside
        limits=SwingTwist(degrees(-160, 20), degrees(-45, 45), degrees(-35, 35), _pronated()), torque=(60, 40, 40),
        rest=wrist,
        sole=PALM_SHAPE,
    )  # fmt: skip
    return upper, forearm, hand


def _pronated() -> tuple[float, float, float, float]:
    """Left hand in its forearm when the palm is laid flat with the fingers forward under a vertical arm."""
    palm = quat.conjugate(np.array(PALM))
    return tuple(quat.multiply(quat.from_euler([-TURN], "z"), palm).tolist())


def _handstand() -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Rest rotation vectors of left shoulder and wrist: arm nearly vertical under an inverted trunk, palm flat."""
    trunk = quat.from_euler([math.pi], "y")
    arm = quat.from_euler([INWARD, LEAN, TURN], "xyz")
    forearm = quat.multiply(arm, quat.from_euler([ELBOW], "y"))
    palm = quat.conjugate(np.array(PALM))  # the hand, when the palm's axes are the world's
    shoulder, wrist = quat.multiply(quat.conjugate(trunk), arm), quat.multiply(quat.conjugate(forearm), palm)
    return tuple(quat.to_rotvec(shoulder)), tuple(quat.to_rotvec(wrist))

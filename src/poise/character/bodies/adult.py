"""The adult: 1.75 m, 75 kg, average proportions, a strong human's torques and an ordinary human's ranges.

Masses, centres of mass and radii of gyration: de Leva, P. (1996), "Adjustments to Zatsiorsky-Seluyanov's segment
inertia parameters", J. Biomech. 29(9), table 4, males. Joint heights: Drillis & Contini in Winter, D. A. (2009),
"Biomechanics and Motor Control of Human Movement", 4th ed., fig. 4.1.

Joint ranges: Boone, D. C. & Azen, S. P. (1979), "Normal range of motion of joints in male subjects", J. Bone Joint
Surg. 61-A(5), and AAOS (1965), "Joint Motion"; the spine's total flexion is spread over three joints, generously,
so that the back becomes round. Torques: peak values of young men after Anderson, D. E. et al. (2007), "Maximum
voluntary joint torque as a function of joint angle and angular velocity", J. Biomech. 40(14) (legs), and Chaffin,
D. B. et al. (2006), "Occupational Biomechanics", 4th ed. (trunk, arms), rounded up to those of a strong human.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from poise.character.build import Limb, ball, both_sides, build, degrees
from poise.character.character import Character
from poise.character.shapes import Shape, Sole, capsule, flip, look

MASS = 75.0  # [kg]
SCALE = 1.75 / 1.741  # our stature over that of the table's mean subject

SHIRT, SHORTS, SKIN = (0.36, 0.49, 0.60, 1), (0.25, 0.29, 0.36, 1), (0.87, 0.74, 0.64, 1)
SHOE, SOLE, HAIR = (0.93, 0.93, 0.92, 1), (0.30, 0.31, 0.33, 1), (0.30, 0.24, 0.20, 1)
EYE, IRIS, LIP = (0.96, 0.96, 0.95, 1), (0.20, 0.16, 0.14, 1), (0.76, 0.54, 0.48, 1)


class BodySegment(NamedTuple):
    """A row of the table: mass over body mass; length [m]; the rest over length."""

    mass: float
    length: float
    com: float  # from the upper end, or from the heel
    about_x: float  # radii of gyration: sagittal axis (forward),
    about_y: float  # transverse axis (left),
    about_z: float  # longitudinal axis (up)

    def inertia(self) -> dict:
        """Mass [kg] and radii of gyration [m] as Limb takes them."""
        radii = np.array([self.about_x, self.about_y, self.about_z])
        return {"mass": MASS * self.mass, "gyration": tuple(radii * self.length * SCALE)}


HEAD = BodySegment(0.0694, 0.2429, 0.5002, 0.303, 0.315, 0.261)  # vertex to cervicale
UPPER_TRUNK = BodySegment(0.1596, 0.2421, 0.5066, 0.505, 0.320, 0.465)  # cervicale to xiphion
MIDDLE_TRUNK = BodySegment(0.1633, 0.2155, 0.4502, 0.482, 0.383, 0.468)  # xiphion to omphalion
LOWER_TRUNK = BodySegment(0.1117, 0.1457, 0.6115, 0.615, 0.551, 0.587)  # omphalion to mid-hip
UPPER_ARM = BodySegment(0.0271, 0.2817, 0.5772, 0.285, 0.269, 0.158)
FOREARM = BodySegment(0.0162, 0.2689, 0.4574, 0.276, 0.265, 0.121)
HAND = BodySegment(0.0061, 0.1879, 0.3624, 0.235, 0.288, 0.184)  # palm turned to the thigh: x and y swapped
THIGH = BodySegment(0.1416, 0.4222, 0.4095, 0.329, 0.329, 0.149)
SHANK = BodySegment(0.0433, 0.4340, 0.4459, 0.255, 0.249, 0.103)
FOOT = BodySegment(0.0137, 0.2581, 0.4415, 0.124, 0.245, 0.257)  # longitudinal axis forward

# Joint positions [m]. Heights are above the hip joints; the table's trunk ends at their middle.
HIP_WIDTH, ANKLE_HEIGHT, SHIN_LENGTH, THIGH_LENGTH = 0.19, 0.08, 0.43, 0.42
UPPER_ARM_LENGTH, FOREARM_LENGTH = UPPER_ARM.length * SCALE, FOREARM.length * SCALE
SPINE_LOW, SPINE_MID, SPINE_TOP, NECK = 0.095, 0.225, 0.355, 0.545
OMPHALION, XIPHION, CERVICALE, VERTEX = 0.139, 0.344, 0.575, 0.820
SHOULDER = (0.0, 0.19, 0.50 - SPINE_TOP)

FINGERS = (  # from the first to the little one: place across the palm, length, radius [m]
    (0.030, 0.075, 0.0088), (0.010, 0.083, 0.0090), (-0.010, 0.077, 0.0088), (-0.029, 0.061, 0.0076),
)  # fmt: skip

# Rest: shins lean forward and thighs a little back, so that the knees are bent and the CM is over the soles' middle.
SHIN_LEAN, THIGH_LEAN = 0.168, 0.035  # [rad]
SOLE_SHAPE = Sole(heel=-0.07, toe=0.19, width=(0.095, 0.095), depth=ANKLE_HEIGHT)


def adult() -> Character:
    """Average man; see the module for sources."""
    return build("adult", limbs())


def limbs() -> tuple[Limb, ...]:
    """The adult limb by limb: a pattern for bodies of other proportions."""
    return trunk() + both_sides(*leg()) + both_sides(*arm())


def _roll(z: float, radius: float, half_width: float, rgba: tuple) -> tuple[Shape, Shape]:
    """Lateral capsule of the trunk, a stack of which curls into a round back; drawn as a taller ellipsoid."""
    half = half_width - radius
    flesh = look("ellipsoid", (0, 0, z), (radius, half_width, 0.15), rgba)
    return flesh, capsule((0, -half, z), (0, half, z), radius, rgba, drawn=False)


def trunk() -> tuple[Limb, ...]:
    middle = MIDDLE_TRUNK.inertia()
    length = XIPHION - OMPHALION
    middle["mass"] /= 2  # two halves; halving an even slice takes length²/16 off its lateral radii squared
    x, y, z = np.square(middle["gyration"])
    middle["gyration"] = tuple(np.sqrt([x - length**2 / 16, y - length**2 / 16, z]))
    middle_com = XIPHION - MIDDLE_TRUNK.com * length
    pelvis = Limb(
        "pelvis", "", "root", (0, 0, 0), **LOWER_TRUNK.inertia(),
        com=(0, 0, OMPHALION * (1 - LOWER_TRUNK.com)),
        shapes=_roll(0.03, 0.105, 0.172, SHORTS),
        tips={"pelvis": (0, 0, 0.03)},
    )  # fmt: skip
    abdomen = Limb(
        "abdomen", "pelvis", "spine_low", (0, 0, SPINE_LOW), **middle,
        com=(0, 0, middle_com - length / 4 - SPINE_LOW),
        shapes=_roll(0.160 - SPINE_LOW, 0.098, 0.152, SHIRT),
        limits=ball((-25, 25), (-20, 50), (-20, 20)), torque=(220, 250, 130),
    )  # fmt: skip
    torso = Limb(
        "torso", "abdomen", "spine_mid", (0, 0, SPINE_MID - SPINE_LOW), **middle,
        com=(0, 0, middle_com + length / 4 - SPINE_MID),
        shapes=_roll(0.288 - SPINE_MID, 0.103, 0.158, SHIRT),
        limits=ball((-25, 25), (-20, 50), (-25, 25)), torque=(200, 220, 120), passes=("pelvis",),
    )  # fmt: skip
    chest = Limb(
        "chest", "torso", "spine_top", (0, 0, SPINE_TOP - SPINE_MID), **UPPER_TRUNK.inertia(),
        com=(0, 0, CERVICALE - UPPER_TRUNK.com * (CERVICALE - XIPHION) - SPINE_TOP),
        shapes=(
            *_roll(0.418 - SPINE_TOP, 0.112, 0.178, SHIRT),
            capsule((0, -0.150, 0.118), (0, 0.150, 0.118), 0.052, SHIRT, solid=False),
            look("ellipsoid", (-0.012, 0, 0.145), (0.058, 0.125, 0.048), SHIRT),
        ),
        limits=ball((-20, 20), (-15, 45), (-25, 25)), torque=(150, 180, 100), passes=("abdomen",),
        tips={"chest": (0.11, 0, 0.06)},
    )  # fmt: skip
    top = VERTEX - NECK
    head = Limb(
        "head", "chest", "neck", (0, 0, NECK - SPINE_TOP), **HEAD.inertia(),
        com=(0.01, 0, VERTEX - HEAD.com * (VERTEX - CERVICALE) - NECK),
        shapes=(
            capsule((0.01, 0, top - 0.142), (0.01, 0, top - 0.085), 0.085, SKIN, drawn=False),
            capsule((-0.018, 0, -0.02), (-0.006, 0, top - 0.14), 0.05, SKIN, solid=False),
            *_face(top),
        ),
        limits=ball((-45, 45), (-60, 70), (-75, 75)), torque=(45, 50, 25),
        tips={"head_top": (0.01, 0, top)},
    )  # fmt: skip
    return pelvis, abdomen, torso, chest, head


def _face(top: float) -> tuple[Shape, ...]:
    """Skull, jaw, nose, ears, hair, eyes, brows and mouth of a head whose vertex is so high above the neck [m]."""
    middle = (
        look("ellipsoid", (0.0, 0, top - 0.096), (0.098, 0.077, 0.096), SKIN),
        look("ellipsoid", (0.031, 0, top - 0.155), (0.061, 0.054, 0.072), SKIN),
        look("ellipsoid", (0.066, 0, top - 0.206), (0.022, 0.025, 0.018), SKIN),
        look("ellipsoid", (0.098, 0, top - 0.136), (0.013, 0.0105, 0.020), SKIN, pitch=-0.45),
        look("ellipsoid", (-0.014, 0, top - 0.083), (0.101, 0.083, 0.092), HAIR, pitch=-0.45),
        look("ellipsoid", (0.0865, 0, top - 0.180), (0.007, 0.021, 0.0055), LIP),
    )
    left = (
        look("ellipsoid", (-0.008, 0.078, top - 0.125), (0.019, 0.008, 0.030), SKIN, pitch=0.2),
        look("ellipsoid", (0.0795, 0.032, top - 0.114), (0.0135, 0.0120, 0.0080), EYE),
        look("ellipsoid", (0.0866, 0.0352, top - 0.114), (0.0070, 0.0062, 0.0066), IRIS),
        look("ellipsoid", (0.0865, 0.0325, top - 0.097), (0.007, 0.016, 0.0034), HAIR),
    )
    return middle + left + tuple(replace(s, a=flip(s.a)) for s in left)


def leg() -> tuple[Limb, ...]:
    knee, ankle = (0, 0, -THIGH_LENGTH), (0, 0, -SHIN_LENGTH)
    thigh = Limb(
        "thigh_l", "pelvis", "hip_l", (0, HIP_WIDTH / 2, 0), **THIGH.inertia(),
        com=(0, 0, -THIGH.com * THIGH_LENGTH),
        shapes=(
            capsule((0, 0, -0.02), (0, 0, -THIGH_LENGTH), 0.06, SHORTS),
            look("ellipsoid", (0, 0, -0.13), (0.082, 0.08, 0.24), SHORTS),
        ),
        limits=ball((-35, 70), (-135, 30), (-45, 45)), torque=(200, 250, 100), rest=(0, -THIGH_LEAN, 0),
        passes=("abdomen",),
    )  # fmt: skip
    shin = Limb(
        "shin_l", "thigh_l", "knee_l", knee, **SHANK.inertia(),
        com=(0, 0, -SHANK.com * SHIN_LENGTH),
        shapes=(
            capsule((0, 0, 0), (0, 0, -SHIN_LENGTH), 0.042, SKIN),
            look("ellipsoid", (-0.012, 0, -0.13), (0.056, 0.052, 0.17), SKIN),
        ),
        limits=degrees(0, 150), torque=(250,), rest=(SHIN_LEAN + THIGH_LEAN,),
    )  # fmt: skip
    foot = Limb(
        "foot_l", "shin_l", "ankle_l", ankle, **FOOT.inertia(),
        com=(-0.085 + FOOT.com * 0.29, 0, -0.045),
        shapes=(
            look("ellipsoid", (0.110, 0, -ANKLE_HEIGHT + 0.015), (0.103, 0.054, 0.013), SOLE),
            look("ellipsoid", (-0.008, 0, -ANKLE_HEIGHT + 0.015), (0.082, 0.045, 0.013), SOLE),
            look("ellipsoid", (0.090, 0, -0.044), (0.113, 0.047, 0.027), SHOE),
            look("ellipsoid", (0.040, 0, -0.032), (0.075, 0.038, 0.030), SHOE),
            look("ellipsoid", (-0.022, 0, -0.026), (0.062, 0.043, 0.044), SHOE),
        ),
        limits=ball((-35, 25), (-30, 50), (-25, 25)), torque=(70, 180, 50), rest=(0, -SHIN_LEAN, 0),
        sole=SOLE_SHAPE, tips={"foot_l": (0.06, 0, -ANKLE_HEIGHT)},
    )  # fmt: skip
    return thigh, shin, foot


def _fingers() -> tuple[Shape, ...]:
    """Palm, thumb and four fingers of a left hand at rest, a little curled towards the palm, which faces -y."""
    bones = [((0.034, -0.006, -0.032), (0.056, -0.014, -0.064), 0.0115),
             ((0.056, -0.014, -0.064), (0.062, -0.019, -0.092), 0.0095)]  # fmt: skip
    for x, length, radius in FINGERS:
        knuckle, middle = (0.95 * x, 0.0, -0.084), (1.1 * x, -0.006, -0.092 - 0.5 * length)
        tip = (1.1 * x + 0.002, -0.024, -0.092 - 0.93 * length)
        bones += [(knuckle, middle, radius), (middle, tip, 0.9 * radius)]
    palm = (
        look("ellipsoid", (0.002, 0, -0.060), (0.041, 0.015, 0.048), SKIN),
        look("ellipsoid", (0.022, -0.006, -0.046), (0.021, 0.014, 0.030), SKIN, pitch=-0.4),
    )
    return palm + tuple(capsule(a, b, radius, SKIN, solid=False) for a, b, radius in bones)


def arm() -> tuple[Limb, ...]:
    upper = Limb(
        "upper_arm_l", "chest", "shoulder_l", SHOULDER, **UPPER_ARM.inertia(),
        com=(0, 0, -UPPER_ARM.com * UPPER_ARM_LENGTH),
        shapes=(
            capsule((0, 0, 0), (0, 0, -UPPER_ARM_LENGTH), 0.041, SHIRT, drawn=False),
            capsule((0, -0.006, -0.032), (0, 0, -UPPER_ARM_LENGTH), 0.041, SHIRT, solid=False),
            look("ellipsoid", (0, -0.002, -0.085), (0.050, 0.047, 0.100), SHIRT),
        ),
        # a cone about an arm raised forwards and out: overhead, behind and across are in; the trunk stops the rest
        limits=ball((-125, 125), (-125, 125), (-110, 110), centre=(45, -50)), torque=(100, 100, 60), rest=(0.16, 0, 0),
        armature=0.01, track=0.15, arm=True,
    )  # fmt: skip
    forearm = Limb(
        "forearm_l", "upper_arm_l", "elbow_l", (0, 0, -UPPER_ARM_LENGTH), **FOREARM.inertia(),
        com=(0, 0, -FOREARM.com * FOREARM_LENGTH),
        shapes=(
            capsule((0, 0, 0), (0, 0, -FOREARM_LENGTH), 0.031, SKIN),
            look("ellipsoid", (0, 0, -0.08), (0.039, 0.038, 0.12), SKIN),
        ),
        limits=degrees(-145, 0), torque=(70,), rest=(-0.25,), armature=0.01, track=0.15, arm=True,
    )  # fmt: skip
    hand = Limb(
        "hand_l", "forearm_l", "wrist_l", (0, 0, -FOREARM_LENGTH), **HAND.inertia(),
        com=(0, 0, -HAND.com * HAND.length * SCALE),
        shapes=(
            capsule((0.003, 0, -0.045), (0.006, 0, -0.135), 0.03, SKIN, drawn=False),
            *_fingers(),
        ),
        limits=ball((-70, 70), (-25, 35), (-80, 80)), torque=(15, 15, 10), armature=0.005, track=0.1, arm=True,
        tips={"hand_l": (0, 0, -0.09)},
    )  # fmt: skip
    return upper, forearm, hand

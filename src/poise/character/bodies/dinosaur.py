"""The dinosaur: a level trunk over two legs, a long tail behind, a neck and a heavy head before, and small arms.

A cartoon theropod of about 1.5 m; all proportions are our own ([Coordination] fig. 4 takes its own from elsewhere).
"""

from __future__ import annotations

from poise.character.build import Limb, ball, both_sides, build, degrees
from poise.character.character import Character
from poise.character.shapes import Sole, capsule, look

GREEN, PALE, DARK = (0.42, 0.56, 0.36, 1), (0.74, 0.76, 0.58, 1), (0.16, 0.18, 0.14, 1)
THIGH, SHIN, ANKLE_HEIGHT = 0.40, 0.40, 0.07  # lengths and height [m]
SHIN_LEAN, THIGH_LEAN = 0.28, -0.10  # lean at rest: positive when the lower end is behind the upper one [rad]
TAIL = (  # name, length [m], radius [m], mass [kg]
    ("tail_1", 0.28, 0.075, 4.0),
    ("tail_2", 0.28, 0.055, 2.6),
    ("tail_3", 0.28, 0.035, 2.64),
)


def dinosaur() -> Character:
    """Theropod of 57 kg with a long tail; inertias from its shapes at even density."""
    return build("dinosaur", _trunk() + _tail() + both_sides(*_leg()) + both_sides(*_arm()))


def _trunk() -> tuple[Limb, ...]:
    pelvis = Limb(
        "pelvis", "", "root", (0, 0, 0), 12.0,
        (
            capsule((-0.10, 0, 0.03), (0.08, 0, 0.05), 0.12, GREEN, drawn=False),
            look("ellipsoid", (-0.01, 0, 0.04), (0.22, 0.14, 0.14), GREEN),
        ),
        tips={"pelvis": (0, 0, 0.04)},
    )  # fmt: skip
    torso = Limb(
        "torso", "pelvis", "spine_low", (0.12, 0, 0.06), 9.0,
        (
            capsule((0.05, 0, 0.03), (0.17, 0, 0.09), 0.11, GREEN, drawn=False),
            look("ellipsoid", (0.10, 0, 0.05), (0.20, 0.13, 0.14), GREEN, pitch=-0.4),
        ),
        limits=ball((-25, 25), (-35, 35), (-30, 30)), torque=(150, 200, 120), tips={"chest": (0.27, 0, 0.1)},
    )  # fmt: skip
    neck = Limb(
        "neck_1", "torso", "neck_low", (0.22, 0, 0.13), 1.8,
        (capsule((0, 0, 0.02), (0.10, 0, 0.17), 0.06, GREEN),),
        limits=ball((-35, 35), (-45, 50), (-35, 35)), torque=(60, 70, 35), armature=0.01, passes=("pelvis",),
    )  # fmt: skip
    head = Limb(
        "head", "neck_1", "neck", (0.11, 0, 0.19), 2.2,
        (
            capsule((0.02, 0, 0.04), (0.17, 0, 0.02), 0.065, GREEN),
            look("ellipsoid", (0.17, 0, -0.005), (0.12, 0.055, 0.045), PALE),
            look("ellipsoid", (0.08, 0.055, 0.08), (0.014, 0.012, 0.014), DARK),
            look("ellipsoid", (0.08, -0.055, 0.08), (0.014, 0.012, 0.014), DARK),
        ),
        limits=ball((-40, 40), (-50, 50), (-60, 60)), torque=(30, 35, 18), armature=0.01, passes=("torso",),
        tips={"head_top": (0.05, 0, 0.1)},
    )  # fmt: skip
    return pelvis, torso, neck, head


def _tail() -> tuple[Limb, ...]:
    limbs, parent, anchor = [], "pelvis", (-0.2, 0, 0.05)
    for name, length, radius, mass in TAIL:
        limbs.append(
            Limb(
                name, parent, name, anchor, mass, (capsule((-0.03, 0, 0), (-length + 0.02, 0, 0.01), radius, GREEN),),
                limits=ball((-30, 30), (-35, 35), (-45, 45)), torque=(70, 90, 90), armature=0.01, track=0.15, arm=True,
                tips={"tail": (-length, 0, 0.01)} if name == TAIL[-1][0] else {},
            )
        )  # fmt: skip
        parent, anchor = name, (-length, 0, 0.01)
    return tuple(limbs)


def _leg() -> tuple[Limb, ...]:
    thigh = Limb(
        "thigh_l", "pelvis", "hip_l", (0, 0.10, 0), 6.0,
        (
            capsule((0, 0, -0.02), (0, 0, -THIGH), 0.06, GREEN),
            look("ellipsoid", (0, 0, -0.13), (0.11, 0.085, 0.22), GREEN),
        ),
        limits=ball((-35, 60), (-135, 35), (-45, 45)), torque=(200, 250, 100), rest=(0, THIGH_LEAN, 0),
        passes=("torso", "tail_1"),
    )  # fmt: skip
    shin = Limb(
        "shin_l", "thigh_l", "knee_l", (0, 0, -THIGH), 2.6,
        (
            capsule((0, 0, 0), (0, 0, -SHIN), 0.038, GREEN),
            look("ellipsoid", (-0.01, 0, -0.12), (0.06, 0.052, 0.16), GREEN),
        ),
        limits=degrees(0, 150), torque=(250,), rest=(SHIN_LEAN - THIGH_LEAN,),
    )  # fmt: skip
    foot = Limb(
        "foot_l", "shin_l", "ankle_l", (0, 0, -SHIN), 1.1,
        (
            look("ellipsoid", (0, 0, -0.03), (0.05, 0.045, 0.05), GREEN),
            capsule((0, 0, -0.045), (0.17, 0, -0.052), 0.018, PALE, solid=False),
            capsule((0, 0.015, -0.045), (0.15, 0.05, -0.052), 0.017, PALE, solid=False),
            capsule((0, -0.015, -0.045), (0.15, -0.05, -0.052), 0.017, PALE, solid=False),
        ),
        limits=ball((-30, 30), (-40, 50), (-25, 25)), torque=(70, 160, 50), rest=(0, -SHIN_LEAN, 0),
        sole=Sole(heel=-0.07, toe=0.17, width=(0.08, 0.11), depth=ANKLE_HEIGHT),
        tips={"foot_l": (0.05, 0, -ANKLE_HEIGHT)},
    )  # fmt: skip
    return thigh, shin, foot


def _arm() -> tuple[Limb, ...]:
    upper = Limb(
        "upper_arm_l", "torso", "shoulder_l", (0.17, 0.10, -0.01), 0.4,
        (capsule((0, 0, -0.01), (0, 0, -0.11), 0.022, PALE),),
        limits=ball((-40, 90), (-90, 90), (-60, 60)), torque=(15, 15, 8), rest=(0.15, 0.2, 0), armature=0.005,
        track=0.15, arm=True, passes=("pelvis",),
    )  # fmt: skip
    fore = Limb(
        "forearm_l", "upper_arm_l", "elbow_l", (0, 0, -0.11), 0.25,
        (capsule((0, 0, -0.01), (0, 0, -0.10), 0.018, PALE),),
        limits=degrees(-120, 0), torque=(8,), rest=(-0.9,), armature=0.005, track=0.15, arm=True,
        tips={"hand_l": (0, 0, -0.11)},
    )  # fmt: skip
    return upper, fore

"""The chicken: a cartoon bird of 1.2 m with bird legs, a long neck and small wings.

A bird's femur is short and points forward, its true knee hides in the plumage, and the joint that bends "backward"
is the ankle, here called the hock; it walks on its toes. All proportions are our own.
"""

from __future__ import annotations

from poise.character.build import Limb, ball, both_sides, build, degrees
from poise.character.character import Character
from poise.character.shapes import Sole, capsule, look

WHITE, CREAM = (0.94, 0.92, 0.87, 1), (0.85, 0.80, 0.70, 1)
YELLOW, RED, DARK = (0.93, 0.70, 0.27, 1), (0.80, 0.25, 0.22, 1), (0.15, 0.15, 0.17, 1)
# Lean of each leg part at rest, positive when its lower end is behind its upper one [rad]
FEMUR, SHANK, TARSUS = -0.75, 0.72, -0.38
ANKLE_HEIGHT = 0.05  # [m]
NECK_LENGTH = 0.11  # of each of its three parts [m]


def chicken() -> Character:
    """Bird-legged creature of 31 kg; inertias from its shapes at even density."""
    return build("chicken", _trunk() + _neck() + both_sides(*_leg()) + both_sides(*_wing()))


def _trunk() -> tuple[Limb, ...]:
    pelvis = Limb(
        "pelvis", "", "root", (0, 0, 0), 8.0,
        (
            capsule((-0.09, 0, 0.06), (0.04, 0, 0.04), 0.13, WHITE, drawn=False),
            look("ellipsoid", (-0.03, 0, 0.05), (0.20, 0.15, 0.145), WHITE, pitch=0.15),
        ),
        tips={"pelvis": (0, 0, 0.05)},
    )  # fmt: skip
    torso = Limb(
        "torso", "pelvis", "spine_low", (0.07, 0, 0.05), 9.0,
        (
            capsule((0.03, 0, -0.01), (0.12, 0, 0.03), 0.135, WHITE, drawn=False),
            look("ellipsoid", (0.08, 0, 0.015), (0.19, 0.15, 0.16), WHITE, pitch=-0.35),
        ),
        limits=ball((-25, 25), (-35, 35), (-30, 30)), torque=(120, 150, 90), tips={"chest": (0.25, 0, 0.05)},
    )  # fmt: skip
    tail = Limb(
        "tail", "pelvis", "tail", (-0.17, 0, 0.10), 0.8,
        (
            capsule((-0.03, 0, 0.03), (-0.11, 0, 0.13), 0.05, CREAM, drawn=False),
            look("ellipsoid", (-0.06, 0, 0.08), (0.05, 0.03, 0.14), CREAM, pitch=-0.5),
            look("ellipsoid", (-0.09, 0, 0.055), (0.05, 0.045, 0.13), WHITE, pitch=-0.9),
            look("ellipsoid", (-0.11, 0, 0.02), (0.045, 0.055, 0.11), CREAM, pitch=-1.3),
        ),
        limits=ball((-30, 30), (-40, 40), (-30, 30)), torque=(15, 20, 10), armature=0.01, track=0.3,
    )  # fmt: skip
    return pelvis, torso, tail


def _neck() -> tuple[Limb, ...]:
    top, side, limbs = (0, 0, NECK_LENGTH), ball((-35, 35), (-45, 50), (-35, 35)), []
    parent, anchor = "torso", (0.13, 0, 0.10)
    parts = [  # joint, radius [m], mass [kg], pitch at rest [rad], body it may pass through
        ("low", 0.062, 0.90, 0.45, "pelvis"),
        ("mid", 0.052, 0.75, -0.45, "torso"),
        ("top", 0.046, 0.60, -0.25, "neck_1"),
    ]
    for i, (where, radius, mass, pitch, passes) in enumerate(parts, start=1):
        plumage = look("ellipsoid", (0, 0, NECK_LENGTH / 2), (1.25 * radius, 1.2 * radius, 0.1), WHITE)
        shapes = (capsule((0, 0, 0), top, radius, WHITE), plumage)
        limbs.append(
            Limb(
                f"neck_{i}", parent, f"neck_{where}", anchor, mass, shapes, limits=side, torque=(35, 40, 20),
                rest=(0, pitch, 0), armature=0.01, passes=(passes,),
            )
        )  # fmt: skip
        parent, anchor = limbs[-1].name, top
    return (*limbs, _head(parent, anchor))


def _head(parent: str, anchor: tuple) -> Limb:
    return Limb(
        "head", parent, "neck", anchor, 1.4,
        (
            capsule((0.02, 0, 0.05), (0.04, 0, 0.05), 0.065, WHITE, drawn=False),
            look("ellipsoid", (0.025, 0, 0.05), (0.08, 0.066, 0.07), WHITE),
            look("ellipsoid", (0.115, 0, 0.04), (0.055, 0.026, 0.022), YELLOW, pitch=0.15),
            look("ellipsoid", (0.09, 0, -0.02), (0.018, 0.022, 0.04), RED),
            look("ellipsoid", (0.055, 0, 0.115), (0.03, 0.013, 0.04), RED, pitch=0.3),
            look("ellipsoid", (0.02, 0, 0.125), (0.03, 0.014, 0.05), RED),
            look("ellipsoid", (-0.018, 0, 0.11), (0.03, 0.013, 0.04), RED, pitch=-0.4),
            look("ellipsoid", (0.07, 0.05, 0.07), (0.012, 0.010, 0.013), DARK),
            look("ellipsoid", (0.07, -0.05, 0.07), (0.012, 0.010, 0.013), DARK),
        ),
        limits=ball((-40, 40), (-50, 50), (-70, 70)), torque=(20, 25, 12), rest=(0, 0.25, 0), armature=0.01,
        tips={"head_top": (0.025, 0, 0.115), "beak": (0.165, 0, 0.03)}, passes=("neck_2",),
    )  # fmt: skip


def _leg() -> tuple[Limb, ...]:
    thigh = Limb(
        "thigh_l", "pelvis", "hip_l", (0, 0.115, 0), 1.9,
        (
            capsule((0, 0, 0), (0, 0, -0.20), 0.06, WHITE),
            look("ellipsoid", (0, 0, -0.09), (0.10, 0.075, 0.15), WHITE),
        ),
        limits=ball((-25, 60), (-130, 30), (-40, 40)), torque=(120, 150, 70), rest=(0, FEMUR, 0), passes=("torso",),
    )  # fmt: skip
    shin = Limb(
        "shin_l", "thigh_l", "knee_l", (0, 0, -0.20), 1.1,
        (
            capsule((0, 0, 0), (0, 0, -0.28), 0.028, YELLOW),
            look("ellipsoid", (0, 0, -0.07), (0.068, 0.06, 0.14), WHITE),
        ),
        limits=degrees(0, 150), torque=(150,), rest=(SHANK - FEMUR,), passes=("pelvis",),
    )  # fmt: skip
    tarsus = Limb(
        "tarsus_l", "shin_l", "hock_l", (0, 0, -0.28), 0.5,
        (
            capsule((0, 0, 0), (0, 0, -0.24), 0.022, YELLOW),
            look("ellipsoid", (0, 0, 0), (0.034, 0.032, 0.036), YELLOW),
        ),
        limits=degrees(-150, 0), torque=(120,), rest=(TARSUS - SHANK,), armature=0.01,
    )  # fmt: skip
    foot = Limb(
        "foot_l", "tarsus_l", "ankle_l", (0, 0, -0.24), 0.5,
        (
            look("ellipsoid", (0, 0, -0.015), (0.034, 0.034, 0.035), YELLOW),
            capsule((0, 0, -0.03), (0.165, 0, -0.036), 0.016, YELLOW, solid=False),
            capsule((0, 0.01, -0.03), (0.145, 0.07, -0.036), 0.015, YELLOW, solid=False),
            capsule((0, -0.01, -0.03), (0.145, -0.07, -0.036), 0.015, YELLOW, solid=False),
            capsule((0, 0, -0.03), (-0.08, 0, -0.036), 0.015, YELLOW, solid=False),
        ),
        limits=ball((-30, 30), (-60, 60), (-25, 25)), torque=(50, 100, 30), rest=(0, -TARSUS, 0), armature=0.01,
        sole=Sole(heel=-0.085, toe=0.155, width=(0.06, 0.14), depth=ANKLE_HEIGHT),
        tips={"foot_l": (0.05, 0, -ANKLE_HEIGHT)},
    )  # fmt: skip
    return thigh, shin, tarsus, foot


def _wing() -> tuple[Limb, ...]:
    upper = Limb(
        "upper_arm_l", "torso", "shoulder_l", (0.10, 0.155, 0.06), 0.5,
        (
            capsule((0, 0, 0), (0, 0, -0.13), 0.025, CREAM, drawn=False),
            look("ellipsoid", (0, 0, -0.07), (0.075, 0.022, 0.11), CREAM),
        ),
        limits=ball((-40, 130), (-90, 90), (-60, 60)), torque=(30, 30, 15), rest=(0.25, 1.15, 0), armature=0.005,
        track=0.15, arm=True, passes=("thigh_l",),
    )  # fmt: skip
    fore = Limb(
        "forearm_l", "upper_arm_l", "elbow_l", (0, 0, -0.13), 0.4,
        (
            capsule((0, 0, 0), (0, 0, -0.17), 0.02, CREAM, drawn=False),
            look("ellipsoid", (0.0, 0, -0.08), (0.06, 0.018, 0.12), CREAM),
            look("ellipsoid", (-0.02, 0, -0.12), (0.04, 0.014, 0.10), WHITE, pitch=0.2),
        ),
        limits=degrees(-120, 60), torque=(15,), rest=(0.25,), armature=0.005, track=0.15, arm=True,
        tips={"hand_l": (0, 0, -0.17)}, passes=("thigh_l",),
    )  # fmt: skip
    return upper, fore

"""The insectoid: two legs, four arms, a slim waist and a gaster behind as a counterweight. Imaginary throughout."""

from __future__ import annotations

from poise.character.build import Limb, ball, both_sides, build, degrees
from poise.character.character import Character
from poise.character.shapes import Sole, capsule, look

SHELL, PALE = (0.42, 0.53, 0.36, 1), (0.72, 0.74, 0.55, 1)
DARK, EYE = (0.24, 0.27, 0.22, 1), (0.75, 0.36, 0.22, 1)
ANKLE_HEIGHT = 0.08  # [m]
SHIN_LEAN, THIGH_LEAN = 0.235, 0.082  # at rest, the knee forward of ankle and hip [rad]


def insectoid() -> Character:
    """Four-armed standing creature of 97 kg; inertias from its shapes at even density."""
    arm = _arm("", "chest", (0.0, 0.205, 0.09), 0.30, 0.34, (1.05, -0.40, 0.0), -1.35, 2.1)
    mid_arm = _arm("mid_", "torso", (0.03, 0.165, 0.07), 0.25, 0.29, (0.80, -0.10, 0.0), -1.05, 1.6)
    return build("insectoid", _trunk() + both_sides(*_leg()) + both_sides(*arm) + both_sides(*mid_arm))


def _trunk() -> tuple[Limb, ...]:
    pelvis = Limb(
        "pelvis", "", "root", (0, 0, 0), 14.0,
        (
            capsule((0, -0.07, 0.02), (0, 0.07, 0.02), 0.095, DARK, drawn=False),
            look("ellipsoid", (0, 0, 0.02), (0.105, 0.17, 0.115), DARK),
        ),
        tips={"pelvis": (0, 0, 0.02)},
    )  # fmt: skip
    gaster = Limb(
        "gaster", "pelvis", "tail", (-0.08, 0, 0.03), 9.0,
        (
            capsule((-0.10, 0, -0.01), (-0.26, 0, -0.05), 0.095, SHELL, drawn=False),
            look("ellipsoid", (-0.10, 0, -0.01), (0.12, 0.105, 0.105), SHELL, pitch=-0.25),
            look("ellipsoid", (-0.20, 0, -0.035), (0.14, 0.115, 0.115), PALE, pitch=-0.25),
            look("ellipsoid", (-0.30, 0, -0.06), (0.12, 0.09, 0.09), SHELL, pitch=-0.25),
        ),
        limits=ball((-25, 25), (-40, 30), (-25, 25)), torque=(80, 120, 80), track=0.3,
        passes=("thigh_l", "thigh_r"),
    )  # fmt: skip
    torso = Limb(
        "torso", "pelvis", "spine_low", (0, 0, 0.11), 14.0,
        (
            capsule((0, -0.05, 0.10), (0, 0.05, 0.10), 0.09, SHELL, drawn=False),
            look("ellipsoid", (0, 0, 0.10), (0.095, 0.145, 0.12), SHELL),
            look("ellipsoid", (0, 0, -0.01), (0.06, 0.065, 0.10), DARK),
        ),
        limits=ball((-30, 30), (-25, 55), (-30, 30)), torque=(220, 250, 130),
    )  # fmt: skip
    chest = Limb(
        "chest", "torso", "spine_top", (0, 0, 0.21), 15.0,
        (
            capsule((0, -0.07, 0.07), (0, 0.07, 0.07), 0.105, SHELL, drawn=False),
            look("ellipsoid", (0, 0, 0.07), (0.115, 0.185, 0.125), SHELL),
            look("ellipsoid", (0.045, 0, 0.05), (0.085, 0.12, 0.11), PALE),
        ),
        limits=ball((-25, 25), (-20, 50), (-30, 30)), torque=(180, 200, 110), tips={"chest": (0.11, 0, 0.07)},
    )  # fmt: skip
    return pelvis, gaster, torso, chest, _head()


def _head() -> Limb:
    return Limb(
        "head", "chest", "neck", (0, 0, 0.18), 5.0,
        (
            capsule((0.02, -0.02, 0.14), (0.02, 0.02, 0.14), 0.085, SHELL, drawn=False),
            look("ellipsoid", (0.02, 0, 0.14), (0.095, 0.105, 0.09), SHELL),
            look("ellipsoid", (0.075, 0, 0.085), (0.055, 0.05, 0.05), PALE, pitch=0.6),
            look("ellipsoid", (0.07, 0.085, 0.165), (0.045, 0.035, 0.055), EYE),
            look("ellipsoid", (0.07, -0.085, 0.165), (0.045, 0.035, 0.055), EYE),
            capsule((0, 0, -0.02), (0.01, 0, 0.10), 0.04, DARK, solid=False),
            capsule((0.05, 0.03, 0.21), (0.14, 0.07, 0.33), 0.007, DARK, solid=False),
            capsule((0.05, -0.03, 0.21), (0.14, -0.07, 0.33), 0.007, DARK, solid=False),
            capsule((0.14, 0.07, 0.33), (0.24, 0.10, 0.35), 0.005, DARK, solid=False),
            capsule((0.14, -0.07, 0.33), (0.24, -0.10, 0.35), 0.005, DARK, solid=False),
        ),
        limits=ball((-45, 45), (-55, 60), (-75, 75)), torque=(45, 50, 25), tips={"head_top": (0.02, 0, 0.225)},
    )  # fmt: skip


def _leg() -> tuple[Limb, ...]:
    thigh = Limb(
        "thigh_l", "pelvis", "hip_l", (0, 0.12, 0), 8.0,
        (
            capsule((0, 0, -0.02), (0, 0, -0.40), 0.05, DARK),
            look("ellipsoid", (0, 0, -0.15), (0.08, 0.07, 0.20), SHELL),
        ),
        limits=ball((-30, 70), (-130, 35), (-45, 45)), torque=(200, 250, 100), rest=(0, -THIGH_LEAN, 0),
        passes=("torso",),
    )  # fmt: skip
    shin = Limb(
        "shin_l", "thigh_l", "knee_l", (0, 0, -0.40), 4.0,
        (
            capsule((0, 0, 0), (0, 0, -0.42), 0.038, DARK),
            look("ellipsoid", (0, 0, -0.03), (0.062, 0.058, 0.075), SHELL),
            look("ellipsoid", (-0.01, 0, -0.18), (0.052, 0.048, 0.16), SHELL),
        ),
        limits=degrees(0, 150), torque=(250,), rest=(SHIN_LEAN + THIGH_LEAN,),
    )  # fmt: skip
    foot = Limb(
        "foot_l", "shin_l", "ankle_l", (0, 0, -0.42), 1.5,
        (
            look("ellipsoid", (0, 0, -0.03), (0.06, 0.05, 0.05), SHELL),
            look("ellipsoid", (-0.05, 0, -0.06), (0.055, 0.045, 0.02), DARK),
            look("ellipsoid", (0.09, 0.038, -0.057), (0.135, 0.026, 0.023), PALE),
            look("ellipsoid", (0.09, -0.038, -0.057), (0.135, 0.026, 0.023), PALE),
            look("ellipsoid", (0.08, 0, -0.055), (0.12, 0.04, 0.025), SHELL),
        ),
        limits=ball((-35, 25), (-35, 50), (-25, 25)), torque=(80, 190, 50), rest=(0, -SHIN_LEAN, 0),
        sole=Sole(heel=-0.09, toe=0.21, width=(0.09, 0.12), depth=ANKLE_HEIGHT),
        tips={"foot_l": (0.06, 0, -ANKLE_HEIGHT)},
    )  # fmt: skip
    return thigh, shin, foot


def _arm(
    prefix: str, parent: str, anchor: tuple, upper: float, fore: float, rest: tuple, bend: float, mass: float
) -> tuple[Limb, Limb]:
    """An arm of two parts that ends in a pincer: lengths [m], rest rotation and elbow [rad], upper mass [kg]."""
    upper_arm = Limb(
        f"{prefix}upper_arm_l", parent, f"{prefix}shoulder_l", anchor, mass,
        (
            capsule((0, 0, 0), (0, 0, -upper), 0.03, DARK),
            look("ellipsoid", (0, 0, -0.35 * upper), (0.045, 0.045, 0.45 * upper), SHELL),
        ),
        limits=ball((-125, 125), (-125, 125), (-110, 110), centre=(45, -50)), torque=(90, 90, 50), rest=rest,
        armature=0.01, track=0.15, arm=True,
    )  # fmt: skip
    tip = fore - 0.09
    forearm = Limb(
        f"{prefix}forearm_l", upper_arm.name, f"{prefix}elbow_l", (0, 0, -upper), 0.7 * mass,
        (
            capsule((0, 0, 0), (0, 0, -fore), 0.024, DARK, drawn=False),
            capsule((0, 0, 0), (0, 0, -tip), 0.024, DARK, solid=False),
            look("ellipsoid", (0, 0, -0.45 * tip), (0.038, 0.036, 0.5 * tip), SHELL),
            look("ellipsoid", (0.022, 0, -tip - 0.055), (0.014, 0.02, 0.075), PALE, pitch=-0.2),
            look("ellipsoid", (-0.022, 0, -tip - 0.055), (0.014, 0.02, 0.075), PALE, pitch=0.2),
        ),
        limits=degrees(-150, 0), torque=(60,), rest=(bend,), armature=0.01, track=0.15, arm=True,
        tips={f"{prefix}hand_l": (0, 0, -fore)},
    )  # fmt: skip
    return upper_arm, forearm

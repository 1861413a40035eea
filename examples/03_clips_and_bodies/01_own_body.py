"""Own body: ten limbs described in a list. Gains are free of size, so it balances without tuning."""

import poise
from poise.behaviours import Balance
from poise.character.build import Limb, ball, both_sides, build, degrees
from poise.character.shapes import Sole, capsule

BLUE, SAND = (0.25, 0.45, 0.62, 1), (0.85, 0.72, 0.50, 1)
THIGH, SHIN, ANKLE = 0.30, 0.30, 0.06  # [m]
MOMENTS = (0.4, 0.55, 0.8, 1.2, 2.8)  # of its picture [s]


def robot() -> poise.Character:
    """A small robot of 20 kg; centres of mass and inertias come from its shapes."""
    trunk = (
        Limb("pelvis", "", "root", (0, 0, 0), 4.0, (capsule((0, -0.06, 0), (0, 0.06, 0), 0.07, BLUE),)),
        Limb(
            "torso", "pelvis", "spine", (0, 0, 0.08), 6.0, (capsule((0, 0, 0.05), (0, 0, 0.25), 0.09, SAND),),
            limits=ball((-30, 30), (-30, 40), (-30, 30)), torque=(80, 80, 50),
        ),
    )  # fmt: skip
    left = (
        Limb(
            "thigh_l", "pelvis", "hip_l", (0, 0.09, 0), 2.0, (capsule((0, 0, -0.03), (0, 0, -THIGH), 0.045, BLUE),),
            limits=ball((-30, 45), (-110, 30), (-40, 40)), torque=(80, 100, 50), rest=(0, -0.2, 0),
        ),
        Limb(
            "shin_l", "thigh_l", "knee_l", (0, 0, -THIGH), 1.2, (capsule((0, 0, 0), (0, 0, -SHIN), 0.035, SAND),),
            limits=degrees(0, 140), torque=(100,), rest=(0.4,),
        ),
        Limb(
            "foot_l", "shin_l", "ankle_l", (0, 0, -SHIN), 0.5,
            (capsule((-0.03, 0, -0.03), (0.1, 0, -0.03), 0.03, BLUE),),
            limits=ball((-30, 30), (-40, 40), (-20, 20)), torque=(40, 70, 20), rest=(0, -0.2, 0),
            sole=Sole(-0.06, 0.13, (0.08, 0.08), ANKLE),
        ),
        Limb(
            "arm_l", "torso", "shoulder_l", (0, 0.13, 0.25), 1.3, (capsule((0, 0, 0), (0, 0, -0.3), 0.035, SAND),),
            limits=ball((-120, 120), (-120, 120), (-60, 60)), torque=(30, 30, 15), track=0.15, arm=True,
        ),
    )  # fmt: skip
    return build("robot", trunk + both_sides(*left))


def main(seconds: float = 3.0) -> poise.Recording:
    body = robot()
    push = poise.Push("torso", (60.0, 20.0, 0.0), start=0.5, duration=0.1)
    scene = poise.Scene("own-body", body, poise.World(pushes=(push,)), Balance(), seconds=seconds)
    take = poise.simulate(scene)
    outcome = "fell" if take.fell else "stands"
    print(f"{body.mass:.1f} kg, {body.com_rest[2]:.2f} m to its centre of mass: {outcome}")
    return take


if __name__ == "__main__":
    main().save("robot.png")

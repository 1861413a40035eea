"""What a body alone says against a gait."""

from __future__ import annotations

from foreign_files import JOINTS, LEG, MOTORS, TRUNK, biped, write
from poise.behaviours.stepping.able import obstacles
from poise.character import Character


def made(tmp_path, text: str) -> Character:
    return Character.from_mjcf(write(tmp_path, text))


def test_nothing_is_said_against_a_sound_biped(tmp_path):
    assert obstacles(made(tmp_path, biped()), 0.3) == []


def test_hips_too_weak_for_one_leg_are_named(tmp_path):
    weak = MOTORS.replace('joint="hip_roll_l" ctrlrange="-300 300"', 'joint="hip_roll_l" ctrlrange="-10 10"')
    found = obstacles(made(tmp_path, biped(weak)))
    assert len(found) == 1 and found[0].startswith("hip_roll_l has 10 N m")


def test_a_leg_without_ankle_roll_cannot_keep_its_sole_level(tmp_path):
    stiff = LEG.replace('<joint name="ankle_roll_{s}" axis="1 0 0" range="-30 30"/>', "")
    legs = stiff.format(s="l", y=0.1) + stiff.format(s="r", y=-0.1)
    motors = "".join(f'<motor joint="{j}"/>' for j in JOINTS if "ankle_roll" not in j)
    text = f"<mujoco><worldbody>{TRUNK.format(legs=legs)}</worldbody><actuator>{motors}</actuator></mujoco>"
    assert any("cannot keep its sole level" in why for why in obstacles(made(tmp_path, text)))


def test_damping_that_takes_all_torque_limits_the_speed(tmp_path):
    slow = biped().replace('range="0 140"', 'range="0 140" damping="100"')
    assert obstacles(made(tmp_path, slow)) == []
    assert any("turns at 3 rad/s at most" in why for why in obstacles(made(tmp_path, slow), 0.8))

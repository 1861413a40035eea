"""What a body alone says against a gait."""

from __future__ import annotations

import poise
from foreign_files import JOINTS, LEG, MOTORS, TRUNK, biped, write
from poise.behaviours import Stepper, Stride
from poise.behaviours.stepping.able import obstacles, tied
from poise.behaviours.stepping.legs import Legs
from poise.behaviours.stepping.step import STAND
from poise.character import Character
from poise.scenes.stepping import CLEAR_OF, roomy


def made(tmp_path, text: str) -> Character:
    return Character.from_mjcf(write(tmp_path, text))


def test_nothing_is_said_against_a_sound_biped(tmp_path):
    assert obstacles(made(tmp_path, biped()), 0.3) == []


def test_hips_too_weak_for_one_leg_are_named(tmp_path):
    weak = MOTORS.replace('joint="hip_roll_l" ctrlrange="-300 300"', 'joint="hip_roll_l" ctrlrange="-10 10"')
    found = obstacles(made(tmp_path, biped(weak)))
    assert len(found) == 1 and found[0].startswith("hip_roll_l has 10 N m")


def without_ankle_roll(tmp_path) -> Character:
    stiff = LEG.replace('<joint name="ankle_roll_{s}" axis="1 0 0" range="-30 30"/>', "")
    legs = stiff.format(s="l", y=0.1) + stiff.format(s="r", y=-0.1)
    motors = "".join(f'<motor joint="{j}"/>' for j in JOINTS if "ankle_roll" not in j)
    text = f"<mujoco><worldbody>{TRUNK.format(legs=legs)}</worldbody><actuator>{motors}</actuator></mujoco>"
    return made(tmp_path, text)


def test_a_leg_without_ankle_roll_cannot_keep_its_sole_level(tmp_path):
    body = without_ankle_roll(tmp_path)
    assert any("cannot keep its sole level" in why for why in obstacles(body))
    assert all(tied(body, leg) for leg in Legs(body).both)
    assert not any(tied(made(tmp_path, biped()), leg) for leg in Legs(made(tmp_path, biped())).both)


def test_such_soles_roll_with_the_body_in_steps(tmp_path):
    session = poise.Session(poise.scene("walk", without_ankle_roll(tmp_path), seconds=2.0, speed=0.1))
    session.step(0.8)
    behaviour, state = session.controller.behaviour, session.controller.state
    assert isinstance(behaviour, Stepper) and behaviour.gait.phase != STAND
    soles = behaviour.heels.rolling(behaviour.facts, behaviour._measure(state), behaviour.gait)
    assert soles and all(sole.weights(state)[3] == 0.0 for sole in soles)
    assert all(sole.weights(state)[:3].min() > 0.0 for sole in soles)


def test_hinged_bodies_from_files_keep_their_soles_clear_of_each_other(tmp_path):
    assert roomy(Stride(), made(tmp_path, biped())).clearance == CLEAR_OF
    assert roomy(Stride(), Character.named("adult")) == Stride()


def test_damping_that_takes_all_torque_limits_the_speed(tmp_path):
    slow = biped().replace('range="0 140"', 'range="0 140" damping="100"')
    assert obstacles(made(tmp_path, slow)) == []
    assert any("turns at 3 rad/s at most" in why for why in obstacles(made(tmp_path, slow), 0.8))

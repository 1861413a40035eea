"""Ankles, toes and facing of legs that other people made."""

from __future__ import annotations

import math

import numpy as np
import pytest

from foreign_files import LEG, TRUNK, biped, write
from poise.behaviours.stepping.legs import Legs
from poise.character import Character

SHIN = '<body name="shin_{s}" pos="0 0 -0.4">'
TURNED = '<body name="shin_{s}" pos="0 0 -0.4" quat="1 1 0 0"><frame quat="1 -1 0 0">'  # a frame that lies


def with_legs(leg: str) -> str:
    legs = leg.format(s="l", y=0.1) + leg.format(s="r", y=-0.1)
    return f'<mujoco model="biped"><worldbody>{TRUNK.format(legs=legs)}</worldbody></mujoco>'


def made(tmp_path, text: str) -> Legs:
    return Legs(Character.from_mjcf(write(tmp_path, text)))


def test_the_ankle_is_found_among_hinges_in_any_order(tmp_path):
    leg = made(tmp_path, biped()).left
    assert leg.shank == "shin_l"
    assert leg.flex == pytest.approx(-math.radians(50), abs=0.02)


def test_frames_that_lie_make_no_difference(tmp_path):
    upright = made(tmp_path, with_legs(LEG)).left
    head, tail = LEG.split(SHIN)
    inner, end = tail.rsplit("</body>\n    </body>", 1)
    lying = made(tmp_path, with_legs(head + TURNED + inner + "</frame></body>\n    </body>" + end)).left
    assert lying.shank == "shin_l"
    assert lying.flex == pytest.approx(upright.flex, abs=1e-4)  # a rest pose is searched for, to 1e-5 or so
    data = [leg for leg in (upright.up, lying.up)]
    assert not np.allclose(*data, atol=0.5)  # the same direction, seen from another frame


def test_a_body_that_looks_backward_is_turned(tmp_path):
    turned = biped().replace(
        '<body name="pelvis" pos="0 0 1.0">', '<body name="pelvis" pos="0 0 1.0" euler="0 0 180">'
    )
    body = Character.from_mjcf(write(tmp_path, turned))
    legs = Legs(body)
    assert legs.left.bodies[-1] == "foot_l" and legs.left.hip[1] > 0
    assert body.report is not None and "turned" in body.report.about("facing").evidence


def test_toes_are_planted_with_their_foot(tmp_path):
    toes = '<body name="toes_{s}" pos="0.16 0 -0.05"><joint axis="0 1 0" range="-40 40"/>'
    toes += '<geom type="box" size="0.03 0.05 0.02" pos="0.03 0 0" mass="0.2"/></body>'
    foot = '<geom type="box" size="0.12 0.05 0.02" pos="0.03 0 -0.05" mass="1"/>'
    character = Character.from_mjcf(write(tmp_path, with_legs(LEG.replace(foot, foot + toes))))
    legs = Legs(character)
    names = [s.name for s in character.supports]
    assert [names[leg.support] for leg in legs.both] == ["foot_l", "foot_r"]
    assert [[names[t] for t in leg.toes] for leg in legs.both] == [["toes_l"], ["toes_r"]]


def test_a_file_without_rotors_gets_them_by_size(tmp_path):
    bare = Character.from_mjcf(write(tmp_path, biped()))
    size = 2e-4 * bare.mass * float(bare.com_rest[2]) ** 2
    assert bare.model.dof_armature[6:] == pytest.approx(size, rel=0.01)
    own = biped().replace('range="0 140"', 'range="0 140" armature="0.5"')
    kept = Character.from_mjcf(write(tmp_path, own))
    knees = [int(kept.model.joint(f"knee_{s}").dofadr[0]) for s in "lr"]
    assert kept.model.dof_armature[knees] == pytest.approx(0.5)

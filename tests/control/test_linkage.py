"""Closed linkages: seen in a model, and refused where a leg's has joints that nothing drives."""

from __future__ import annotations

import pytest

import foreign_files as files
import poise
from poise.control.linkage import loops
from poise.dynamics.tree import Tree
from poise.errors import BadInput

ROD = '<equality><connect body1="{a}" body2="{b}" anchor="0 0 0"/></equality>'


def body(folder, a: str, b: str, idle: str = "") -> poise.Character:
    """The biped with a rod between two of its parts, and a joint without a motor."""
    motors = "".join(f'<motor joint="{j}" ctrlrange="-300 300"/>' for j in files.JOINTS if j != idle)
    return poise.Character.from_mjcf(files.write(folder, files.biped(motors, ROD.format(a=a, b=b))))


def test_the_joints_of_a_loop(tmp_path):
    robot = body(tmp_path, "pelvis", "shin_l")
    (loop,) = loops(Tree.of(robot.model, robot))
    names = [robot.model.joint(int(robot.model.dof_jntid[d])).name for d in loop.dofs.nonzero()[0]]
    assert (loop.a, loop.b, names) == ("pelvis", "shin_l", ["hip_roll_l", "hip_pitch_l", "knee_l"])


def test_a_passive_joint_in_the_loop_of_a_leg_is_refused_before_the_run(tmp_path):
    robot = body(tmp_path, "pelvis", "shin_l", idle="knee_l")
    with pytest.raises(BadInput, match=r"pelvis and shin_l of body close a loop in a leg.*\(knee_l\)"):
        poise.simulate(poise.scene("stand", robot, seconds=0.1))


def test_a_loop_that_carries_nothing_or_is_driven_runs(tmp_path):
    for a, b, idle in (("pelvis", "chest", "waist"), ("pelvis", "shin_l", "")):
        take = poise.simulate(poise.scene("stand", body(tmp_path, a, b, idle), seconds=0.05))
        assert not take.fell


def test_what_the_report_knows_a_run_says(tmp_path):
    robot = body(tmp_path, "pelvis", "chest", idle="waist")
    take = poise.simulate(poise.scene("stand", robot, seconds=0.05))
    assert any("joints without a drive: ['waist']" in note for note in take.notes)

"""Servos asked for places and speeds: they give the solved torques, and a body stands by them."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import foreign_files as files
import poise
from poise.behaviours import Balance
from poise.errors import BadInput

FLOOR = '<geom type="plane" size="5 5 0.1" friction="0.8 0.005 0.0001"/>'
KINDS = {
    "position": '<position joint="{j}" kp="150" kv="4" gear="2" forcerange="-150 150"/>',
    "velocity": '<velocity joint="{j}" kv="30" forcerange="-300 300"/>',
}


def own_loop(folder, kind: str, dt: float | None = None, **how):
    """The biped with servos, its controller, model and data."""
    servos = "".join(KINDS[kind].format(j=j) for j in files.JOINTS)
    path = files.write(folder, files.biped(servos, world=FLOOR))
    robot = poise.Character.from_mjcf(path)
    model = mujoco.MjModel.from_xml_path(str(path))
    model.opt.timestep = 0.001
    data = mujoco.MjData(model)
    data.qpos[:] = robot.q_rest
    return poise.Controller(robot, Balance(), dt=dt, servos=True, **how), model, data


@pytest.mark.parametrize("kind", KINDS)
def test_a_servo_gives_the_solved_torque(tmp_path, kind: str):
    controller, model, data = own_loop(tmp_path, kind)
    for _ in range(50):
        data.ctrl[:] = controller(model, data)
        mujoco.mj_step(model, data)
        np.testing.assert_allclose(data.qfrc_actuator[6:], controller.solution.tau[6:], atol=1e-6)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dt", [None, 0.005])
def test_a_pushed_body_stands_by_its_servos(tmp_path, kind: str, dt: float | None):
    controller, model, data = own_loop(tmp_path, kind, dt)
    chest = model.body("chest").id
    while data.time < 3.0:
        data.xfrc_applied[chest, 0] = 100.0 if 0.5 <= data.time < 0.6 else 0.0
        data.ctrl[:] = controller(model, data)
        mujoco.mj_step(model, data)
    assert controller.status.word == "standing"
    assert np.linalg.norm(controller.state.c_dot) < 0.02


def test_mode_paper_has_no_servos(tmp_path):
    with pytest.raises(BadInput, match="servos are driven in modes robust and fast"):
        own_loop(tmp_path, "position", control=poise.Control(mode="paper"))

"""Bodies that other people ship in packages: they load, stand for 20 s, and take a push from each side."""

from __future__ import annotations

import importlib.util
import math
import sysconfig
from functools import cache
from pathlib import Path

import mujoco
import numpy as np
import pytest

import foreign_files as files
import poise
from poise.character import Character

# package, file in it, supports, push taken in each direction [m/s]
BODIES = {
    "dm humanoid": ("dm_control", "suite/humanoid.xml", 2, 0.25),
    "dm CMU": ("dm_control", "suite/humanoid_CMU.xml", 4, 0.25),
    "dm CMU 2019": ("dm_control", "locomotion/walkers/assets/humanoid_CMU_V2019.xml", 6, 0.25),
    "dm dog": ("dm_control", "suite/dog.xml", 4, 0.25),
    "dm quadruped": ("dm_control", "suite/quadruped.xml", 4, 0.25),
    "gym ant": ("gymnasium", "envs/mujoco/assets/ant.xml", 4, 0.25),
    "gym humanoid": ("gymnasium", "envs/mujoco/assets/humanoid.xml", 2, 0.05),  # stands on two balls
    "iCub, boxes": (
        "gym_ignition_models",
        "iCubGazeboSimpleCollisionsV2_5/icub_simple_collisions.urdf",
        2,
        0.25,
    ),
    "iCub, meshes": ("icub_models", "share/iCub/robots/iCubGazeboV2_5/model.urdf", 2, 0.25),
}


def find(package: str, file: str) -> Path:
    """A file of a package, without importing it; skips where the package is absent."""
    found = importlib.util.find_spec(package)
    if found is None or found.origin is None:
        pytest.skip(f"package {package} is not installed; pip install poise[bodies]")
    folders = [Path(found.origin).parent, Path(sysconfig.get_path("data"))]
    for folder in folders:
        if (folder / file).is_file():
            return folder / file
    pytest.skip(f"package {package} has no {file}")


@cache
def load(name: str) -> Character:
    package, file, *_ = BODIES[name]
    return Character.named(str(find(package, file)))


@pytest.mark.parametrize("name", ["dm humanoid", "gym humanoid", "gym ant", "iCub, boxes"])
def test_stands(name: str):
    body = load(name)
    assert len(body.supports) == BODIES[name][2]
    take = poise.simulate(poise.scene("stand", character=body, seconds=1.5))
    assert not take.fell and files.metric(take, "com_speed_final_ms") < 0.05


@pytest.mark.slow
@pytest.mark.parametrize("name", BODIES)
def test_stands_for_twenty_seconds(name: str):
    take = poise.simulate(poise.scene("stand", character=load(name), seconds=20.0))
    assert not take.fell and files.metric(take, "com_speed_final_ms") < 0.05
    assert files.metric(take, "foot_slip_m") < 0.02


@pytest.mark.slow
@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("degrees", range(0, 360, 45))
def test_takes_a_push_from_every_side(name: str, degrees: int):
    body, speed = load(name), BODIES[name][3]
    newtons, angle = speed * body.mass / 0.1, math.radians(degrees)
    push = poise.Push("torso", (newtons * math.cos(angle), newtons * math.sin(angle), 0.0), 1.0, 0.1)
    take = poise.simulate(poise.scene("balance-push", character=body, push=push, seconds=5.1, after_fall=0.0))
    assert not take.fell and files.metric(take, "com_speed_final_ms") < 0.15


@pytest.mark.parametrize("name", ["dm humanoid", "gym humanoid"])
def test_its_own_actuators_drive_it_on_its_own_model(name: str):
    """Their model as it is, with their motors, gears, floor and time step; no world of ours."""
    body = load(name)
    model = mujoco.MjModel.from_xml_path(body.source)
    data, ctrl = mujoco.MjData(model), poise.Controller(body, poise.behaviours.Balance())
    data.qpos[:] = body.q_rest
    for _ in range(round(2.0 / model.opt.timestep)):
        data.ctrl[:] = ctrl(model, data)
        assert (np.abs(data.ctrl) <= 1.0).all()
        mujoco.mj_step(model, data)
    assert data.subtree_com[1][2] == pytest.approx(body.com_rest[2], abs=0.02)
    assert np.abs(data.qvel).max() < 0.2

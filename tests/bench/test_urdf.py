"""The URDF that peers read is the same body."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import poise
from poise.bench.peer import standing_task
from poise.bench.urdf import rest_angles, urdf

BODIES = ("adult", "insectoid", "chicken")


@pytest.mark.parametrize("name", BODIES)
def test_same_mass_and_degrees_of_freedom(name):
    pin = pytest.importorskip("pinocchio")
    body = poise.Character.named(name)
    model = pin.buildModelFromXML(urdf(body), pin.JointModelFreeFlyer())
    assert model.nv == body.model.nv
    assert sum(i.mass for i in model.inertias) == pytest.approx(body.mass, rel=1e-9)


@pytest.mark.parametrize("name", BODIES)
def test_same_centre_of_mass_and_inertia_at_rest(name):
    pin = pytest.importorskip("pinocchio")
    body = poise.Character.named(name)
    model = pin.buildModelFromXML(urdf(body), pin.JointModelFreeFlyer())
    data, q = model.createData(), pin.neutral(model)
    q[:3] = body.q_rest[:3]
    for joint, angle in rest_angles(body).items():
        q[model.idx_qs[model.getJointId(joint)]] = angle
    centre = pin.centerOfMass(model, data, q)
    np.testing.assert_allclose(centre, body.com_rest, atol=1e-9)
    inertia = pin.ccrba(model, data, q, np.zeros(model.nv)) is not None and data.Ig.inertia
    ours = mujoco.MjData(body.model)
    ours.qpos[:] = body.q_rest
    mujoco.mj_fwdPosition(body.model, ours)
    xx, yy, zz, xy, xz, yz = ours.crb[1][:6]
    np.testing.assert_allclose(inertia, [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], atol=1e-8)


def test_task_names_frames_that_exist():
    body = poise.Character.named("adult")
    task = standing_task(body, 0.8)
    text = urdf(body)
    for foot in task["feet"]:
        assert f'<link name="{foot["frame"]}"' in text
        assert 0.2 < foot["length"] < 0.3
        assert 0.05 < foot["width"] < 0.15

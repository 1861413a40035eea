"""Penalty ground: weight, cone, rest and flight, on a brick whose answers are known."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from poise.worlds.contact import PenaltyContact

MASS, G = 20.0, 9.81
DT = 0.0005
BRICK = """
<mujoco>
  <option timestep="{dt}" integrator="Euler"/>
  <worldbody>
    <geom name="ground" type="plane" size="5 5 .1" contype="0" conaffinity="0"/>
    <body name="brick" pos="0 0 {height}">
      <freejoint/>
      <geom type="box" size=".2 .15 .1" mass="{mass}"/>
    </body>
  </worldbody>
</mujoco>
"""


class Rig:
    """A brick on penalty ground, stepped by hand; keeps the ground's force of the last step."""

    def __init__(self, height: float = 0.1, mu: float = 0.5):
        self.model = mujoco.MjModel.from_xml_string(BRICK.format(dt=DT, height=height, mass=MASS))
        self.data = mujoco.MjData(self.model)
        self.contact = PenaltyContact(self.model, self.data, range(1, 2), [[1]], mu)
        self.force = np.zeros(self.model.nv)

    def step(self) -> np.ndarray:
        mujoco.mj_step1(self.model, self.data)
        self.force[:] = 0.0
        self.contact.apply(self.force)
        self.data.qfrc_applied[:] = self.force
        mujoco.mj_step2(self.model, self.data)
        return self.force

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds / DT)):
            self.step()


def test_at_rest_the_ground_carries_the_weight():
    rig = Rig()
    rig.run(1.0)
    np.testing.assert_allclose(rig.force[:3], [0.0, 0.0, MASS * G], atol=1e-3 * MASS * G)
    np.testing.assert_allclose(rig.force[3:], 0.0, atol=1e-3 * MASS)
    assert rig.contact.penetration() < 1e-3


def test_no_drift_at_rest():
    rig = Rig()
    rig.run(0.5)
    before = rig.data.qpos.copy()
    rig.run(2.0)
    assert np.abs(rig.data.qpos - before).max() < 1e-6


def test_no_creep_under_a_steady_pull_inside_the_cone():
    """A spring to where the brick stands, not a damper: half the friction holds for ever."""
    rig = Rig(mu=0.5)
    rig.run(0.5)
    rig.data.xfrc_applied[1, 0] = 0.25 * MASS * G
    rig.run(0.5)
    before = rig.data.qpos[:3].copy()
    rig.run(2.0)
    assert np.abs(rig.data.qpos[:3] - before).max() < 1e-5
    assert rig.force[0] == pytest.approx(-0.25 * MASS * G, rel=1e-3)


@pytest.mark.parametrize("mu", [0.1, 0.6])
def test_sliding_obeys_the_cone_and_brakes_with_mu_g(mu: float):
    rig = Rig(mu=mu)
    rig.run(0.3)
    rig.data.qvel[:2] = [1.2, -0.9]
    for _ in range(200):
        f = rig.step()
        assert np.hypot(f[0], f[1]) <= mu * f[2] * (1 + 1e-9) + 1e-9
    speed = np.hypot(*rig.data.qvel[:2])
    assert speed == pytest.approx(1.5 - mu * G * 200 * DT, abs=0.03)
    np.testing.assert_allclose(rig.data.qvel[:2] / speed, [0.8, -0.6], atol=0.02)


def test_a_slid_brick_stays_where_it_stops():
    rig = Rig(mu=0.6)
    rig.run(0.2)
    rig.data.qvel[0] = 1.0
    rig.run(1.0)
    before = rig.data.qpos[0]
    assert before == pytest.approx(1.0 / (2 * 0.6 * G), rel=0.1)  # v² / (2 μ g)
    rig.run(1.0)
    assert abs(rig.data.qpos[0] - before) < 1e-4


def test_free_fall_until_contact():
    rig = Rig(height=0.3)
    fall = np.sqrt(2 * 0.2 / G)
    for _ in range(int(fall / DT) - 2):
        assert not rig.step().any()
    np.testing.assert_allclose(rig.data.qvel[2], -G * rig.data.time, rtol=1e-9)
    assert any(rig.step()[2] > 0 for _ in range(round(0.05 / DT)))  # it has met the ground


def test_the_ground_never_pulls():
    rig = Rig(height=0.101)
    for _ in range(1000):
        assert rig.step()[2] >= 0.0
        if rig.data.time > 0.2:
            rig.data.xfrc_applied[1, 2] = 2 * MASS * G  # torn off
    assert rig.data.qpos[2] > 0.11


def test_a_landed_point_forgets_where_it_stood():
    """After a hop the springs start where the brick comes down, not where it left."""
    rig = Rig()
    rig.run(0.3)
    rig.data.qpos[2] += 0.02
    rig.step()
    rig.data.qpos[0] += 0.5
    rig.run(0.5)
    assert rig.data.qpos[0] == pytest.approx(0.5, abs=1e-3)


@pytest.mark.parametrize(
    "shape", ["type='sphere' size='.1'", "type='capsule' size='.05 .1'", "type='box' size='.1 .1 .1'"]
)
def test_every_shape_meets_the_ground(shape: str):
    xml = BRICK.format(dt=DT, height=0.2, mass=MASS).replace('type="box" size=".2 .15 .1"', shape)
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    contact = PenaltyContact(model, data, range(1, 2), [[1]], 0.5)
    for _ in range(2000):
        mujoco.mj_step1(model, data)
        data.qfrc_applied[:] = 0.0
        contact.apply(data.qfrc_applied)
        mujoco.mj_step2(model, data)
    assert 0.02 < data.qpos[2] < 0.2 and contact.penetration() < 2e-3

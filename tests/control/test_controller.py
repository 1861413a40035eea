"""Controller in anybody's own loop: plain MuJoCo objects in, controls out."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import poise
from poise.behaviours import Balance
from poise.character import Character
from poise.control import Control, Controller
from poise.errors import BadInput


def own_world(name: str = "adult", change=None) -> tuple[Character, mujoco.MjModel, mujoco.MjData]:
    """A user's model: the body on a floor of their own, engine at its defaults."""
    character = Character.named(name)
    spec = mujoco.MjSpec.from_string(character.spec_xml)
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[5, 5, 0.1], friction=[0.8, 0.005, 0.0001])
    if change is not None:
        change(spec)
    model = spec.compile()
    data = mujoco.MjData(model)
    data.qpos[: character.model.nq] = character.q_rest
    return character, model, data


def run(ctrl: Controller, model: mujoco.MjModel, data: mujoco.MjData, seconds: float) -> None:
    for _ in range(round(seconds / model.opt.timestep)):
        data.ctrl[:] = ctrl(model, data)
        mujoco.mj_step(model, data)


def height(model: mujoco.MjModel, data: mujoco.MjData) -> float:
    mujoco.mj_forward(model, data)
    return float(data.subtree_com[0][2])


def test_stands_in_a_plain_loop():
    character, model, data = own_world()
    run(poise.Controller(character, poise.behaviours.Balance()), model, data, 3.0)
    assert height(model, data) == pytest.approx(character.com_rest[2], abs=0.02)
    assert np.abs(data.qvel).max() < 0.1


def test_stands_in_fast_mode():
    character, model, data = own_world()
    run(Controller(character, Balance(), Control(mode="fast")), model, data, 2.0)
    assert height(model, data) == pytest.approx(character.com_rest[2], abs=0.03)


def test_survives_a_push_in_a_plain_loop():
    character, model, data = own_world()
    ctrl = Controller(character, Balance())
    run(ctrl, model, data, 0.3)
    data.body("torso").xfrc_applied[0] = 150.0
    run(ctrl, model, data, 0.1)
    data.body("torso").xfrc_applied[0] = 0.0
    run(ctrl, model, data, 2.5)
    assert height(model, data) == pytest.approx(character.com_rest[2], abs=0.03)


def test_controls_are_within_the_range_of_the_motors():
    character, model, data = own_world()
    ctrl = Controller(character, Balance())
    data.qvel[:3] = [0.8, 0.0, 0.0]
    for _ in range(200):
        u = ctrl(model, data)
        low, high = model.actuator_ctrlrange.T
        assert (u <= high * 1.001).all() and (u >= low * 1.001).all()
        data.ctrl[:] = u
        mujoco.mj_step(model, data)


def test_gears_and_order_do_not_matter():
    """The same torques reach the joints when motors are geared."""

    def geared(spec: mujoco.MjSpec) -> None:
        for k, a in enumerate(spec.actuators):
            g = 2.0 if k % 2 else -3.0
            a.gear = [g * x for x in a.gear]
            a.ctrlrange = sorted(x / g for x in a.ctrlrange)

    found = []
    for change in (None, geared):
        character, model, data = own_world(change=change)
        run(Controller(character, Balance()), model, data, 0.2)
        found.append(data.qpos.copy())
    # rounding grows through contact, and decides whether a limit that is just met joins the program
    np.testing.assert_allclose(found[1], found[0], atol=1e-4)


def test_other_bodies_may_be_in_the_model():
    def ball(spec: mujoco.MjSpec) -> None:
        body = spec.worldbody.add_body(name="ball", pos=[2, 0, 0.1])
        body.add_freejoint()
        body.add_geom(type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[0.1, 0, 0])

    character, model, data = own_world(change=ball)
    run(Controller(character, Balance()), model, data, 1.0)
    assert float(data.body("head").xpos[2]) > 1.4


def test_step1_before_the_call_gives_the_same():
    character, model, data = own_world()
    again = mujoco.MjData(model)
    again.qpos[:] = data.qpos
    run(Controller(character, Balance()), model, data, 0.2)
    ctrl = Controller(character, Balance())
    for _ in range(100):
        mujoco.mj_step1(model, again)
        again.ctrl[:] = ctrl(model, again, ready=True)
        mujoco.mj_step2(model, again)
    np.testing.assert_array_equal(again.qpos, data.qpos)


@pytest.mark.parametrize("deep", [0.0, 0.003, 0.02])
def test_the_floor_is_found_though_feet_begin_inside_it(deep: float):
    character, model, data = own_world()
    data.qpos[2] -= deep
    ctrl = Controller(character, Balance())
    ctrl(model, data)
    assert ctrl.state.ground.point[2] == 0.0


def test_a_new_data_starts_a_new_take():
    """Handing over other data starts afresh, with nothing remembered."""
    character, model, data = own_world()
    ctrl = Controller(character, Balance())
    run(ctrl, model, data, 0.2)
    _, model, fresh = own_world()
    run(ctrl, model, fresh, 0.2)
    np.testing.assert_array_equal(fresh.qpos, data.qpos)


def test_a_state_that_is_not_finite_gets_no_torque():
    character, model, data = own_world()
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_AUTORESET
    ctrl = Controller(character, Balance())
    run(ctrl, model, data, 0.02)
    data.qvel[10] = np.nan
    assert not ctrl(model, data).any()


def test_servos_are_refused():
    def servo(spec: mujoco.MjSpec) -> None:
        spec.actuators[3].set_to_position(kp=100.0)

    character, model, data = own_world(change=servo)
    with pytest.raises(BadInput, match="not a torque motor") as caught:
        Controller(character, Balance())(model, data)
    assert model.actuator(3).name in str(caught.value) and "<motor>" in str(caught.value)


def test_a_model_without_motors_is_refused():
    def bare(spec: mujoco.MjSpec) -> None:
        for a in list(spec.actuators):
            spec.delete(a)

    character, model, data = own_world(change=bare)
    with pytest.raises(BadInput, match="no torque motors"):
        Controller(character, Balance())(model, data)


def test_another_body_is_refused_by_name():
    _, model, data = own_world("adult")
    with pytest.raises(BadInput, match="not found"):
        Controller(Character.named("insectoid"), Balance())(model, data)


def test_unknown_modes_are_refused():
    with pytest.raises(BadInput, match=r"'robots' not found.*did you mean 'robust'"):
        Control(mode="robots")


@pytest.mark.parametrize(("mode", "rate"), [("robust", 100.0), ("fast", 60.0), ("paper", 60.0)])
def test_objectives_are_refreshed_at_their_rate(mode: str, rate: float):
    assert Control(mode=mode).rate == rate
    assert Control(mode=mode, refresh_hz=250.0).rate == 250.0

"""The controller in somebody else's loop: rates, reset, status, mode paper, two threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import mujoco
import numpy as np
import pytest

import poise
from poise.behaviours import Balance, Recover, Stepper
from poise.errors import BadInput

BODY = poise.Character.named("adult")


def plant(dt: float = 0.001) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """The adult on a plane of nobody's in particular."""
    spec = mujoco.MjSpec.from_string(BODY.spec_xml)
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[5, 5, 0.1], friction=[0.8, 0.005, 0.0001])
    spec.option.timestep = dt
    spec.option.disableflags |= mujoco.mjtDisableBit.mjDSBL_AUTORESET
    model = spec.compile()
    data = mujoco.MjData(model)
    data.qpos[:] = BODY.q_rest
    return model, data


def run(controller, model, data, seconds: float, push: float = 0.0, every: int = 1) -> np.ndarray:
    """Plain steps; a push forward [N] from 0.5 s on for 0.1 s. Returns the path of the centre of mass."""
    torso = model.body("torso").id
    path = []
    for i in range(round(seconds / model.opt.timestep)):
        if i % every == 0:
            data.ctrl[:] = controller(model, data)
        data.xfrc_applied[torso, 0] = push if 0.5 <= data.time < 0.6 else 0.0
        mujoco.mj_step(model, data)
        path.append(data.subtree_com[1].copy())
    return np.array(path)


@pytest.mark.parametrize("hz", [100, 200, 500, 1000])
def test_one_outcome_at_every_rate_of_control(hz: int):
    """Held torques between solves: the same recovery, within a centimetre, at 100 to 1000 Hz on one plant."""
    paths = []
    for rate in (1000, hz):
        model, data = plant()
        controller = poise.Controller(BODY, Balance(), dt=1.0 / rate)
        paths.append(run(controller, model, data, 2.5, push=200.0))
        assert controller.status.word == "standing"
    assert paths[1][:, 0].max() == pytest.approx(paths[0][:, 0].max(), abs=0.01)
    assert np.abs(paths[1][-1] - paths[0][-1]).max() < 0.01


def test_called_less_often_than_the_plant_steps():
    model, data = plant()
    controller = poise.Controller(BODY, Balance(), dt=0.005)
    run(controller, model, data, 2.0, push=150.0, every=5)
    assert controller.status.word == "standing"


def test_steps_at_200_hz():
    model, data = plant()
    controller = poise.Controller(BODY, Stepper(Recover()), dt=0.005)
    run(controller, model, data, 3.0, push=450.0)
    assert controller.status.word == "standing" and controller.behaviour.steps > 0


def test_fifty_resets_are_fifty_new_ones():
    controller = poise.Controller(BODY, Stepper(Recover()))
    model, data = plant(0.002)
    first = None
    for k in range(50):
        mujoco.mj_resetData(model, data)
        data.qpos[:] = BODY.q_rest
        used = controller if k % 2 else poise.Controller(BODY, Stepper(Recover()))
        used.reset()
        path = run(used, model, data, 0.05, push=0.0)
        first = path if first is None else first
        np.testing.assert_array_equal(path, first)


def test_time_that_goes_back_is_a_reset():
    controller = poise.Controller(BODY, Stepper(Recover()))
    model, data = plant(0.002)
    first = run(controller, model, data, 0.7, push=400.0)
    mujoco.mj_resetData(model, data)
    data.qpos[:] = BODY.q_rest
    np.testing.assert_array_equal(run(controller, model, data, 0.7, push=400.0), first)


def test_status_says_what_happens():
    model, data = plant(0.002)
    controller = poise.Controller(BODY, Stepper(Recover()))
    with pytest.raises(BadInput, match="not been called"):
        _ = controller.status
    run(controller, model, data, 0.4)
    assert controller.status == poise.control.Status("standing")
    words, limits = set(), set()
    torso = model.body("torso").id
    while data.time < 1.6:
        data.ctrl[:] = controller(model, data)
        data.xfrc_applied[torso, 0] = 900.0 if 0.5 <= data.time < 0.7 else 0.0
        mujoco.mj_step(model, data)
        words.add(controller.status.word)
        limits |= set(controller.status.limits)
    run(controller, model, data, 1.0)
    assert {"standing", "stepping"} <= words
    assert controller.status.word == "fallen"
    assert limits and limits <= {model.joint(j).name for j in range(model.njnt)}
    data.qvel[:] = np.nan
    controller(model, data)
    assert controller.status.word == "not finite"


@pytest.mark.parametrize("dt", [0.001, 0.002])
def test_mode_paper_reads_the_ground_force_itself(dt: float):
    model, data = plant(dt)
    controller = poise.Controller(BODY, Balance(), poise.Control(mode="paper"))
    run(controller, model, data, 3.0, push=60.0)
    assert controller.status.word == "standing"


def test_two_controllers_in_two_threads():
    def one(_: int) -> np.ndarray:
        model, data = plant(0.002)
        return run(poise.Controller(BODY, Balance()), model, data, 0.8, push=150.0)

    alone = one(0)
    with ThreadPoolExecutor(2) as pool:
        for path in pool.map(one, range(4)):
            np.testing.assert_array_equal(path, alone)


@pytest.mark.parametrize("dt", [0.0, -1.0, 1.0, float("nan")])
def test_impossible_rates_are_refused(dt: float):
    with pytest.raises(BadInput, match="control step"):
        poise.Controller(BODY, Balance(), dt=dt)

"""simulate: modes, falls, states that blow up, and that what it records is physics."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace
from typing import Any

import mujoco
import numpy as np
import pytest

import poise
from poise.behaviours import Balance
from poise.character import Character
from poise.errors import BadInput
from poise.geometry.polygon import hull, signed_distance
from poise.simulate import Scene
from poise.worlds import World

G = 9.81


@pytest.fixture(scope="module")
def shoved() -> poise.Recording:
    """An adult that is pushed at 0.5 s and stays up."""
    return poise.simulate(poise.scene("stand", push="torso:120,60,0@0.5+0.1", seconds=2.0))


@pytest.mark.parametrize("mode", ["robust", "fast", "paper"])
def test_every_mode_stands(mode: str):
    options: dict[str, Any] = {"control.mode": mode}
    take = poise.simulate(poise.scene("stand", seconds=2.0, **options))
    assert not take.fell and take.notes == []
    assert take.metrics["com_speed_final_ms"] < 0.05 and take.metrics["tracking_rmse_rad"] < 0.1  # type: ignore[operator]
    assert np.abs(take["com"][-1] - take["com"][0]).max() < 0.03


@pytest.mark.parametrize("character", ["insectoid", "chicken"])
def test_other_bodies_stand(character: str):
    take = poise.simulate(poise.scene("stand", character, seconds=2.0))
    assert not take.fell and take.notes == []
    assert np.abs(take["com"][-1] - take["com"][0]).max() < 0.05


def test_a_scene_of_ones_own():
    """Composed from parts, without a name in the list."""
    character = Character.named("adult")
    take = poise.simulate(Scene("mine", character, World(friction=0.6), Balance(), seconds=0.2))
    assert take.info["scene"] == "mine" and not take.fell and len(take) == 21


def test_scenes_are_frozen_and_varied_by_replace():
    scene = poise.scene("stand")
    with pytest.raises(FrozenInstanceError):
        scene.seconds = 3.0  # type: ignore[misc]
    assert replace(scene, seconds=3.0).seconds == 3.0
    with pytest.raises(BadInput, match="duration above zero"):
        replace(scene, seconds=-1.0)


def test_seeds_move_the_start_and_nothing_else():
    takes = {
        seed: poise.simulate(poise.scene("stand", seconds=0.1, seed=seed, pose_noise=0.01)) for seed in (1, 2)
    }
    again = poise.simulate(poise.scene("stand", seconds=0.1, seed=1, pose_noise=0.01))
    np.testing.assert_array_equal(again["q"], takes[1]["q"])
    assert np.abs(takes[1]["q"][0] - takes[2]["q"][0]).max() > 1e-3
    np.testing.assert_array_equal(takes[1]["q"][0, :7], takes[2]["q"][0, :7])  # the root is where it was put
    quiet = [poise.simulate(poise.scene("stand", seconds=0.1, seed=seed, idle=False)) for seed in (1, 2)]
    np.testing.assert_array_equal(quiet[0]["q"], quiet[1]["q"])


def test_progress_goes_from_nothing_to_all():
    heard: list[float] = []
    poise.simulate(poise.scene("stand", seconds=0.2), progress=heard.append)
    assert heard[0] == 0.0 and heard[-1] == 1.0 and heard == sorted(heard)


def test_a_fall_is_a_result():
    take = poise.simulate(poise.scene("stand", push="torso:2000,0,0@0.2+0.1", seconds=2.0))
    assert take.fell and take.fall_time is not None and 0.2 < take.fall_time < 1.5
    assert take.metrics["recovered"] is False
    assert len(take) == 201  # it goes on to its end
    for key in ("q", "v", "tau", "com"):
        assert np.isfinite(take[key]).all()
    assert np.abs(take["v"][-1]).max() < 20.0  # and comes to lie, rather than thrash


def test_a_state_that_blows_up_keeps_the_recording():
    """No number invented, none lost: the take ends with a note that names time and body."""
    take = poise.simulate(poise.scene("stand", push="torso:1e9,0,0@0.2+0.1", seconds=1.0))
    assert take.fell and 0.2 <= take.fall_time <= 0.3  # type: ignore[operator]
    assert 20 <= len(take) < 35
    assert take.blew_up == take.fall_time
    assert any("blew up at t = 0.2" in note and "a push of 1e+09 N" in note for note in take.notes)
    for key in ("q", "v", "com", "angular_momentum"):
        assert np.isfinite(take[key]).all(), key
    np.testing.assert_allclose(take["q"][:20], poise.simulate(poise.scene("stand", seconds=0.19))["q"])


def test_a_fall_may_end_the_take():
    scene = poise.scene("stand", push="torso:2000,0,0@0.2+0.1", seconds=5.0)
    take = poise.simulate(replace(scene, after_fall=0.2))
    assert take.fell and take.time[-1] == pytest.approx(take.fall_time + 0.2, abs=0.02)  # type: ignore[operator]


def test_at_rest_the_ground_carries_the_weight():
    take = poise.simulate(poise.scene("stand", seconds=2.0))
    weight = Character.named("adult").mass * G
    np.testing.assert_allclose(take["contact_force"][-20:, 2], weight, rtol=0.01)
    np.testing.assert_allclose(take["contact_force"][-20:, :2], 0.0, atol=0.01 * weight)
    np.testing.assert_allclose(take["cp"][-20:, :2], take["com"][-20:, :2], atol=0.01)
    np.testing.assert_allclose(take["cmp"][-20:, :2], take["com"][-20:, :2], atol=0.01)


def test_recorded_velocities_are_the_rates_of_positions(shoved):
    dt = shoved.dt
    rate = (shoved["com"][2:] - shoved["com"][:-2]) / (2 * dt)
    np.testing.assert_allclose(shoved["com_velocity"][1:-1], rate, atol=0.02)
    mass = Character.named("adult").mass
    np.testing.assert_allclose(shoved["linear_momentum"], mass * shoved["com_velocity"], rtol=1e-9, atol=1e-9)


def test_momentum_follows_the_forces(shoved):
    """L grows by ground force, weight and push; H by the ground's moment, outside the push (which has its own arm)."""
    mass, dt = Character.named("adult").mass, shoved.dt
    weight = np.array([0.0, 0.0, -mass * G])
    push = np.where((shoved.time >= 0.5) & (shoved.time < 0.6), 1.0, 0.0)[:, None] * [120.0, 60.0, 0.0]
    total = np.cumsum(shoved["contact_force"] + weight + push, axis=0) * dt
    gained = shoved["linear_momentum"] - shoved["linear_momentum"][0]
    late = slice(80, None)
    assert np.abs((gained - total)[late] - (gained - total)[80]).max() < 0.04 * mass
    H = shoved["angular_momentum"]
    turned = np.cumsum(shoved["angular_momentum_rate"][late], axis=0) * dt
    assert np.abs((H[late] - H[80]) - (turned - turned[0])).max() < 0.1 * np.abs(H).max() + 0.05


def test_momenta_agree_with_the_engine(shoved):
    model = mujoco.MjModel.from_xml_string(shoved.model_xml)
    data = mujoco.MjData(model)
    for i in (0, 52, 60, 120, 200):
        data.qpos[:], data.qvel[:] = shoved["q"][i], shoved["v"][i]
        mujoco.mj_forward(model, data)
        mujoco.mj_subtreeVel(model, data)
        root = model.body("pelvis").id
        np.testing.assert_allclose(shoved["angular_momentum"][i], data.subtree_angmom[root], atol=1e-9)
        np.testing.assert_allclose(shoved["com"][i], data.subtree_com[root], atol=1e-12)


def test_pressure_stays_under_the_feet(shoved):
    for i in range(5, len(shoved), 5):
        corners = shoved["support_points"][i].reshape(-1, 3)
        assert signed_distance(hull(corners), shoved["cp"][i, :2]) < 0.005


def test_torques_stay_within_the_motors(shoved):
    low, high = Character.named("adult").model.actuator_ctrlrange.T
    assert (shoved["tau"] <= high * 1.001 + 1e-9).all() and (shoved["tau"] >= low * 1.001 - 1e-9).all()


def test_joints_stay_within_their_limits(shoved):
    character = Character.named("adult")
    worst = 0.0
    for q in shoved["q"][::10]:
        for name, limit in character.limits.items():
            at = character.model.jnt_qposadr[character.joint(name)]
            worst = max(worst, *limit.reach(q[at : at + 4]))
    assert worst < 1.1


def test_solved_and_simulated_spin_agree(shoved):
    """What the solver promised is what the world did, once the push (which nobody foretold) is over."""
    calm = slice(80, None)
    solved, simulated = shoved["angular_momentum_rate_solved"][calm], shoved["angular_momentum_rate"][calm]
    assert np.median(np.abs(solved - simulated)) < 0.2 * np.abs(simulated).max() + 1.0


def test_the_spin_of_all_limbs_is_the_whole():
    """Were every body an arm, the arms would carry all of H."""
    adult = Character.named("adult")
    body = replace(adult, arms=adult.body_names)
    take = poise.simulate(poise.scene("stand", body, "torso:120,60,0@0.05+0.1", seconds=0.3))
    np.testing.assert_allclose(take["arm_angular_momentum"], take["angular_momentum"], atol=1e-9)
    assert np.abs(take["angular_momentum"]).max() > 1.0


def test_lifted_soles_have_no_corners():
    take = poise.simulate(poise.scene("side-kick", seconds=3.0))
    lifted = take["planted"] == 0
    assert lifted.any() and not lifted.all()
    corners = take["support_points"].reshape(len(take), lifted.shape[1], -1)
    np.testing.assert_array_equal(np.isnan(corners).all(axis=2), lifted)


def test_the_info_is_enough_to_run_it_again(shoved):
    info = shoved.info
    scene = poise.scene(
        info["scene"], info["character"], info["pushes"], info["seconds"], info["seed"], **info["options"]
    )
    np.testing.assert_array_equal(poise.simulate(scene)["q"], shoved["q"])


def test_the_info_says_which_version_made_it(shoved):
    assert shoved.info["version"] == poise.__version__


def test_platform_is_recorded_with_its_motion():
    take = poise.simulate(poise.scene("platform", ride="move", distance=-0.1, seconds=2.0))
    assert take["ground"][0, 0] == pytest.approx(0.0, abs=1e-3)
    assert take["ground"][-1, 0] == pytest.approx(-0.1, abs=2e-3)
    np.testing.assert_allclose(np.linalg.norm(take["ground"][:, 3:], axis=1), 1.0)
    assert not take.fell


def test_a_rider_who_foresees_the_waves_keeps_its_pressure_nearer_the_middle():
    def strays(foresee: bool) -> float:
        take = poise.simulate(poise.scene("platform", foresee=foresee, push="torso:0,0,0@1+0.1", seconds=5.0))
        middle = take["support_points"].reshape(len(take.time), -1, 3)[200:, :, :2].mean(1)
        return float(np.sqrt(np.mean((take["cp"][200:, :2] - middle) ** 2)))

    assert strays(foresee=True) < 0.5 * strays(foresee=False)

"""What a clip's own motion says, against laws that must hold."""

import numpy as np
import pytest

from poise.character import Character
from poise.geometry import quat
from poise.motion import library
from poise.motion.clip import Clip
from poise.record.kinematic import recording_of


@pytest.fixture(scope="module")
def adult():
    return Character.named("adult")


def test_force_is_mass_times_acceleration(adult):
    take = recording_of(library.squat(adult, 0.2, 1.6).trim(0.0, 1.6))
    c = take["com"]
    accelerated = (c[2:] - 2 * c[1:-1] + c[:-2]) / take.dt**2
    force = adult.mass * (accelerated + np.array([0, 0, 9.81]))
    assert take["contact_force"][1:-1] == pytest.approx(force, abs=0.02 * adult.mass * 9.81)
    assert take["linear_momentum"] == pytest.approx(adult.mass * take["com_velocity"])


def test_rate_of_angular_momentum_is_the_moment(adult):
    take = recording_of(library.twist(adult).trim(0.2, 1.4))
    H = take["angular_momentum"]
    rate = (H[2:] - H[:-2]) / (2 * take.dt)
    error = np.abs(take["angular_momentum_rate"][1:-1] - rate)  # differences smear single kinks of the clip
    assert error.mean() < 0.01 * np.abs(rate).max()


def test_a_rigid_turn_has_its_own_angle_as_excursion(adult):
    times = np.linspace(0.0, 1.0, 61)
    q = np.tile(adult.q_rest, (61, 1))
    turn = quat.from_rotvec(np.outer(1.5 * times, [0.0, 0.0, 1.0]))
    q[:, 3:7] = quat.multiply(turn, q[:, 3:7])
    take = recording_of(Clip(adult, times, q))
    assert take["angular_excursion"][-1] == pytest.approx([0.0, 0.0, 1.5], abs=1e-3)
    assert take["angular_velocity"][50] == pytest.approx([0.0, 0.0, 1.5], abs=1e-3)


def test_flight_has_no_pressure_and_no_class(adult):
    times = np.linspace(0.0, 0.5, 31)
    q = np.tile(adult.q_rest, (31, 1))
    q[:, 2] += 2.0 * times - 0.5 * 9.81 * times**2
    take = recording_of(Clip(adult, times, q, contacts={"foot_l": (), "foot_r": ()}))
    assert np.isnan(take["cp"]).all() and np.isnan(take["spin"]).all()
    assert take.metrics["air_time_share"] == 1.0 and take.metrics["spin_class"] is None


def test_a_still_stand_is_zero_spin(adult):
    take = recording_of(Clip(adult, np.array([0.0, 0.5, 1.0, 1.5]), np.tile(adult.q_rest, (4, 1))))
    assert take.metrics["spin_class"] == "ZS" and take.metrics["foot_slip_m"] == pytest.approx(0.0, abs=1e-9)
    assert take["cp"][10] == pytest.approx(take["cmp"][10], abs=1e-9)


def test_it_can_be_drawn_and_saved(adult, tmp_path):
    take = recording_of(Clip(adult, np.array([0.0, 0.1]), np.tile(adult.q_rest, (2, 1))))
    take.plot(tmp_path / "plot.png")
    take.save(tmp_path / "take.npz")
    assert (tmp_path / "plot.png").stat().st_size > 1000 and (tmp_path / "take.npz").exists()

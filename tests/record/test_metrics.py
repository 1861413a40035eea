"""Metrics on series whose answers are known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from poise.geometry import quat
from poise.record import Recording, Series, metrics

HINGES = """<mujoco><worldbody>
  <body name="cart"><joint name="rail" type="slide"/><geom size=".1" mass="1"/></body>
  <body name="pelvis"><freejoint name="root"/><geom size=".1"/>
    <body><joint name="hip" type="ball"/><geom size=".1"/>
      <body><joint name="knee" axis="0 1 0"/><geom size=".1"/></body></body></body>
</worldbody></mujoco>"""


def made(n: int = 11, dt: float = 0.1, **values) -> Recording:
    series = {
        name: Series(
            np.asarray(v, float).reshape(n, -1), "1", "world", tuple(map(str, range(np.size(v) // n)))
        )
        for name, v in values.items()
    }
    return Recording({}, HINGES, np.arange(n) * dt, series)


def test_tracking_counts_balls_by_angle_and_leaves_out_root_and_props():
    rest = np.array([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0.0])
    q = rest.copy()
    q[:3], q[3:7] = 5, quat.from_rotvec([0, 0, 1])  # the root may be anywhere
    q[7:11] = -quat.from_rotvec([0.3, 0, 0])  # the sign of a quaternion is no rotation
    q[11] = -0.4
    take = made(
        q=np.tile(np.append(9.0, q), (11, 1)), q_ref=np.tile(rest, (11, 1))
    )  # the cart's q comes first
    assert metrics.tracking_rmse(take) == pytest.approx(np.sqrt((0.3**2 + 0.4**2) / 2), abs=1e-12)


def test_tracking_of_the_reference_itself_is_zero(take):
    exact = replace(take, series=take.series | {"q": take.series["q_ref"]})
    assert metrics.tracking_rmse(exact) == 0
    assert metrics.tracking_rmse(take) > 0.01


def test_slip_is_counted_within_one_stance():
    points = np.zeros((11, 2, 3))
    points[:, 0, 0] = np.linspace(0, 0.01, 11)  # creeps 1 cm
    points[3:6, 1] = np.nan  # lifted
    points[6:, 1] = 0.5, 0.5, 0  # and put down elsewhere
    points[8, 1, 1] += 0.003
    points[:, 1, 2] += np.linspace(0, 0.1, 11)  # height does not count
    assert metrics.foot_slip(made(support_points=points)) == pytest.approx(0.01, abs=1e-12)
    points[:, 0, 0] = 0
    assert metrics.foot_slip(made(support_points=points)) == pytest.approx(0.003, abs=1e-12)


def test_slip_is_seen_from_a_ground_that_moves_and_tilts():
    angle = np.linspace(0, 0.3, 11)
    turn = quat.from_rotvec(np.stack([0 * angle, angle, 0 * angle], axis=1))
    ground = np.column_stack([angle, 2 * angle, -angle, turn])
    foot = np.array([[0.1, 0.2, 0.0], [0.3, 0.2, 0.0]])
    points = ground[:, None, :3] + quat.rotate(turn[:, None], foot)
    assert metrics.foot_slip(made(support_points=points, ground=ground)) == pytest.approx(0, abs=1e-12)
    assert metrics.foot_slip(made(support_points=points)) > 0.1


def test_no_support_no_slip():
    assert metrics.foot_slip(made(support_points=np.full((11, 6), np.nan))) == 0


def test_peaks():
    tau = np.zeros((11, 3))
    tau[4, 1] = -80
    H = np.zeros((11, 3))
    H[2] = 3, 0, 4
    take = made(tau=tau, angular_momentum=H, penetration=np.linspace(0, 0.002, 11))
    assert metrics.peak(take, "tau") == 80
    assert metrics.h_peak(take) == 5
    assert metrics.peak(take, "penetration") == 0.002


def test_final_speed_is_relative_to_the_ground():
    t = np.arange(11) * 0.1
    com, velocity = np.zeros((11, 3)), np.tile([3.0, 0, 4.0], (11, 1))
    assert metrics.com_speed_final(made(com=com, com_velocity=velocity)) == 5
    ground = np.zeros((11, 7))
    ground[:, 0], ground[:, 3] = 3 * t, 1
    carried = made(com=com, com_velocity=velocity, ground=ground)
    assert metrics.com_speed_final(carried) == pytest.approx(4, abs=1e-12)
    ground[:, 0] = 1.5 * t**2  # speeds up: 3 m/s at the end, and no lag of half a record
    assert metrics.com_speed_final(made(com=com, com_velocity=velocity, ground=ground)) == pytest.approx(4)


def test_final_speed_on_a_turning_ground_is_zero_for_what_turns_along():
    angle = np.arange(201) * 0.01
    turn = quat.from_rotvec(np.stack([0 * angle, 0 * angle, angle], axis=1))
    com = np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)
    velocity = np.stack([-np.sin(angle), np.cos(angle), 0 * angle], axis=1)
    take = made(201, 0.01, com=com, com_velocity=velocity, ground=np.column_stack([0 * com, turn]))
    assert metrics.com_speed_final(take) < 1e-4


def test_standard_has_the_six_keys_and_nan_for_what_is_missing(take):
    keys = {"tracking_rmse_rad", "foot_slip_m", "penetration_max_m"}
    keys |= {"torque_peak_nm", "h_peak_kgm2s", "com_speed_final_ms"}
    assert set(metrics.standard(take)) == keys
    assert all(np.isfinite(value) for value in metrics.standard(take).values())
    assert all(np.isnan(value) for value in metrics.standard(made()).values())
    assert all(np.isnan(value) for value in metrics.standard(made(0)).values())

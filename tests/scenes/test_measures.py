"""Metrics of the scenes on recordings whose answers are known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from poise.record import Recording
from poise.record.recording import Series
from poise.scenes import gait_measures, measures

TIME = np.linspace(0.0, 1.0, 101)
XYZ = ("x", "y", "z")


def take(fell: bool = False, metrics: dict[str, Any] | None = None, **series: np.ndarray) -> Recording:
    table = {k.replace("__", "."): Series(np.asarray(v, float), "1", "world", XYZ) for k, v in series.items()}
    return Recording({}, "<mujoco/>", TIME, table, metrics or {}, fell)


@pytest.mark.parametrize(
    ("fell", "speed", "expected"), [(False, 0.1, True), (False, 0.2, False), (True, 0.0, False)]
)
def test_recovered_is_upright_and_at_rest(fell: bool, speed: float, expected: bool):
    assert measures.recovered(take(fell, {"com_speed_final_ms": speed}))["recovered"] is expected


def test_arm_share_is_taken_where_the_spin_peaks():
    H, arms = np.zeros((101, 3)), np.zeros((101, 3))
    H[50], arms[50] = [0.0, 10.0, 0.0], [0.0, 4.0, 0.0]
    H[70], arms[70] = [0.0, 5.0, 0.0], [0.0, 5.0, 0.0]
    found = measures.arm_share(take(angular_momentum=H, arm_angular_momentum=arms))
    assert found["arm_h_share"] == pytest.approx(0.4) and found["arm_h_peak_kgm2s"] == pytest.approx(5.0)


def test_arm_share_of_no_spin_is_nothing():
    zero = np.zeros((101, 3))
    assert measures.arm_share(take(angular_momentum=zero, arm_angular_momentum=zero))["arm_h_share"] == 0.0


def test_tilt_is_the_largest_lean():
    base = np.zeros((101, 3))
    angle = np.radians(np.linspace(0.0, 20.0, 101))
    top = np.column_stack([np.sin(angle), np.zeros(101), np.cos(angle)])
    found = measures.tilt("cup", take(point__cup__base=base, point__cup__top=top))
    assert found == {"cup_tilt_deg": pytest.approx(20.0)}


def test_drag_error_is_the_distance_from_the_target():
    def target(t: float) -> np.ndarray:
        return np.array([t, 0.0, 1.0])

    points = np.array([target(t) + np.array([0.03, 0.04, 0.0]) for t in TIME])
    points[:50] += 5.0  # before it counts
    found = measures.drag_error("head", target, 0.5, take(point__head=points))
    assert found["drag_error_m"] == pytest.approx(0.05) and found["drag_error_max_m"] == pytest.approx(0.05)
    assert found["drag_out_of_plane_m"] == pytest.approx(0.04)


def test_highest_is_the_top_of_a_point():
    points = np.column_stack([TIME, TIME, np.sin(np.pi * TIME)])
    assert measures.highest("kick", ("foot", "other"), take(point__foot=points))[
        "kick_height_m"
    ] == pytest.approx(1.0)


def walk(speed=0.8, beside=0.0, turned=0.0, beat=0.5, slower=1.0, stands=False) -> Recording:
    """Ten seconds ahead, pushed at 5 s: from then on beside the line, turned, or with another beat."""
    t = np.arange(0.0, 10.0, 0.01)
    late = t > 5.0
    com = np.column_stack([speed * t, beside * late, np.full(len(t), 0.9)])
    steps = np.where(late, 5.0 / beat + (t - 5.0) / (beat * slower), t / beat)
    gait = np.column_stack([np.zeros(len(t)), np.floor(steps + 1e-9) * (not stands)])
    soles = np.zeros((len(t), 6))
    soles[late, 2::3] = turned
    velocity = np.tile([speed, 0.0, 0.0], (len(t), 1))
    values = {"com": com, "com_velocity": velocity, "gait": gait, "soles": soles}
    table = {k: Series(v, "1", "world", XYZ) for k, v in values.items()}
    return Recording({"pushes": ["torso:0,300,0@5.0+0.1"]}, "<mujoco/>", t, table, {}, False)


@pytest.mark.parametrize(
    ("change", "back"),
    [
        ({}, True), ({"beside": 0.3}, True), ({"turned": 0.4}, False), ({"slower": 1.4}, False),
        ({"slower": 9.0}, False), ({"speed": 0.5}, False),
    ],
)  # fmt: skip
def test_back_in_the_gait_is_speed_heading_and_rhythm_on_any_line(change: dict[str, Any], back: bool):
    found = gait_measures.back_in_gait(0.8, 0.0, walk(**change))
    assert found["back_in_gait"] is back
    assert found["beside_line_m"] == pytest.approx(change.get("beside", 0.0))


def test_who_never_walked_is_not_back_in_it():
    assert gait_measures.back_in_gait(0.8, 0.0, walk(stands=True))["back_in_gait"] is False

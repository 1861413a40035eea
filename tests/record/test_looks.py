"""How a walk looks, in numbers: on walks made from numbers, and beside captured ones."""

from __future__ import annotations

import numpy as np
import pytest

from mocap import need
from poise.character import Character
from poise.inspect.looks import table, text, watched
from poise.motion.gait import Gait, walk
from poise.record import looks, soles
from poise.record.kinematic import recording_of
from poise.record.limbs import limbs_of
from poise.record.recording import Recording, Series
from poise.record.strides import POINTS, Strides, strides_of


@pytest.fixture(scope="module")
def take() -> Recording:
    return recording_of(walk(Character.named("adult"), Gait(), steps=8))


@pytest.fixture(scope="module")
def strides(take) -> Strides:
    found = strides_of(limbs_of(take))
    assert found is not None
    return found


def test_steps_are_as_the_walk_was_made(take, strides):
    gait, leg = Gait(), 0.85  # hip to ankle of the adult
    found = looks.paces(strides)
    assert found["stride_s"] == pytest.approx(2 * gait.period, rel=0.02)
    assert found["step_m"] == pytest.approx(gait.length * leg, rel=0.02)
    assert found["speed_ms"] == pytest.approx(gait.length * leg / gait.period, rel=0.02)
    assert found["width_m"] == pytest.approx(gait.width, abs=0.01)
    assert found["walk_ratio_m_min"] == pytest.approx(found["step_m"] / (60 / gait.period), rel=0.02)
    assert found["bounce_m"] == pytest.approx(2 * gait.bob * leg, rel=0.1)


def test_a_stride_begins_where_a_heel_strikes(take, strides):
    planted = take["planted"]
    for side, a, _ in strides.every:
        column = planted[:, take.series["planted"].names.index(f"foot_{side}")]
        lands = np.flatnonzero(np.diff(column) > 0) + 1
        assert np.abs(lands - a).min() * take.dt < 0.06


def test_foot_pelvis_and_arms_turn_as_made(strides):
    found, gait = looks.joints(strides) | looks.trunk(strides) | looks.arms(strides), Gait()
    assert found["foot_pitch_deg"] == pytest.approx(1.15 * gait.heel, rel=0.1)
    assert found["pelvis_yaw_deg"] == pytest.approx(2 * gait.turn, rel=0.15)
    assert found["shoulder_range_deg"] == pytest.approx(2 * gait.arms, rel=0.2)
    assert 0.4 < found["heel_off_share"] < 0.62
    assert found["stride_sd_deg"] < 0.2  # copies of one stride


def test_a_walk_is_like_itself(take):
    assert all(r == pytest.approx(1.0) for r in looks.compared(take, take).values())


def test_the_heel_is_off_when_it_has_risen():
    height = np.zeros(POINTS)
    height[45:] = np.linspace(0.0, 0.2, POINTS - 45)
    height[:5] = -0.01  # sinks at the strike
    assert looks._heel_off(height) == pytest.approx(0.48, abs=0.01)


def test_jerk_of_a_slow_sine_is_that_of_the_sine():
    t = np.arange(0, 10, 0.01)
    x = np.stack([np.sin(2 * np.pi * t), 0 * t, 0 * t], axis=1)
    found = np.sqrt(np.mean(np.sum(looks.jerk(x, 0.01)[100:-100] ** 2, axis=1)))
    assert found == pytest.approx((2 * np.pi) ** 3 / np.sqrt(2), rel=0.03)


def test_forces_under_the_feet(take, strides):
    """A foot that bears 1.2 weights at once and rolls straight over its sole."""
    n, weight = len(take), strides.limbs.mass * 9.81
    force, cp, corners = np.zeros((n, 2)), np.full((n, 4), np.nan), strides.limbs.soles
    for k, side in enumerate("lr"):
        for a, b in strides.spans[side]:
            span = np.arange(a + 2, a + round(0.6 * (b - a)))
            force[span, k] = (
                1.2
                * weight
                * np.interp(np.linspace(0, 1, len(span)), (0, 0.3, 0.5, 0.7, 1), (0.5, 1, 0.7, 1, 0.5))
            )
            back = float(take["com"][a, 0])
            front = back + float(np.ptp(corners[side][:, 0]))
            cp[span, 2 * k], cp[span, 2 * k + 1] = np.linspace(back, front, len(span)), 0.0
    feet = ("foot_l", "foot_r")
    more = {
        "sole_force": Series(force, "N", "ground", feet),
        "sole_cp": Series(cp, "m", "world", tuple(f"{f}.{a}" for f in feet for a in "xy")),
        "knock": Series(np.full((n, 3), 7.0), "N, 1, 1", "none", ("hardest", "one", "two")),
    }
    made = Recording(take.info, take.model_xml, take.time, take.series | more)
    own = strides_of(limbs_of(made))
    assert own is not None
    found = soles.pressed(own)
    assert found["foot_force_peak_bw"] == pytest.approx(1.2, rel=0.01)
    assert found["strike_force_bw"] < 1.0
    assert found["force_humps"] == 2
    assert found["cp_path_soles"] == pytest.approx(1.0, abs=0.03)
    assert found["knock_n"] == 7.0


PEOPLE = {  # shared notes on looks, measured by another hand
    "02_01": dict(speed_ms=1.17, stride_s=1.12, width_m=0.055, hip_range_deg=48, knee_range_deg=63, ankle_range_deg=34,
                  foot_pitch_deg=68, shoulder_range_deg=28, elbow_mean_deg=32, hand_jerk_ms3=44, hy_over_mvh=0.028),
    "136_21": dict(speed_ms=1.09, stride_s=1.23, width_m=0.064, hip_range_deg=57, knee_range_deg=61, ankle_range_deg=33,
                   foot_pitch_deg=64, shoulder_range_deg=18, elbow_mean_deg=24, hand_jerk_ms3=29, hy_over_mvh=0.031),
}  # fmt: skip


@pytest.mark.parametrize("name", PEOPLE)
def test_people_look_as_measured_before(name):
    found = table(watched(need(f"bvh/{name}.bvh")[0]))["looks"]
    for key, value in PEOPLE[name].items():
        assert found[key] == pytest.approx(value, rel=0.15), key
    assert found["heel_off_share"] == pytest.approx(0.41, abs=0.04)


def test_two_people_walk_alike():
    one, two = (watched(path) for path in need("bvh/136_21.bvh", "bvh/02_01.bvh"))
    found = table(one, two)
    assert found["alike"]["hip_correlation"] > 0.95 and found["alike"]["ankle_correlation"] > 0.85
    assert "ankle_correlation" in text(found, ("136_21", "02_01"))


def test_a_stand_has_no_strides():
    from poise.motion.clip import Clip

    body = Character.named("adult")
    take = recording_of(Clip(body, np.linspace(0, 1, 11), np.tile(body.q_rest, (11, 1))))
    found = table(take)
    assert "speed_ms" not in found["looks"] and found["looks"]["joint_speed_peak_rads"] == 0.0
    assert "no strides" in text(found, ("stand", ""))

"""The stride of people: as the figures it was made after, at any speed, on the adult and on others."""

from __future__ import annotations

import numpy as np
import pytest

from poise.character import Character
from poise.motion import people
from poise.motion.people import fourier, human, stance_share
from poise.record import looks
from poise.record.kinematic import recording_of
from poise.record.limbs import limbs_of
from poise.record.strides import strides_of


@pytest.fixture(scope="module")
def adult():
    return Character.named("adult")


def test_six_harmonics_go_through_the_knots():
    for knots in (people.HIP, people.KNEE, people.FOOT):
        at = np.array([*knots]) / 100.0
        found = fourier(knots, people.NATURAL, at)
        assert np.abs(found - [value for value, _ in knots.values()]).max() < 5.0  # degrees


@pytest.mark.parametrize("speed", [0.5, 0.8, 1.3, 1.8])
def test_a_stride_has_the_speed_asked_for_and_peoples_walk_ratio(adult, speed):
    stride = human(adult, speed)
    assert stride.speed == pytest.approx(speed, rel=0.01)
    step, cadence = 0.5 * stride.length, 120.0 / stride.seconds
    assert step / cadence == pytest.approx(people.RATIO, rel=0.05)
    for land, lift in stride.stands.values():
        assert lift - land == pytest.approx(max(stance_share(speed), 0.58), abs=0.02)


def test_left_and_right_are_alike_half_a_stride_apart(adult):
    strides = strides_of(limbs_of(recording_of(people._clip(1.0))))
    assert strides is not None
    left, right = (
        strides.cycles(strides.limbs.knee)[[s == side for s, _, _ in strides.every]] for side in "lr"
    )
    assert np.abs(left.mean(axis=0) - right.mean(axis=0)).max() < np.radians(2.0)


def test_faster_swings_more(adult):
    slow, fast = (looks.looks(recording_of(people._clip(v))) for v in (0.6, 1.6))
    for name in ("hip_range_deg", "shoulder_range_deg", "pelvis_yaw_deg", "bounce_m"):
        assert fast[name] > 1.2 * slow[name]


@pytest.mark.parametrize(("speed", "least", "most"), [(0.8, 14, 22), (1.3, 26, 36)])
def test_elbows_bend_where_the_hand_is_in_front(adult, speed, least, most):
    strides = strides_of(limbs_of(recording_of(people._clip(speed))))
    assert strides is not None
    limbs, points = strides.limbs, 100
    elbow, shoulder = (np.degrees(strides.mean(angle)[:-1]) for angle in (limbs.elbow, limbs.shoulder))
    assert least < np.ptp(elbow) < most
    assert looks.arms(strides)["elbow_range_deg"] == pytest.approx(np.ptp(elbow), abs=0.5)
    front, bent = int(np.argmax(shoulder)), int(np.argmax(elbow))
    assert abs(front - points // 2) <= 3  # with the other side's foot,
    assert 0 <= bent - front <= 8  # and the forearm a little later
    assert elbow[: points // 4].mean() < elbow.mean() - 3.0  # nearly straight behind


def test_the_left_arm_swings_more(adult):
    strides = strides_of(limbs_of(recording_of(people._clip(1.3))))
    assert strides is not None
    left, right = (
        np.ptp(strides.cycles(strides.limbs.shoulder)[[s == side for s, _, _ in strides.every]].mean(axis=0))
        for side in "lr"
    )
    assert left == pytest.approx(right * (1 + people.UNEVEN) / (1 - people.UNEVEN), rel=0.15)

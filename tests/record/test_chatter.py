"""The share of fast torque power, on waves whose spectrum is known."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.signal import periodogram

from poise.record.chatter import FAST_HZ, TorqueSpectrum

DT = 0.002


def share(torques: np.ndarray, dt: float = DT) -> float:
    spectrum = TorqueSpectrum(torques.shape[1], dt)
    for row in torques:
        spectrum.add(row)
    return spectrum.share()


def whole(torques: np.ndarray, dt: float = DT) -> float:
    """The same from one transform of everything."""
    f, power = periodogram(torques, 1.0 / dt, detrend="constant", axis=0)
    return float(power[f > FAST_HZ].sum() / power.sum())


def waves(seconds: float, dt: float = DT, **amplitudes: float) -> np.ndarray:
    """Two torques that sum sines, ``f50=3.0`` is 3 N m at 50 Hz, each with a mean of its own."""
    t = np.arange(round(seconds / dt)) * dt
    x = sum(a * np.sin(2 * np.pi * float(f[1:]) * t + 1.0) for f, a in amplitudes.items())
    return np.stack([40.0 + x, -300.0 + 0.5 * x], axis=1)


@pytest.mark.parametrize("seconds", [1.0, 2.0, 6.0, 20.0])
@pytest.mark.parametrize("fast", [25, 50, 100, 240])
def test_agrees_with_one_transform_of_the_whole(seconds: float, fast: int):
    x = waves(seconds, f2=10.0, **{f"f{fast}": 4.0})
    assert share(x) == pytest.approx(whole(x), rel=0.02)
    assert whole(x) == pytest.approx(16 / 116, rel=1e-3)


@pytest.mark.parametrize("dt", [0.0005, 0.002, 0.01])
def test_the_control_rate_does_not_matter(dt: float):
    assert share(waves(5.0, dt, f1=10.0, f30=5.0), dt) == pytest.approx(0.2, rel=0.02)


@pytest.mark.parametrize("seed", range(3))
def test_noise_is_spread_evenly(seed: int):
    noise = np.random.default_rng(seed).normal(size=(5000, 6))
    assert share(noise) == pytest.approx(1 - FAST_HZ * 2 * DT, abs=0.01)
    assert share(noise) == pytest.approx(whole(noise), abs=0.005)


def test_slow_motion_is_not_fast():
    assert share(waves(6.0, f1=30.0, f5=10.0)) < 1e-3
    ramp = np.linspace([0.0, 50.0], [200.0, -90.0], 3000)
    assert share(ramp) < 1e-3


def test_a_burst_counts_wherever_it_lies():
    """At the edge of a take or of a window as much as in the middle."""
    found = []
    for at in (0, 100, 256, 383, 700, 1900):
        x = waves(4.0, f1=10.0)
        x[at : at + 100] += 10.0 * np.sin(2 * np.pi * 50 * DT * np.arange(100))[:, None]
        found.append(share(x))
    assert min(found) > 0.85 * max(found) > 0.05


@pytest.mark.parametrize("count", [0, 1, 2, 30])
def test_torques_that_never_change_have_none(count: int):
    assert share(np.full((count, 3), 7.0)) == 0.0


@pytest.mark.parametrize("count", [2, 20, 100, 256, 257, 511])
def test_a_short_take_has_a_share_too(count: int):
    assert share(waves(2.0, f50=5.0)[:count]) > 0.8
    assert 0.0 <= share(waves(2.0, f1=5.0)[:count]) <= 1.0


def test_asking_changes_nothing():
    x = waves(3.0, f2=10.0, f60=3.0)
    spectrum = TorqueSpectrum(2, DT)
    for row in x:
        spectrum.add(row)
        spectrum.share()
    assert spectrum.share() == share(x)


def test_below_forty_hertz_nothing_can_be_fast():
    assert share(np.random.default_rng(0).normal(size=(200, 2)), dt=0.05) == 0.0

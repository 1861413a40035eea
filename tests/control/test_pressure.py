"""The angular law: its target stays in the support, and a centred body is asked for nothing."""

from __future__ import annotations

import numpy as np
import pytest

from poise.geometry.polygon import signed_distance


@pytest.fixture
def law(stand):
    """The law of a standing adult with its state; every call starts from a law without memory."""
    rig = stand("adult", seconds=0.1)

    def fresh():
        rig.behaviour.start(rig.state, 0.01)
        return rig.behaviour.update(rig.state).angular, rig.state

    return fresh


def wrench_at(p: np.ndarray, state, push: float = 700.0) -> np.ndarray:
    """Vertical contact force through a point, as a wrench about c."""
    force = np.array([0.0, 0.0, push])
    return np.concatenate([force, np.cross(p - state.c, force)])


def target(law, state, wrench: np.ndarray) -> np.ndarray:
    """Centre of pressure that the objective implies: Ḣ = (p - c) × (-m g) when no linear rate is asked."""
    rate = law.objective(state, wrench, np.zeros(3)).desired(state)
    push = -state.m * state.g[2]
    return state.c[:2] + np.array([-rate[1], rate[0]]) / push


@pytest.mark.parametrize("seed", range(20))
def test_target_is_inside_the_polygon(law, seed: int):
    one, state = law()
    rng = np.random.default_rng(seed)
    polygon = one.polygon[: one.size]
    for _ in range(5):  # a sequence, so that the speed of the pressure counts too
        p = one.centre + np.append(rng.normal(0.0, 0.5, 2), 0.0)
        assert signed_distance(polygon, target(one, state, wrench_at(p, state))) < 1e-9


def test_polygon_lies_within_the_soles(law):
    one, state = law()
    soles = state.corners[:, :, :2].reshape(-1, 2)
    polygon = one.polygon[: one.size]
    assert one.size >= 4
    assert (polygon.min(axis=0) >= soles.min(axis=0)).all() and (
        polygon.max(axis=0) <= soles.max(axis=0)
    ).all()


def test_centred_pressure_stays(law):
    """Pressure at p_r and at rest: the wanted Ḣ is the moment of the weight about that point, no more."""
    one, state = law()
    for _ in range(3):
        found = target(one, state, wrench_at(one.centre, state))
        np.testing.assert_allclose(found, one.centre[:2], atol=1e-9)


def test_pressure_off_centre_is_led_back(law):
    one, state = law()
    p = one.centre + np.array([0.04, 0.02, 0.0])
    target(one, state, wrench_at(p, state))
    later = target(one, state, wrench_at(p, state))  # at rest there
    start, end = np.linalg.norm(p[:2] - one.centre[:2]), np.linalg.norm(later - one.centre[:2])
    assert end < start
    assert (p[:2] - one.centre[:2]) @ (later - one.centre[:2]) >= 0  # no overshoot in one tick


@pytest.mark.parametrize("dt", [0.001, 0.01, 1 / 60, 0.05, 0.2])
def test_no_frequency_is_amplified(stand, dt: float):
    """A pressure that swings about the middle, even from one tick to the next, comes back smaller and in phase."""
    rig = stand("adult", seconds=0.1)
    rig.behaviour.start(rig.state, dt)
    law, state = rig.behaviour.update(rig.state).angular, rig.state
    for ticks in (2, 3, 5, 20):  # in one period; two is half the tick rate
        for i in range(2 * ticks):
            offset = 0.02 * np.cos(2 * np.pi * i / ticks) * np.array([1.0, 1.0, 0.0])
            found = target(law, state, wrench_at(law.centre + offset, state)) - law.centre[:2]
            assert (found * offset[:2] >= -1e-12).all() and (abs(found) <= abs(offset[:2]) + 1e-12).all()


def test_it_remembers_nothing(law):
    one, state = law()
    p = wrench_at(one.centre + np.array([0.03, -0.02, 0.0]), state)
    first = target(one, state, p)
    target(one, state, wrench_at(one.centre - np.array([0.05, 0.0, 0.0]), state))
    np.testing.assert_array_equal(target(one, state, p), first)


def test_without_contact_it_starts_from_the_centre(law):
    one, state = law()
    np.testing.assert_allclose(target(one, state, np.zeros(6)), one.centre[:2], atol=1e-9)


def test_spin_about_the_vertical_is_damped(law, stand):
    rig = stand("adult", seconds=0.1, stir=0.5)
    one = rig.behaviour.update(rig.state).angular
    rate = one.objective(rig.state, np.zeros(6), np.zeros(3)).desired(rig.state)
    assert abs(rig.state.H[2]) > 1e-3
    assert rate[2] == pytest.approx(-one.d_vertical * rig.state.H[2])

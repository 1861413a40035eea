"""Platforms: their path by finite differences, and that the driven slab follows it."""

from __future__ import annotations

import numpy as np
import pytest

from poise.character import Character
from poise.errors import BadInput
from poise.worlds import Arena, Move, Platform, Sine, World
from poise.worlds.ground import AXES

RIDE = Platform(
    waves=(
        Sine("x", 0.05, 0.7, 0.3),
        Sine("x", 0.01, 1.9),
        Sine("z", 0.04, 1.1),
        Sine("roll", 0.03, 0.5, 1.0),
    ),
    moves=(Move("y", -0.2, 0.5, 0.6), Move("pitch", 0.05, 1.2, 0.4)),
)


@pytest.mark.parametrize("t", [0.0, 0.2, 0.55, 0.8, 0.999, 1.3, 1.7, 4.0])
def test_path_derivatives(t: float):
    step = 1e-5
    (p0, v0, _), (_, v, a), (p1, v1, _) = RIDE.at(t - step), RIDE.at(t), RIDE.at(t + step)
    np.testing.assert_allclose(v, (p1 - p0) / (2 * step), atol=1e-6)
    np.testing.assert_allclose(a, (v1 - v0) / (2 * step), atol=1e-4)


def test_path_begins_at_rest():
    for x in RIDE.at(0.0):
        np.testing.assert_allclose(x, 0.0, atol=1e-12)


def test_moves_go_their_distance():
    p, v, a = Platform(moves=(Move("x", -0.16, 1.0, 0.5),)).at(2.0)
    np.testing.assert_allclose(p, [-0.16, 0, 0, 0, 0])
    assert not v.any() and not a.any()


def test_without_fading_the_waves_are_themselves():
    p, v, _ = Platform(waves=(Sine("x", 0.1, 1.0),), fade=0.0).at(0.25)
    assert p[0] == pytest.approx(0.1) and v[0] == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize(
    "part", [{"waves": (Sine("yaw", 0.1, 1.0),)}, {"moves": (Move("up", 0.1, 0.0, 1.0),)}]
)
def test_unknown_axes_are_refused_by_name(part: dict):
    with pytest.raises(BadInput, match="roll"):
        Platform(**part).at(0.5)


@pytest.mark.parametrize("contact", ["mujoco", "penalty"])
def test_the_slab_follows_its_path_under_load(contact: str):
    """Within a millimetre (and a milliradian) with a limp adult on it."""
    dt = 0.002 if contact == "mujoco" else 0.0005
    character = Character.named("adult")
    arena = Arena(World(platform=RIDE, contact=contact, dt=dt), character)
    arena.reset(character.q_rest)
    joints = [arena.model.joint(f"platform_{a}").qposadr[0] for a in AXES]
    worst = 0.0
    for _ in range(round(1.8 / dt)):
        arena.begin()
        worst = max(worst, np.abs(arena.data.qpos[joints] - RIDE.at(arena.data.time)[0]).max())
        arena.finish()
    assert worst < 1e-3
    assert np.isfinite(arena.data.qpos).all()


def test_the_top_of_the_slab_is_the_ground():
    arena = Arena(World(platform=Platform()), Character.named("adult"))
    geom = arena.model.geom("ground")
    assert geom.pos[2] + geom.size[2] == pytest.approx(0.0)
    assert arena.model.body("platform").mass[0] == Platform().mass


def test_a_rider_leans_as_a_pendulum_whose_pressure_stays_put():
    """ẍ = ω² x - a, by differences in time, while the waves fade in too slowly to matter."""
    slab, omega, h = (
        Platform(waves=(Sine("x", 0.04, 0.5), Sine("x", 0.01, 1.1, 1.0), Sine("z", 0.1, 0.8))),
        3.3,
        1e-4,
    )
    for t in (2.0, 2.7, 3.9):
        before, (x, v, a, ground), after = (slab.lean(t + s * h, omega) for s in (-1, 0, 1))
        assert v == pytest.approx((after[0] - before[0]) / (2 * h), abs=1e-6)
        assert a == pytest.approx((after[1] - before[1]) / (2 * h), abs=1e-6)
        assert a == pytest.approx(omega**2 * x - ground, abs=1e-9)
        assert ground[0] == pytest.approx(slab.at(t)[2][0]) and ground[1] == 0.0

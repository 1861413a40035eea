"""The complementarity contact: rest, friction, and no energy from nowhere at 60 Hz."""

from __future__ import annotations

import numpy as np

from poise.character import Character
from poise.worlds import Arena, World


def fallen(seconds: float, v: np.ndarray | None = None) -> Arena:
    """A limp body dropped on the floor, lying down."""
    body = Character.named("adult")
    arena = Arena(World(contact="lcp", dt=1 / 60), body)
    q = body.q_rest.copy()
    q[3:7] = np.sqrt(0.5), 0.0, -np.sqrt(0.5), 0.0  # on its back
    q[2] = 0.3
    arena.reset(q, v)
    for _ in range(round(seconds * 60)):
        arena.begin()
        arena.finish()
    arena.begin()
    return arena


def test_comes_to_rest_on_the_floor_and_is_carried() -> None:
    arena = fallen(4.0)
    assert np.abs(arena.data.qvel).max() < 0.3
    assert arena.contact.penetration() < 0.01
    up = float(arena.ground_force[2])
    assert abs(up / (9.81 * arena.character.mass) - 1) < 0.1


def test_friction_stops_a_slide() -> None:
    v = np.zeros(Character.named("adult").model.nv)
    v[0] = 2.0
    arena = fallen(2.0, v)
    assert abs(arena.data.qvel[0]) < 0.2
    assert 0.1 < arena.data.qpos[0] < 1.2


def test_energy_only_falls() -> None:
    arena = fallen(0.0)
    model, data = arena.model, arena.data
    import mujoco

    model.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_ENERGY
    seen = []
    for _ in range(90):
        arena.begin()
        seen.append(float(data.energy.sum()))
        arena.finish()
    assert max(np.diff(seen)) < 8.0 and seen[-1] < seen[0]

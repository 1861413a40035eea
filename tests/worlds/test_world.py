"""Worlds: what they refuse, and that nothing but the engine moves a body in them."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from poise.character import Character
from poise.errors import BadInput
from poise.geometry import quat
from poise.worlds import Arena, World
from poise.worlds.world import SETTLED


def arena_of(name: str = "adult", **fields) -> Arena:
    character = Character.named(name)
    arena = Arena(World(**fields), character)
    arena.reset(character.q_rest)
    return arena


def run(arena: Arena, seconds: float) -> None:
    for _ in range(round(seconds / arena.world.dt)):
        arena.begin()
        arena.finish()


@pytest.mark.parametrize(
    ("fields", "say"),
    [
        ({"contact": "pnalty"}, r"'pnalty' not found.*did you mean 'penalty'"),
        ({"friction": -0.1}, "friction -0.1"),
        ({"friction": np.nan}, "friction nan"),
        ({"dt": 0.0}, "time step 0.0"),
        ({"dt": 1.0}, "time step 1.0"),
        ({"dt": np.nan}, "time step nan"),
    ],
)
def test_bad_worlds_are_refused(fields: dict, say: str):
    with pytest.raises(BadInput, match=say):
        World(**fields)


@pytest.mark.parametrize("contact", ["mujoco", "penalty"])
@pytest.mark.parametrize("name", ["adult", "insectoid", "chicken"])
def test_contract(name: str, contact: str):
    """Builds, runs limp for a moment, finite, repeatable bit for bit, character untouched."""
    xml, q_rest = Character.named(name).spec_xml, Character.named(name).q_rest.copy()
    ends = []
    for _ in range(2):
        arena = arena_of(name, contact=contact, dt=0.002 if contact == "mujoco" else 0.0005)
        run(arena, 0.2)
        ends.append(np.concatenate([arena.data.qpos, arena.data.qvel]))
    assert np.isfinite(ends[0]).all()
    np.testing.assert_array_equal(*ends)
    assert Character.named(name).spec_xml == xml
    np.testing.assert_array_equal(Character.named(name).q_rest, q_rest)


def test_the_engine_does_not_reset_itself():
    arena = arena_of()
    assert arena.model.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_AUTORESET
    arena.data.qvel[3] = np.nan
    arena.begin()
    arena.finish()
    assert arena.data.time > 0 and not np.isfinite(arena.data.qvel).all()


def test_no_force_on_the_root():
    """A limp body collapses: stops act on joints alone, and nothing holds the root."""
    arena = arena_of()
    rng = np.random.default_rng(0)
    arena.data.qvel[6:] = 5.0 * rng.normal(size=arena.model.nv - 6)
    stopped = False
    for _ in range(300):
        arena.begin()
        arena.finish()
        assert not arena.data.qfrc_applied[:6].any() and not arena.data.xfrc_applied.any()
        stopped |= arena.data.qfrc_applied[6:].any()
    assert stopped


def test_the_world_is_recorded_as_it_is():
    """The XML that a recording keeps compiles to the same model."""
    arena = arena_of(friction=0.37)
    model = mujoco.MjModel.from_xml_string(arena.xml)
    assert (model.nq, model.nv, model.nu, model.ngeom) == tuple(
        getattr(arena.model, k) for k in ("nq", "nv", "nu", "ngeom")
    )
    assert model.geom("ground").friction[0] == 0.37
    assert model.opt.timestep == arena.world.dt


@pytest.mark.parametrize("joint", ["shoulder_l", "hip_r", "neck"])
@pytest.mark.parametrize("axis", range(3))
def test_ball_joints_beyond_their_limit_come_back(joint: str, axis: int):
    """A joint left outside its swing or twist limit in weightless flight is pushed back to it, and stays calm."""
    character = Character.named("adult")
    limit = character.limits[joint]
    turn = np.array(limit.centre)
    bound = (limit.swing_x, limit.swing_y, limit.twist)[axis][1] + 0.1
    q = np.array(character.q_rest)
    q[2] += 10.0
    at = character.model.jnt_qposadr[character.joint(joint)]
    q[at : at + 4] = quat.multiply(turn, quat.from_rotvec(bound * np.eye(3)[axis]))
    arena = Arena(World(), character)
    arena.reset(q)
    arena.model.opt.gravity[:] = 0.0
    arena.model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT  # limbs may overlap there
    excess, fastest = [], 0.0
    for _ in range(250):
        arena.begin()
        swing, twist = limit.reach(arena.data.qpos[at : at + 4])
        excess.append(max(swing, twist) - 1.0)
        fastest = max(fastest, np.abs(arena.data.qvel).max())
        arena.finish()
    assert excess[0] > 0.01
    assert excess[-1] < 0.3 * excess[0]
    assert max(excess) <= excess[0] + 1e-3  # never pushed outward
    assert fastest < 30.0  # [rad/s]


def test_touching_with_anything_but_a_foot_is_seen():
    for contact in ("mujoco", "penalty"):
        arena = arena_of(contact=contact, dt=0.0005)
        arena.begin()
        assert not arena.contact.touches()
        q = np.array(arena.character.q_rest)
        q[2] = 0.05  # pelvis on the floor
        arena.reset(q)
        arena.begin()
        assert arena.contact.touches() and arena.contact.penetration() > 0


def test_penetration_is_the_depth_of_the_soles():
    for contact in ("mujoco", "penalty"):
        arena = arena_of(contact=contact)
        for depth in (0.0, 0.003):
            q = np.array(arena.character.q_rest)
            q[2] -= depth
            arena.reset(q)
            arena.begin()
            assert arena.contact.penetration() == pytest.approx(depth + SETTLED, abs=1e-6)

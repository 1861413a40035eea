"""Balance: what it asks at rest, off balance, along a clip and after a fall."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mujoco
import numpy as np
import pytest

from poise.behaviours import Balance, Gains, Weights
from poise.behaviours.balance.balance import Reference
from poise.character import Character
from poise.control.points import Point
from poise.dynamics.state import State
from poise.motion import library
from poise.motion.clip import Clip

NAMES = ("adult", "insectoid", "chicken")


@pytest.fixture
def rest() -> Callable[..., State]:
    """Factory: a character at rest, its centre of mass moved, given a velocity, or sunk."""

    def make(name: str = "adult", shift=(0.0, 0.0, 0.0), velocity=(0.0, 0.0, 0.0)) -> State:
        character = Character.named(name)
        data = mujoco.MjData(character.model)
        data.qpos[:] = character.q_rest
        data.qpos[:3] += shift
        data.qvel[:3] = velocity
        mujoco.mj_forward(character.model, data)
        return State(character, character.model, data).update()

    return make


def ask(behaviour: Balance, state: State) -> Any:
    behaviour.start(state, 0.01)
    return behaviour.update(state)


@pytest.mark.parametrize("name", NAMES)
def test_contract(rest, name: str):
    """Shapes, finite, repeatable after a new start, state untouched, never finished."""
    state, behaviour = rest(name, velocity=(0.1, 0.2, 0.0)), Balance()
    q, v = state.q.copy(), state.v.copy()
    command = ask(behaviour, state)
    first = command.tracking.v_dot.copy(), command.linear.rate.copy(), command.angular.centre.copy()
    assert command.tracking.v_dot.shape == command.tracking.weight.shape == (state.nv,)
    assert command.supports.dtype == bool and command.supports.shape == (len(state.character.supports),)
    assert all(np.isfinite(x).all() for x in first)
    again = ask(behaviour, state)
    for one, other in zip(first, (again.tracking.v_dot, again.linear.rate, again.angular.centre)):
        np.testing.assert_array_equal(one, other)
    np.testing.assert_array_equal(state.q, q)
    np.testing.assert_array_equal(state.v, v)
    np.testing.assert_allclose(behaviour.q_ref, state.character.q_rest, atol=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_at_rest_nothing_is_asked(rest, name: str):
    state = rest(name)
    command = ask(Balance(), state)
    assert np.abs(command.tracking.v_dot).max() < 1e-6
    assert np.linalg.norm(command.linear.rate) < 1e-6 * state.m
    assert command.supports[[s.name in state.character.stance for s in state.character.supports]].all()


@pytest.mark.parametrize("name", NAMES)
def test_speed_is_braked(rest, name: str):
    for axis in range(3):
        velocity = 0.1 * np.eye(3)[axis]
        rate = ask(Balance(), rest(name, velocity=velocity)).linear.rate
        assert rate[axis] < 0 and abs(rate[axis]) == pytest.approx(np.abs(rate).max())


def test_the_centre_of_mass_is_pulled_over_the_feet(rest):
    """Leaning, with the feet where they were: back towards the support."""
    state = rest()
    behaviour = Balance()
    behaviour.start(state, 0.01)
    state.c[:2] += [0.03, -0.02]  # as if the body leaned
    command: Any = behaviour.update(state)
    rate = command.linear.rate
    assert rate[0] < 0 < rate[1]


def test_where_the_feet_are_does_not_matter(rest):
    """Eq. 5 is about the supports: walking the whole body elsewhere changes nothing."""
    here, there = ask(Balance(), rest()), ask(Balance(), rest(shift=(3.0, -2.0, 0.0)))
    np.testing.assert_allclose(here.linear.rate, there.linear.rate, atol=1e-6)


def test_wishes_beyond_friction_are_clamped(rest):
    state = rest(velocity=(5.0, 3.0, 0.0))
    rate = ask(Balance(mu=0.3), state).linear.rate
    force = rate - state.m * state.g
    assert np.linalg.norm(force[:2]) == pytest.approx(0.3 * force[2], rel=1e-9)


@pytest.mark.parametrize("speed", [-20.0, 20.0])
def test_wishes_beyond_the_weight_are_clamped(rest, speed: float):
    state = rest(velocity=(0.0, 0.0, speed))
    force = ask(Balance(), state).linear.rate - state.m * state.g
    share = force[2] / (state.m * 9.81)
    assert 0.15 < share < 0.25 if speed > 0 else 1.75 < share < 1.85


def test_options_reach_the_command(rest):
    state = rest()
    assert ask(Balance(angular=False), state).angular is None
    heard = []

    def others(t, s):
        heard.append((t, s))
        return [Point("head", (0.0, 0.0, 0.0), None)]

    command = ask(Balance(others=others), state)
    assert len(command.others) == 1 and heard == [(0.0, state)]


def test_weights_reach_the_joints(rest):
    """Root translation free, root orientation its own, arms light, everything scaled by tracking."""
    state = rest()
    character, model = state.character, state.model
    weight = ask(Balance(weights=Weights(tracking=2.0, root=7.0, arms=0.5)), state).tracking.weight
    assert not weight[:3].any() and (weight[3:6] == 7.0).all()
    for j in range(1, model.njnt):
        joint = model.joint(j)
        arm = model.body(joint.bodyid[0]).name in character.arms
        expected = 2.0 * character.track_weights.get(joint.name, 1.0) * (0.5 if arm else 1.0)
        assert weight[joint.dofadr[0]] == pytest.approx(expected), joint.name


def test_gains_scale_the_law(rest):
    state = rest()
    state.data.qvel[10] = 1.0
    mujoco.mj_forward(state.model, state.data)
    state.update()
    soft = ask(Balance(gains=Gains(track_damping=1.0)), state).tracking.v_dot[10]
    firm = ask(Balance(gains=Gains(track_damping=3.0)), state).tracking.v_dot[10]
    assert soft < 0 and firm == pytest.approx(3 * soft)


def test_a_clip_is_followed(rest):
    """Reference, feed-forward and supports come from the clip at the time since the start."""
    character = Character.named("adult")
    clip = library.side_kick(character)
    state, behaviour = rest(), Balance(clip=clip)
    behaviour.start(state, 0.01)
    lifted = False
    for t in np.linspace(0.0, clip.seconds, 9):
        state.data.time = t
        command = behaviour.update(state)
        np.testing.assert_allclose(behaviour.q_ref, clip.at(t))
        assert list(command.supports) == [clip.on_ground(s.name, t) for s in character.supports]
        lifted |= not command.supports.all()
    assert lifted


def test_in_flight_there_is_no_pressure_to_steer(rest):
    character = Character.named("adult")
    names = [s.name for s in character.supports]
    clip = Clip(
        character, np.array([0.0, 1.0]), np.array([character.q_rest] * 2), contacts=dict.fromkeys(names, ())
    )
    command = ask(Balance(clip=clip), rest())
    assert not command.supports.any() and command.angular is None


def test_after_a_fall_it_only_damps(rest):
    """On the ground nothing is wanted but rest: no supports, no momenta, v̇ against v."""
    state = rest(shift=(0.0, 0.0, -0.6), velocity=(0.5, 0.0, 0.0))
    state.data.qvel[6:] = 1.0
    mujoco.mj_forward(state.model, state.data)
    command = ask(Balance(), state.update())
    assert command.linear is None and command.angular is None and not command.supports.any()
    assert (command.tracking.v_dot * state.v <= 0).all()


@pytest.mark.parametrize(
    "make", [library.squat, library.side_kick, library.butterfly], ids=lambda f: f.__name__
)
def test_reference_is_the_motion_of_the_clip(make):
    """c from kinematics; ċ and c̈ are its derivatives."""
    character = Character.named("adult")
    clip = make(character)
    reference = Reference(clip)
    step = 1e-3
    for t in clip.start + clip.seconds * np.linspace(0.1, 0.9, 7):
        c, v, _, x = reference.at(t)
        data = character.posed(clip.at(t))
        np.testing.assert_allclose(c, data.subtree_com[0], atol=1e-3)
        sooner, later = (character.posed(clip.at(t + s)).subtree_com[0].copy() for s in (-step, step))
        np.testing.assert_allclose(v, (later - sooner) / (2 * step), atol=0.03)
        feet = [data.body(s.body).xpos + data.body(s.body).xmat.reshape(3, 3) @ s.points.mean(axis=0)
                for s in character.supports]  # fmt: skip
        np.testing.assert_allclose(x, feet, atol=5e-3)


def test_reference_of_a_loop_repeats():
    clip = library.squat(Character.named("adult"))
    reference = Reference(clip)
    assert clip.loop
    for t in (0.1, 0.7):
        for one, other in zip(reference.at(t), reference.at(t + clip.seconds)):
            np.testing.assert_allclose(one, other, atol=1e-9)


def test_reference_at_rest_is_still():
    c, v, a, _ = Reference(Clip.still(Character.named("adult"))).at(3.0)
    np.testing.assert_allclose(c, Character.named("adult").com_rest)
    assert not v.any() and not a.any()

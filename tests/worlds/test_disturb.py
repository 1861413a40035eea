"""Pushes and drags: their text, their timing, and that they give the impulse they say."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poise.character import Character
from poise.errors import BadInput
from poise.worlds import Arena, Drag, Push, World

numbers = st.floats(-1e6, 1e6)
times = st.floats(0.0, 1e3)
names = st.from_regex(r"[A-Za-z_][A-Za-z0-9_.-]{0,12}", fullmatch=True)


@given(names, st.tuples(numbers, numbers, numbers), times, st.floats(1e-6, 1e3))
def test_round_trip(body, force, start, duration):
    push = Push(body, force, start, duration)
    assert Push.parse(str(push)) == push


def test_reads_what_the_manual_says():
    assert Push.parse("torso:250,0,0@1.0+0.1") == Push("torso", (250.0, 0.0, 0.0), 1.0, 0.1)
    assert Push.parse(" head : -1e2, .5, +3 @ 0 + 2. ") == Push("head", (-100.0, 0.5, 3.0), 0.0, 2.0)


def test_numpy_numbers_are_written_plainly():
    push = Push("torso", tuple(np.array([250.0, 0.0, 0.0])), np.float64(1.0), np.float64(0.1))
    assert Push.parse(str(push)) == push


def test_a_point_of_application_is_written_too():
    """A take is run again from the text of its pushes: what the text leaves out is lost."""
    push = Push("torso", (250.0, 0.0, 0.0), 1.0, 0.1, offset=(0.0, 0.01, 0.03))
    assert Push.parse(str(push)) == push


@pytest.mark.parametrize(
    "text",
    ["", "torso", "torso:1,2@0+1", "torso:1,2,3", "torso:1,2,3@1", ":1,2,3@0+1", "torso:a,b,c@0+1", "torso:1,2,3@0+1 x",
     "torso:nan,0,0@1+0.1", "torso:1,2,3,4@0+1", "torso:1,2,3@0+1e", "torso 1 2 3 0 1"],
)  # fmt: skip
def test_nonsense_is_refused_with_an_example(text: str):
    with pytest.raises(BadInput, match=r"torso:250,0,0@1\.0\+0\.1"):
        Push.parse(text)


@pytest.mark.parametrize(
    ("fields", "say"),
    [
        ({"duration": 0.0}, "duration above zero"),
        ({"duration": -1.0}, "duration above zero"),
        ({"start": -0.1}, "from zero on"),
        ({"force": (np.inf, 0.0, 0.0)}, "not finite"),
        ({"start": np.nan}, "not finite"),
    ],
)
def test_impossible_pushes_are_refused(fields: dict, say: str):
    with pytest.raises(BadInput, match=say):
        Push(**{"body": "torso", "force": (1.0, 0.0, 0.0), "start": 1.0, "duration": 0.1} | fields)


def test_negative_times_are_refused_in_text_too():
    for text in ("torso:1,0,0@1+-0.1", "torso:1,0,0@-1+0.1", "torso:1,0,0@1+0"):
        with pytest.raises(BadInput):
            Push.parse(text)


def flying(world: World) -> Arena:
    """An adult far above the floor, in free fall, motors off."""
    character = Character.named("adult")
    arena = Arena(world, character)
    q = np.array(character.q_rest)
    q[2] += 50.0
    arena.reset(q)
    return arena


def run(arena: Arena, seconds: float) -> None:
    for _ in range(round(seconds / arena.world.dt)):
        arena.begin()
        arena.finish()


def velocity(arena: Arena) -> np.ndarray:
    """Of the centre of mass [m/s]."""
    mujoco.mj_forward(arena.model, arena.data)
    mujoco.mj_subtreeVel(arena.model, arena.data)
    return arena.data.subtree_linvel[arena.tree.body0].copy()


def test_a_push_gives_its_impulse():
    push = Push("pelvis", (300.0, -200.0, 100.0), 0.02, 0.1)
    arena = flying(World(pushes=[push]))
    run(arena, 0.3)
    expected = np.array(push.force) * push.duration / arena.character.mass + [0.0, 0.0, -9.81 * 0.3]
    np.testing.assert_allclose(velocity(arena), expected, atol=0.01)
    assert not arena.data.xfrc_applied.any()


def test_several_pushes_add_up():
    pushes = [Push("torso", (100.0, 0.0, 0.0), 0.0, 0.1), Push("torso", (0.0, 100.0, 0.0), 0.05, 0.1),
              Push("pelvis", (-50.0, 0.0, 0.0), 0.0, 0.1)]  # fmt: skip
    arena = flying(World(pushes=pushes))
    run(arena, 0.2)
    total = np.sum([np.array(p.force) * p.duration for p in pushes], axis=0) / arena.character.mass
    np.testing.assert_allclose(velocity(arena)[:2], total[:2], atol=0.01)


def test_an_offset_turns_the_body():
    """The same force above the centre of mass of the body gives the same speed and a moment besides."""
    turned = []
    for height in (0.0, 0.2):
        arena = flying(
            World(pushes=[Push("pelvis", (300.0, 0.0, 0.0), 0.0, 0.02, offset=(0.0, 0.0, height))])
        )
        run(arena, 0.02)
        turned.append((velocity(arena), arena.data.qvel[arena.tree.dofs][4]))
    np.testing.assert_allclose(turned[0][0], turned[1][0], atol=0.02)
    assert turned[1][1] > turned[0][1] + 0.1


def test_timing_is_half_open():
    push = Push("torso", (1.0, 0.0, 0.0), 1.0, 0.5)
    assert [push.acts(t) for t in (0.99, 1.0, 1.49, 1.5, 2.0)] == [False, True, True, False, False]


def test_unknown_bodies_are_refused_by_name():
    for world in (
        World(pushes=[Push("tosro", (1.0, 0.0, 0.0), 0.0, 1.0)]),
        World(drags=[Drag("tosro", lambda t: np.zeros(3))]),
    ):
        with pytest.raises(BadInput, match=r"'tosro' not found.*did you mean 'torso'"):
            Arena(world, Character.named("adult"))


def test_drag_is_capped_and_points_at_its_target():
    drag = Drag("head", lambda t: np.array([t, 0.0, 0.0]), stiffness=100.0, damping=10.0, strongest=20.0)
    np.testing.assert_allclose(drag.force(0.1, np.zeros(3), np.zeros(3)), [10.0, 0.0, 0.0])
    np.testing.assert_allclose(drag.force(0.1, np.zeros(3), np.array([0.0, 0.5, 0.0])), [10.0, -5.0, 0.0])
    np.testing.assert_allclose(drag.force(3.0, np.zeros(3), np.zeros(3)), [20.0, 0.0, 0.0])
    np.testing.assert_array_equal(drag.force(0.0, np.zeros(3), np.zeros(3)), np.zeros(3))


@given(st.tuples(numbers, numbers, numbers), st.tuples(numbers, numbers, numbers))
def test_drag_never_exceeds_its_strength(x, v):
    drag = Drag("head", lambda t: np.zeros(3))
    assert np.linalg.norm(drag.force(0.0, np.array(x), np.array(v))) <= drag.strongest * (1 + 1e-12)


def test_a_drag_pulls_its_point_along():
    """In weightless flight the dragged hand ends on its target; outside its time nothing pulls."""
    aim = np.array([0.3, 0.3, 51.0])
    arena = flying(World(drags=[Drag("hand_l", lambda t: aim, start=0.1)]))
    arena.model.opt.gravity[:] = 0.0
    run(arena, 0.1)
    assert not arena.data.xfrc_applied.any() and np.abs(arena.data.qvel[:3]).max() < 0.05
    before = np.linalg.norm(arena.data.body("hand_l").xpos - aim)
    run(arena, 4.0)
    after = np.linalg.norm(arena.data.body("hand_l").xpos - aim)
    assert after < 0.2 * before

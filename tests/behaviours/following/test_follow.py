"""A clip that steps is followed in physics, pushed, and gone on with."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import poise
from mocap import need
from poise.behaviours.following.follow import Follow
from poise.behaviours.following.view import View
from poise.character import Character
from poise.control.tracking import firmness
from poise.geometry.linear import norm
from poise.motion.gait import FLAT, walk
from poise.motion.score import columns as cols
from poise.scenes.react import scored
from poise.simulate import Scene, Session, simulate
from poise.worlds import Push, World


def scene(seed: int = 0, pushes: tuple[Push, ...] = ()) -> Scene:
    """The adult follows a made-up walk of four steps."""
    body = Character.named("adult")
    score = scored(walk(body, FLAT, steps=4))
    q, v, _ = score.clip.sample(1e-6)
    return Scene("", body, World(pushes=pushes), Follow(score), seconds=6.0, q_start=q, v_start=v, seed=seed,
                 pose_noise=0.01, after_fall=0.2)  # fmt: skip


def test_a_walk_is_followed_to_its_end():
    takes = [simulate(scene(seed)) for seed in range(5)]
    assert sum(not take.fell and take["clip"][-1, 0] > 2.3 for take in takes) >= 4
    off = np.sort([np.sqrt((take["xi_error"] ** 2).sum(axis=1).mean()) for take in takes])
    assert off[2] < 0.02
    assert takes[0].steps == 4


def test_pushed_it_walks_on():
    mass = Character.named("adult").mass
    pushed = [scene(0, (Push("torso", (0.0, side * 2.0 * mass, 0.0), 0.5, 0.1),)) for side in (-1, 1)]
    assert all(not take.fell for take in map(simulate, pushed))


def test_a_hurried_landing_does_not_hasten_the_body():
    session = Session(scene())
    session.step(0.3)
    follow = session.controller.behaviour
    assert isinstance(follow, Follow)
    way = follow.way
    follow._course(session.state)
    xi, p = way.xi - way.delta, way.p.copy()
    follow.s, follow._hurried, follow.rate = follow.s + 8.0, 8.0, 1.8
    follow._course(session.state)
    assert np.abs(way.xi - way.delta - xi).max() < 0.05  # at a rate of 1.8 the clip's own ξ is 0.3 m ahead
    assert np.abs(way.p - p).max() < 0.05


def test_spin_that_is_owed_will_move_xi_as_the_ground_has_to_push():
    session = Session(scene())
    session.step(0.3)
    follow, state = session.controller.behaviour, session.state
    assert isinstance(follow, Follow)
    w, row = follow._course(state)
    spin = state.G[3:5] - follow._pace() * row[cols.H][:2]
    below = float(state.c[2])  # a push P at the ground, (0, 0, -below) × P, takes the spin away
    push = np.array([-spin[1], spin[0]]) / -below
    assert follow.way.owed == pytest.approx(push / (state.m * w))
    assert norm(spin) > 0.1


def test_a_trunk_that_leans_far_already_is_not_bent_further(monkeypatch):
    session = Session(scene())
    session.step(0.3)
    follow, state = session.controller.behaviour, session.state
    assert isinstance(follow, Follow)
    out, pressing = state.c[:2] + np.array([0.0, 5.0]), follow.pressing

    def beyond(lean: float) -> float:
        monkeypatch.setattr(pressing, "lean", lambda *_: np.array([0.0, lean]))
        pressing.put(state, out, follow.view, follow.s)
        return norm(pressing.beyond)

    assert beyond(0.5) == pytest.approx(0.5 * beyond(0.0), rel=0.2) and beyond(2.0) == 0.0


def test_a_session_goes_back_bit_for_bit():
    session = Session(scene())
    session.step(0.4)
    mark = session.save()
    session.step(0.2)
    q = session.state.q.copy()
    session.restore(mark)
    session.step(0.2)
    assert np.array_equal(q, session.state.q)


def test_a_view_keeps_the_foot_that_it_is_seen_from():
    view = View()
    view.look(np.array([1.0, 2.0]), np.array([1.5, 2.5]), 1.0)
    assert view.point(np.array([1.0, 2.0])) == pytest.approx([1.5, 2.5])
    view.carry(np.array([0.0, 0.5]))
    assert view.point(np.array([2.0, 2.0, 7.0])) == pytest.approx([2.5, 3.0, 7.0])


@pytest.mark.parametrize("name", ["02_01", "83_20", "76_11"])
def test_captured_clips_that_step(name):
    """Four of five replicas to the end, near their course and their prints."""
    (path,) = need(f"bvh/{name}.bvh")
    good = 0
    for seed in range(5):
        take = simulate(poise.scene("react", motion=path, seed=seed, pose_noise=0.01))
        figures: Any = take.metrics
        kept = not take.fell and figures["kept_share"] > 0.99
        good += kept and figures["xi_error_rms_m"] < 0.03 and figures["landing_error_m"] < 0.03
    assert good >= 4


def test_a_shove_on_both_feet_is_stepped_out_and_the_clip_goes_on():
    (path,) = need("bvh/83_20.bvh")
    take = simulate(poise.scene("react", motion=path, push="torso:0,-210,0@0.7+0.1"))
    assert not take.fell and take.metrics["kept_share"] == pytest.approx(1.0, abs=0.01)
    assert float(take.metrics["steps_extra"] or 0.0) >= 2


def test_on_its_course_spin_is_firm_but_free_where_help_is_needed():
    session = Session(scene())
    session.step(0.3)
    follow = session.controller.behaviour
    assert isinstance(follow, Follow) and follow.score.steady[round(follow.s)]
    h, plain = follow.facts.h, follow.weights.level

    def level(off: float, lack: float) -> tuple[float, float]:
        follow._xi_error[:], follow.pressing.away = (off, 0.0), np.array([lack, 0.0])
        return follow._level()

    assert level(0.0, 0.0) == (plain + follow.calm.spin, plain + follow.calm.spin)
    assert level(0.06 * h, 0.0) == (plain, plain)
    about_x, about_y = level(0.0, 0.03 * h)  # spin about y moves the pressure along x
    assert about_x > 1000.0 and about_y == 0.0


def test_limbs_are_firm_while_it_is_on_its_course():
    session = Session(scene())
    session.step(0.3)
    follow, state = session.controller.behaviour, session.state
    assert isinstance(follow, Follow)
    firm, free = (
        follow.posing.track(state, follow.score, follow.view, follow.s, 1.0, calm)[0].weight.copy()
        for calm in (1.0, 0.0)
    )
    arm, leg, trunk = (
        firmness(state.tree, {body: 2.0}) > 1.0
        for body in (state.character.arms[0], follow.legs[0].shank, state.character.trunk)
    )
    assert firm[arm] == pytest.approx(20.0 * free[arm]) and firm[leg] == pytest.approx(4.0 * free[leg])
    assert firm[trunk] == pytest.approx(free[trunk])
    assert (
        follow.posing.calm(np.zeros(2)) == 1.0
        and follow.posing.calm(np.array([0.06 * follow.facts.h, 0.0])) == 0.0
    )

"""A stride as a score without end."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from poise.character import Character
from poise.motion.gait import walk
from poise.motion.score import columns as cols
from poise.motion.score.loop import arc
from poise.motion.score.samples import DT
from poise.motion.stride import stride_of
from poise.scenes.stroll import scored


@pytest.fixture(scope="module")
def stride():
    return stride_of(walk(Character.named("adult"), steps=6))


@pytest.mark.parametrize(("speed", "turn"), [(1.0, 0.0), (0.8, 0.3)])
def test_a_round_is_the_one_before_moved_on(stride, speed, turn):
    loop = scored(stride, speed, turn)
    n, (shift, angle) = loop.period, loop.on
    c, s = np.cos(angle), np.sin(angle)
    R = np.array([[c, -s], [s, c]])
    body = loop.tables.body
    assert np.allclose(body[n : 2 * n, :2], body[:n, :2] @ R.T + shift, atol=1e-9)
    assert np.allclose(body[n : 2 * n, cols.V][:, :2], body[:n, cols.V][:, :2] @ R.T, atol=1e-9)
    for own in loop.prints:
        for p, q in pairwise(own[1:]):
            assert q.first - p.first == n
            assert np.allclose(q.place, R @ p.place + shift)
    assert np.hypot(*shift) == pytest.approx(speed * n * DT * np.sinc(0.5 * angle / np.pi))


def test_rounds_join_without_a_jump(stride):
    loop = scored(stride, stride.speed, 0.0)
    step = np.linalg.norm(np.diff(loop.tables.body[:, cols.C], axis=0), axis=1)
    assert step[loop.period - 1] < 1.2 * step.max() and step.max() < 0.03
    assert np.linalg.norm(np.diff(loop.tables.soles[..., cols.TURN], axis=1), axis=2).max() < 0.2


def test_it_begins_on_both_feet(stride):
    loop = scored(stride, stride.speed, 0.0)
    assert all(own[0].first == 0 and own[0].last > 0 for own in loop.prints)


def test_faster_means_longer_and_quicker(stride):
    slow, fast = (scored(stride, v, 0.0) for v in (0.8, 1.2))
    ratio = np.hypot(*fast.on[0]) / np.hypot(*slow.on[0])
    assert ratio == pytest.approx(1.5**0.5, rel=0.03)
    assert slow.period / fast.period == pytest.approx(1.5**0.5, rel=0.03)


def test_an_arc_of_half_a_turn():
    place, angle = arc(np.pi, np.pi, 1.0)
    assert angle == pytest.approx(np.pi)
    assert np.allclose(place, [0.0, 2.0])

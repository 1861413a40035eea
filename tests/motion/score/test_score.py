"""A clip as a score: prints where its feet stand, a pressure in the support, and little changed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from poise.character import Character
from poise.geometry import quat
from poise.geometry.polygon import hull, signed_distance
from poise.motion.gait import FLAT, walk
from poise.motion.score import Score
from poise.motion.score import columns as cols
from poise.motion.score.filter import shifted
from poise.motion.score.manner import CAREFUL
from poise.motion.score.paths import path_of
from poise.motion.score.prints import Print, comes, handed_over, levelled, tilts
from poise.motion.score.samples import DT, Samples
from poise.motion.score.score import areas_of
from poise.scenes.react import scored


@pytest.fixture(scope="module")
def score() -> Score:
    return scored(walk(Character.named("adult"), FLAT, steps=4))


def test_feet_alternate_and_stand_where_the_clip_has_them(score):
    left, right = score.prints
    assert [len(own) for own in score.prints] == [3, 3]
    for k, own in enumerate((left, right)):
        for p in own:
            middle = (p.first + p.last) // 2
            assert np.abs(score.tables.soles[k][middle, cols.X][:2] - p.place).max() < 0.01
    assert left[1].place[0] - left[0].place[0] == pytest.approx(
        right[2].place[0] - right[1].place[0], abs=0.02
    )


def test_hardly_anything_was_changed_and_the_ends_nothing(score):
    assert np.abs(score.shift).max() < 0.02
    assert np.abs(score.shift[[0, -1]]).max() < 0.005


def test_swing_feet_clear_the_ground_and_land_at_rest(score):
    rows, p = score.tables.soles[0], score.prints[0][1]
    lift = score.prints[0][0].last
    assert rows[lift : p.first, 2].max() > 0.045
    assert np.abs(rows[p.first, cols.X_DOT]).max() < 0.4


def test_the_axis_of_the_trunk_is_upright_at_first_and_nearly_so_in_a_walk(score):
    own, up = score.trunk
    assert up.shape == (score.count, 3) and np.linalg.norm(own) == pytest.approx(1.0)
    assert up[0] == pytest.approx([0.0, 0.0, 1.0])
    assert np.linalg.norm(up, axis=1) == pytest.approx(1.0)
    assert up[:, 2].min() > 0.97


def test_pressure_outside_the_support_is_brought_in():
    n, dt, kappa = 200, 0.01, np.full(200, 0.1)
    square = np.array([[-0.05, -0.02], [0.05, -0.02], [0.05, 0.02], [-0.05, 0.02]])
    areas, sizes = np.zeros((n, 9, 2)), np.full(n, 4)
    areas[:, :4] = square
    p = np.zeros((n, 2))
    p[80:120, 0] = 0.09 * np.sin(np.linspace(0, np.pi, 40))
    x = shifted(p, kappa, areas, sizes, dt)
    x_ddot = np.zeros_like(x)
    x_ddot[1:-1] = (x[2:] - 2 * x[1:-1] + x[:-2]) / dt**2
    after = p + x - kappa[:, None] * x_ddot
    outside = [signed_distance(square, q) for q in after[20:-20]]
    assert max(outside) < 0.004  # 0.04 before
    assert np.abs(x[:, 1]).max() < 1e-9


def test_pressure_inside_stays():
    areas, sizes = np.zeros((50, 9, 2)), np.full(50, 4)
    areas[:, :4] = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    assert np.abs(shifted(np.zeros((50, 2)), np.full(50, 0.1), areas, sizes, 0.01)).max() < 1e-12


def test_stances_overlap_where_the_body_does_not_fly():
    a = Print(0, 0, 40, np.zeros(2), 0.0, 0.0, False, True)
    b = Print(1, 42, 90, np.ones(2), 0.0, 0.0, True, True)
    (one,), (two,) = handed_over(([a], [b]), np.ones(100, bool))
    assert one.last - two.first == 8
    (one,), (two,) = handed_over(([a], [b]), np.zeros(100, bool))
    assert (one.last, two.first) == (40, 42)


def test_support_of_two_feet_is_their_hull():
    half = np.array([[0.1, 0.04], [0.1, 0.04]])
    prints = ([Print(0, 0, 9, np.array([0.0, 0.1]), 0.0, 0.0, False, False)],
              [Print(1, 5, 9, np.array([0.0, -0.1]), 0.0, 0.0, True, False)])  # fmt: skip
    areas, sizes = areas_of(10, prints, np.zeros((2, 10)), half)
    assert list(sizes) == [4] * 10
    assert np.ptp(areas[0, :4, 1]) < 0.03 < 0.19 < np.ptp(areas[9, :4, 1])
    assert len(hull(areas[9, :4])) == 4


def test_a_sole_that_hands_over_presses_at_its_edge_and_one_that_takes_off_does_not():
    half = np.array([[0.13, 0.04], [0.13, 0.04]])
    left = Print(0, 0, 50, np.array([0.0, 0.1]), 0.0, 0.0, False, True)
    right = Print(1, 40, 90, np.array([0.6, -0.1]), 0.0, 0.0, True, False)
    tilt = np.zeros((2, 91))
    tilt[0, 30] = 0.3
    walks, _ = areas_of(91, ([left], [right]), tilt, half)
    jumps, _ = areas_of(91, ([left], []), tilt, half)
    assert walks[30, :2, 0].max() == pytest.approx(0.13)
    assert jumps[30, :2, 0].max() == pytest.approx(0.8 * 0.13)


def test_a_sole_that_stays_lies_flat_and_one_that_leaves_raises_its_heel():
    pitch = np.full(200, 0.4)
    stays = Print(0, 0, 199, np.zeros(2), 0.0, 0.0, False, False)
    leaves = Print(0, 0, 150, np.zeros(2), 0.0, 0.0, False, True)
    assert not tilts([stays], pitch).any()
    tilt = tilts([leaves], pitch)
    assert not tilt[:105].any() and tilt[150] == pytest.approx(0.3, abs=0.01)


def _still(pitch: float, height: float, n: int = 50) -> Samples:
    """Two soles in place, the second with a pitch [rad], its middle at a height [m]."""
    x, turn = np.zeros((n, 2, 3)), np.zeros((n, 2, 4))
    x[:, 1, 2] = height
    turn[:, 0], turn[:, 1] = (1.0, 0.0, 0.0, 0.0), quat.from_rotvec(np.array([0.0, pitch, 0.0]))
    none = np.zeros((n, 3))
    return Samples(np.arange(n) * DT, none, none, none, none, none, x, turn)


def test_a_foot_on_its_toes_stands_on_the_floor_and_a_flat_one_on_a_tread():
    half = np.array([[0.13, 0.045], [0.13, 0.045]])
    prints = tuple([Print(k, 0, 49, np.zeros(2), 0.0, 0.0, False, False)] for k in (0, 1))
    toes = levelled(prints, _still(0.7, 0.13 * np.sin(0.7)), half)
    flat = levelled(prints, _still(0.0, 0.1), half)
    assert [own[0].level for own in toes] == [0.0, 0.0]
    assert [own[0].level for own in flat] == pytest.approx([0.0, 0.1])


def test_a_swing_that_a_clip_ends_in_is_raised_and_not_taken_down_again():
    samples = _still(0.0, 0.0)
    samples.x[:, 1, 0] = np.linspace(0.0, 0.5, 50)
    half = np.array([0.13, 0.045])
    x, _ = path_of(
        samples, 1, [Print(1, 0, 9, np.zeros(2), 0.0, 0.0, False, True)], np.zeros(50), half, CAREFUL
    )
    assert x[:10, 2] == pytest.approx(0.0, abs=1e-9)
    assert (np.diff(x[9:, 2]) > -1e-9).all() and x[-1, 2] == pytest.approx(CAREFUL.clearance, abs=0.005)


def test_toes_that_land_first_land_first_and_the_heel_comes_down():
    pitch = np.concatenate([np.linspace(0.4, 0.0, 20), np.zeros(80)])
    landed = Print(0, 0, 99, np.zeros(2), 0.0, 0.0, True, False)
    stands = Print(1, -50, 10, np.zeros(2), 0.0, 0.0, False, True)
    tilt = tilts([landed], pitch, others=[stands])
    assert tilt[0] == pytest.approx(0.3) and not tilt[25:].any() and (np.diff(tilt) <= 0.0).all()
    assert not tilts([landed], np.full(100, 0.05), others=[stands]).any()
    assert not tilts([landed], pitch).any()
    assert comes(landed, 10, [stands]) and not comes(landed, 60, [stands]) and not comes(landed, 10, [])


def test_it_is_steady_where_it_neither_flies_nor_kicks(score):
    assert score.steady.all()
    n = score.count
    last = [replace(own[0], first=0, last=n - 11) for own in score.prints]
    flies = replace(score, prints=tuple([p] for p in last))
    assert not flies.steady[n - 100 :].any() and flies.steady[: n - 120].all()
    kicks = np.zeros(n, bool)
    kicks[:10] = True
    assert (
        not replace(score, kicks=kicks).steady[:100].any() and replace(score, kicks=kicks).steady[120:].all()
    )

"""Where a clip kicks, its light soles still ask for a force that they can give, and nothing else changes."""

from __future__ import annotations

import numpy as np

from poise.motion.score.filter import shifted
from poise.motion.score.kicks import AROUND, HIGH, kicking
from poise.motion.score.pace import _loaded
from poise.motion.score.samples import DT
from poise.motion.score.score import LIGHT


def test_a_foot_at_the_height_of_a_hip_kicks_for_a_while_about_it():
    high, c = np.zeros((300, 2)), np.full(300, 0.9)
    assert not kicking(high, c).any()
    high[150, 1] = (HIGH + 0.01) * 0.9
    about = np.flatnonzero(kicking(high, c))
    assert (about[0], about[-1]) == (150 - round(AROUND / DT), 150 + round(AROUND / DT))


def test_a_body_that_sinks_too_fast_to_weigh_on_its_feet_is_slowed_until_it_does():
    g = 9.81
    up = np.array([0.0, 3.0, -(1.0 - LIGHT) * g, -g])
    pace = _loaded(up)
    assert np.allclose(pace[:3], 1.0)
    assert np.isclose(g + pace[3] ** 2 * up[3], LIGHT * g)


def test_a_pressure_without_weight_asks_for_nothing():
    n, kappa = 200, np.full(200, 0.1)
    areas, sizes = np.zeros((n, 9, 2)), np.full(n, 4)
    areas[:, :4] = np.array([[-0.05, -0.02], [0.05, -0.02], [0.05, 0.02], [-0.05, 0.02]])
    p, light = np.zeros((n, 2)), np.ones(n)
    p[80:120, 0] = 0.3
    light[80:120] = 0.0
    full, none = (shifted(p, kappa, areas, sizes, DT, load) for load in (1.0, light))
    assert np.abs(full).max() > 0.001 and np.abs(none).max() < 1e-9

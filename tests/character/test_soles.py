"""Soles that bend at the balls of the feet."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from poise.character import Character
from poise.character.soles import BALL, bending


def test_the_sole_ends_at_the_ball_and_so_does_what_touches_the_ground():
    old = Character.named("adult")
    new = bending(old)
    before, after = (c.support("foot_l").points for c in (old, new))
    assert np.ptp(after[:, 0]) == pytest.approx(BALL * np.ptp(before[:, 0]))
    assert after[:, 0].min() == before[:, 0].min()
    assert np.ptp(after[:, 1]) < np.ptp(before[:, 1])
    foot = new.model.body("foot_l").id
    rods = [
        g for g in range(new.model.ngeom) if new.model.geom_bodyid[g] == foot and new.model.geom_contype[g]
    ]
    assert sorted(new.model.geom_pos[rods, 0]) == pytest.approx(sorted({*after[:, 0]}))
    assert new.mass == pytest.approx(old.mass)


def test_a_body_whose_soles_are_no_rods_stays_as_it_is():
    body = Character.named("adult")
    turned = replace(body, supports=tuple(replace(s, frame=(0.8, 0.0, 0.6, 0.0)) for s in body.supports))
    assert bending(turned) is turned

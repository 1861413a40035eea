"""The paper's swing: a straight way with a Gaussian speed."""

from __future__ import annotations

import numpy as np
import pytest

from poise.behaviours.stepping.reach import LAND, LIFT, bell


def test_the_foot_goes_the_whole_way_and_begins_and_ends_at_rest():
    for share, gone in ((0.0, 0.0), (LIFT, 0.0), (0.5, 0.5), (LAND, 1.0), (1.0, 1.0)):
        assert bell(share)[0] == pytest.approx(gone, abs=1e-12)
    assert bell(LIFT)[1] == pytest.approx(0.0, abs=1e-12) == bell(LAND)[1]
    assert bell(0.5)[3] == pytest.approx(1.0)


def test_rates_are_derivatives():
    h = 1e-6
    for share in np.linspace(LIFT + 0.02, LAND - 0.02, 7):
        low, mid, high = (np.array(bell(share + d)) for d in (-h, 0.0, h))
        slope = (high - low) / (2 * h)
        assert slope[[0, 1, 3, 4]] == pytest.approx(mid[[1, 2, 4, 5]], rel=1e-5, abs=1e-5)


def test_both_feet_are_down_at_both_ends_of_a_step():
    assert abs(LIFT - 0.26) < 1e-9 and abs(LAND - 0.74) < 1e-9

"""Objectives on soles: a reached target asks for nothing. Their rows are checked with all others."""

from __future__ import annotations

import numpy as np

from poise.control.sole import SwingSole


def test_target_reached_at_rest_asks_for_nothing(moving):
    state = moving("adult", 5, speed=0.0)
    zero = np.zeros(3)
    still = state.x[0].copy(), zero, zero, state.R[0].copy(), zero, zero
    np.testing.assert_allclose(SwingSole(0, *still, 100.0, 20.0, (10.0, 5.0)).desired(state), 0.0, atol=1e-9)

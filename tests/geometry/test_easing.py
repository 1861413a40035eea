"""Easing curves: ends, symmetry, rates by finite differences."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from poise.geometry.easing import cubic, cubic_rates, quintic, quintic_rates


@pytest.mark.parametrize("curve", [quintic, cubic])
def test_rises_from_zero_to_one(curve: Callable):
    s = curve(np.linspace(-0.5, 1.5, 201))
    assert s[0] == 0 and s[-1] == 1 and np.all(np.diff(s) >= 0) and curve(0.5) == 0.5


@pytest.mark.parametrize(("curve", "rates"), [(quintic, quintic_rates), (cubic, cubic_rates)])
def test_rates(curve: Callable, rates: Callable):
    assert rates(-1.0)[:2] == (0.0, 0.0) and rates(2.0)[:2] == (1.0, 0.0)
    for x in (0.1, 0.5, 0.9):
        s, ds, dds = rates(x)
        assert s == pytest.approx(curve(x)) and s + curve(1 - x) == pytest.approx(1.0)
        assert ds == pytest.approx((curve(x + 1e-6) - curve(x - 1e-6)) / 2e-6, abs=1e-6)
        assert dds == pytest.approx((rates(x + 1e-6)[1] - rates(x - 1e-6)[1]) / 2e-6, abs=1e-6)

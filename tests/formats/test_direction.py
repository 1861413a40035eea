"""How physics and clip share a take: all clip outside, all physics inside, smooth in between."""

import numpy as np
import pytest

from poise.formats.direction import Direction

TIMES = np.arange(-0.5, 2.5, 0.001)


@pytest.mark.parametrize("returns", [True, False])
def test_the_share_is_smooth(returns):
    share = Direction(blend=0.3).share(TIMES, 2.0, returns)
    assert (share[TIMES <= 0] == 0).all() and share[(TIMES > 0.31) & (TIMES < 1.69)] == pytest.approx(1)
    assert (share[TIMES >= 2.001] == (0 if returns else 1)).all()
    rates = np.gradient(share, 0.001)
    assert np.abs(rates).max() < 2 / 0.3 and np.abs(np.gradient(rates, 0.001)).max() < 6 / 0.3**2


def test_without_a_blend_it_jumps():
    share = Direction(blend=0.0).share(TIMES, 2.0, True)
    assert set(share) == {0.0, 1.0} and share.sum() == pytest.approx(2000, abs=2)


def test_a_window_shorter_than_two_blends_is_shared_by_them():
    share = Direction(blend=0.5).share(TIMES, 0.4, True)
    assert share.max() == pytest.approx(1, abs=1e-6) and TIMES[share.argmax()] == pytest.approx(0.2, abs=2e-3)

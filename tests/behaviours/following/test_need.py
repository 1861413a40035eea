"""Which step is taken when a push takes ξ off a clip's course."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from poise.behaviours.following.need import due, other_step, outer_side

FACTS: Any = SimpleNamespace(h=1.0, g=9.81, rate=3.13)
STILL, FAST = np.zeros(3), np.array([1.2, 0.0, 0.0])


def asks(**given: Any) -> bool:
    """A body on both feet whose clip is slow and leaves them there, ξ out of reach."""
    usual = {"outer": -0.1, "left": 1.0, "off": 0.12, "lack": 0.05, "v": STILL, "half": 0.04}
    return other_step(FACTS, **(usual | given))


def test_on_both_feet_it_steps_when_no_pressure_will_do():
    assert asks()
    assert not asks(lack=0.01) and not asks(off=0.03)


def test_a_clip_that_goes_fast_or_steps_soon_is_left_to_its_own_steps():
    assert not asks(v=FAST) and not asks(left=0.1)


def test_a_foot_is_not_lifted_where_that_leaves_xi_beyond_the_other():
    assert asks(left=0.03, outer=0.06)
    assert not asks(left=0.03, outer=0.02) and not asks(left=0.03, outer=0.06, v=FAST)


def test_the_next_step_is_due_when_xi_is_far_off():
    assert due(FACTS, 0.15, 0.05, rush=4.0) == 2.0
    assert due(FACTS, 0.05, 0.05, rush=4.0) == due(FACTS, 0.15, 0.0, rush=4.0) == 1.0


def test_the_farther_off_xi_is_the_sooner_the_next_step_is_due():
    assert [due(FACTS, off, 0.05, rush=4.0) for off in (0.2, 0.35, 0.5, 0.9)] == pytest.approx([2, 3, 4, 4])


@pytest.mark.parametrize(("side", "y"), [(1, 0.3), (-1, -0.3)])
def test_the_outer_side_is_away_from_the_other_foot(side: int, y: float):
    foot: Any = SimpleNamespace(stands=lambda state: (np.zeros(2), 0.0), leg=SimpleNamespace(side=side))
    state: Any = None
    assert outer_side(state, foot, np.array([0.2, y])) == pytest.approx(0.3)

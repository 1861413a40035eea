"""The search for cycles: its numbers are the cycle's, and it is the same again for the same seed."""

from __future__ import annotations

import numpy as np
import pytest

from poise.behaviours.rolling.cycle import shipped
from poise.behaviours.rolling.design import BOTH, Design
from poise.behaviours.rolling.trial import Trial
from poise.character import Character


def test_numbers_and_cycle_are_one() -> None:
    plan = Design(shipped("guesses")["forward"], Character.named("adult"))
    x = plan.vector(plan.guess)
    assert ((x >= 0) & (x <= 1)).all()
    again = plan.cycle(x)
    for name, values in plan.guess.keys.items():
        np.testing.assert_allclose(again.keys[name], values, atol=1e-9)
    assert again.lead == pytest.approx(plan.guess.lead)


def test_who_turns_faster_than_asked_for_earns_nothing() -> None:
    slow, fast = (Trial(n, 1.2, n / 6.0, 0.0, 0.0, 0.0, 0.0, 0.5, 6.0) for n in (6.0, 9.0))
    assert BOTH.cost(fast, 0.0, 1.2, 6.0) < BOTH.cost(slow, 0.0, 1.2, 6.0)
    assert BOTH.cost(fast, 0.0, 1.2, 6.0, spin=1.0) > BOTH.cost(slow, 0.0, 1.2, 6.0, spin=1.0)


def test_search_repeats() -> None:
    pytest.importorskip("cma")
    plan = Design(shipped("guesses")["forward"], Character.named("adult"), seconds=0.6)
    seen: list[float] = []
    first = plan.search(16, seed=3, progress=lambda share, text: seen.append(share))
    assert first == plan.search(16, seed=3)
    assert seen and seen[-1] >= 0.9

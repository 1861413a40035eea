"""Rolls that are let go, and bodies that get up from them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import poise
from poise.behaviours.roll_out import RollOut


def let_go(name: str, seed: int, seconds: float, rolls: float) -> poise.Session:
    """Run until the body stands, or for some time."""
    session = poise.Session(poise.scene(name, seed=seed, seconds=seconds, stand="end", rolls=rolls), keep=1.0)
    out: Any = session.controller.behaviour
    while session.time < seconds and not out.metrics()["stands"]:
        session.step(0.1)
    return session


def test_a_log_roll_ends_standing() -> None:
    session = let_go("roll-sideways", 5, 12.0, 1.0)
    out: Any = session.controller.behaviour
    assert isinstance(out, RollOut) and out.metrics()["stands"] and not out.rolling
    assert abs(out.roll.attitude.phase) > 2 * np.pi
    session.step(0.5)
    assert session.state.c[2] > 0.93 * session.scene.character.com_rest[2]


def test_it_records_the_roll_and_the_way_up() -> None:
    take = poise.simulate(poise.scene("roll-sideways", seed=5, seconds=3.0, stand="end", rolls=1.0))
    assert not take.metrics["stalled"] and not take.metrics["stands"]
    assert 0.9 < float(take.metrics["revolutions_total"] or 0) < 1.2
    assert take["life"][0, 0] != take["life"][-1, 0]
    assert np.isfinite(take["roll"][-1, 0])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["roll-backward", "roll-sideways"])
def test_nine_revolutions_and_up(name: str) -> None:
    assert all(
        let_go(name, seed, 30.0, 9.0).controller.behaviour.metrics()["stands"] for seed in (70, 71, 72)
    )  # type: ignore[union-attr]

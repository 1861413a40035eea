"""One scene on the stage for all tests of it, put back to its start for each."""

from __future__ import annotations

import pytest

from poise.stage import house
from poise.stage.house import Play
from poise.stage.pacer import Pacer


@pytest.fixture(scope="session")
def shared_play() -> Play:
    return house.play(house.scene_of("roam"))


@pytest.fixture
def play(shared_play: Play) -> Play:
    shared_play.act.again()
    shared_play.act.ghost = {}
    return shared_play


@pytest.fixture
def pacer(play: Play) -> Pacer:
    """Not started: the test is its thread."""
    return Pacer(play.act, play.world, lambda frame, acks: None)

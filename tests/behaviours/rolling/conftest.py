"""Bodies that roll, stopped in the middle."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from moving import moving  # noqa: F401
from poise.behaviours.rolling.cycle import named
from poise.behaviours.rolling.program import FeatureWeights
from poise.behaviours.rolling.roll import Roll, Start, launch
from poise.behaviours.rolling.steer import Steering
from poise.character import Character
from poise.control import Control, Controller
from poise.worlds import Arena, World


@pytest.fixture
def rolling() -> Callable[..., SimpleNamespace]:
    """Factory: roll for a while; ``each`` is called with the controller at every tick."""

    def make(
        seconds: float = 0.5, seed: int = 3, each=None, weights: FeatureWeights | None = None, **steering
    ):
        body, cycle = Character.named("adult"), named("forward")
        wanted = replace(Steering(cycle.speed, cycle.spin), **steering)
        roll = Roll(cycle, steering=wanted, weights=weights)
        arena = Arena(World(dt=1 / 300, gap=0.01), body)
        arena.reset(*launch(roll, body, Start(), np.random.default_rng(seed)))
        controller = Controller(body, roll, Control(refresh_hz=60.0))
        for i in range(round(seconds * 300)):
            arena.begin()
            arena.data.ctrl[:] = controller(arena.model, arena.data, ready=True)
            if each is not None and i % 5 == 0:
                each(controller)
            arena.finish()
        return SimpleNamespace(arena=arena, controller=controller, roll=roll, state=controller.state)

    return make

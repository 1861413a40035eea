"""Bodies in random motion without contact, and bodies that a controller keeps standing."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from moving import moving, name  # noqa: F401
from poise.behaviours import Balance, Behaviour
from poise.character import Character
from poise.control import Control, Controller
from poise.worlds import Arena, Push, World


@pytest.fixture
def stand() -> Callable[..., SimpleNamespace]:
    """Factory: let a character stand for a while, perhaps pushed, and stop in the middle of a step.

    Returns arena, controller and the state, supports, limits and solver of the controller.
    """

    def make(
        body: str = "adult",
        seconds: float = 0.1,
        force: tuple[float, float, float] | None = None,
        mode: str = "robust",
        behaviour: Behaviour | None = None,
        stir: float = 0.0,
        **control: Any,
    ) -> SimpleNamespace:
        character = Character.named(body)
        pushes = [Push("torso", force, 0.1, 0.1)] if force else []
        arena = Arena(World(pushes=pushes), character)
        arena.reset(character.q_rest)
        controller = Controller(character, behaviour or Balance(), Control(mode=mode, **control))
        data = arena.data
        for _ in range(round(seconds / arena.world.dt)):
            arena.begin()
            data.ctrl[:] = controller(arena.model, data, ready=True)
            arena.finish()
        data.qvel[:] += stir * np.random.default_rng(0).normal(size=len(data.qvel))
        arena.begin()
        controller(arena.model, data, ready=True)
        return SimpleNamespace(
            arena=arena, controller=controller, state=controller.state, supports=controller.supports,
            limits=controller.limits, solver=controller.solver, behaviour=controller.behaviour,
        )  # fmt: skip

    return make

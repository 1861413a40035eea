"""What can be changed about a session while it runs, besides what acts on the body."""

from __future__ import annotations

from dataclasses import dataclass

from poise.control.controller import Controller
from poise.gate import number
from poise.simulate.rollout import Rollout
from poise.worlds.world import Arena

SLIPPERY, ROUGH = 0.05, 3.0  # friction
WEAK, STRONG = 0.1, 3.0  # of the body's own torques
LATEST = 0.1  # [s] that torques may be late


@dataclass
class Conditions:
    """Friction of the ground, strength (the part of its torques that the body may use), delay of its torques [s]."""

    friction: float
    strength: float = 1.0
    delay: float = 0.0

    def change(self, friction: float | None, strength: float | None, delay: float | None) -> None:
        """Take other values; None leaves one as it is."""
        if friction is not None:
            self.friction = number("friction", friction, SLIPPERY, ROUGH)
        if strength is not None:
            self.strength = number("strength", strength, WEAK, STRONG)
        if delay is not None:
            self.delay = number("delay", delay, 0.0, LATEST, unit="seconds")

    def act_on(self, arena: Arena, controller: Controller, loop: Rollout, ground: bool) -> None:
        """Make them so; the body knows how rough the ground is and how strong it is, but not how late.

        ``ground``: whether the friction has changed.
        """
        if ground:
            arena.slip(self.friction)
            controller.expect(self.friction)
        controller.weaken(self.strength)
        loop.delay.set(round(self.delay / arena.world.dt))

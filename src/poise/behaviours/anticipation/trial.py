"""One throw after another at the same body in physics, without recording: for training and for measuring."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from poise.behaviours.anticipation.behaviour import Anticipate
from poise.behaviours.anticipation.damage import damage, result
from poise.behaviours.anticipation.moves import Move
from poise.behaviours.anticipation.threat import ZONE_HEIGHTS, Sight, Threat
from poise.character.character import Character
from poise.control.controller import Control, Controller
from poise.simulate import rollout
from poise.worlds.world import Arena, World

EVERY = 5  # steps between two looks at a throw
ZONE_WIDTHS = {"legs": 0.14, "pelvis": 0.12, "trunk": 0.12, "head": 0.06}  # [m] beside the axis
SPEEDS, DISTANCES = (4.0, 9.0), (4.5, 7.0)  # [m/s], [m] of random threats


@dataclass(frozen=True)
class Outcome:
    """What a threat came to.

    Attributes:
        energy: Impact energy [J] by body. damage: The same, weighed [J]. result: avoided, blocked or hit.
        effort: Work of the muscles, |torque × speed| [J]. fell, steps: Of the character.
        move: Name of the example that was chosen, empty for none. decision_ms: How long the choice took.
    """

    energy: dict[str, float]
    damage: float
    result: str
    effort: float
    fell: bool
    steps: int
    move: str
    decision_ms: float


def random_threat(rng: np.random.Generator, zone: str | None = None) -> Threat:
    """A ball from anywhere at any part of the body; each zone is as likely as the others."""
    zone = zone or str(rng.choice(list(ZONE_HEIGHTS)))
    bearing, aside = rng.uniform(-180, 180), rng.uniform(-1, 1)
    height = rng.uniform(*ZONE_HEIGHTS[zone])
    return Threat(
        bearing, height, aside * ZONE_WIDTHS[zone], rng.uniform(*SPEEDS), distance=rng.uniform(*DISTANCES)
    )


class Range:
    """A place to throw balls at a body; keeps the compiled world."""

    def __init__(self, character: Character, mass: float = 0.45, friction: float = 0.8):
        self.character = character
        self.arena = Arena(World(friction, balls=(Threat(mass=mass).ball(),)), character)
        joint = self.arena.model.joint("ball_0")
        self._q, self._v = int(joint.qposadr[0]), int(joint.dofadr[0])

    def throw(
        self,
        threat: Threat,
        choose: Callable[[Sight], Move | None],
        delay: float = 0.2,
        noise: float = 0.0,
        seed: int = 0,
        after: float = 0.15,
        head_start: bool = False,
    ) -> Outcome:
        """Throw one ball.

        Args:
            after: How long to go on once the ball would have passed [s].
            head_start: Begin at the end of the delay, with the ball that far on its way: the body has not moved yet.
        """
        arena, body = self.arena, Anticipate(choose, 0.0 if head_start else delay, noise, seed=seed)
        skipped = delay if head_start else 0.0
        self._place(threat, skipped)
        controller = Controller(self.character, body, Control())
        data, dofs, dt = arena.data, arena.tree.dofs, arena.world.dt
        powers: list[float] = []
        assert arena.impacts is not None

        def look() -> bool:
            powers.append(float(np.abs(data.ctrl * data.qvel[dofs][6:]).sum()))
            return controller.fallen(arena.contact.touches())

        fell = rollout(arena, controller, round((threat.seconds - skipped + after) / dt), look, EVERY).over
        effort = EVERY * dt * sum(powers)
        energy = {n: float(e) for n, e in zip(arena.tree.names, arena.impacts.energy, strict=True) if e > 0}
        name, what = "" if body.move is None else body.move.name, result(energy, threat.energy)
        return Outcome(energy, damage(energy), what, effort, fell, body.steps, name, body.decision_ms)

    def _place(self, threat: Threat, t: float) -> None:
        """The body at rest, the ball t seconds after the throw, in free flight."""
        self.arena.reset(self.character.q_rest)
        data = self.arena.data
        data.qpos[self._q : self._q + 3], data.qvel[self._v : self._v + 3] = threat.ball().after(t)


def still(sight: Sight) -> None:
    """No anticipation."""
    return


def share(outcomes: list[Outcome], *results: str) -> float:
    """Part of the outcomes with one of these results."""
    return sum(o.result in results for o in outcomes) / max(len(outcomes), 1)

"""Scene: everything a take depends on, frozen; Performance: a scene's motion without the physics loop."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import mujoco
import numpy as np

from poise.character import Character
from poise.control.behaviour import Behaviour
from poise.control.controller import Control
from poise.gate import number
from poise.record.recording import Recording
from poise.worlds.world import World

LONGEST = 1e6  # [s] of one take

Launch = Callable[[np.random.Generator], tuple[np.ndarray, np.ndarray]]
Metrics = Callable[[Recording], Mapping[str, Any]]


@dataclass(frozen=True)
class Scene:
    """Everything a take depends on, frozen: character, world, behaviour, control, duration, seed.

    ``options`` is what was asked for, so that the scene can be built again from its name; ``info`` is kept in the
    recording as well, for those who read it later; ``measures`` are the
    functions that add the scene's own metrics; ``watch`` names points recorded as series (body, local point [m]).
    A take works on a copy of ``behaviour``, so that one scene can be run many times, and by several threads.
    """

    name: str
    character: Character
    world: World
    behaviour: Behaviour | Performance
    seconds: float = 6.0
    seed: int = 0
    control: Control = field(default_factory=Control)
    q_start: np.ndarray | None = None
    v_start: np.ndarray | None = None  # velocity at the start; None is at rest
    launch: Launch | None = None  # draws configuration and velocity at the start, in place of those two
    after_fall: float = np.inf  # how long a take goes on once the character has fallen [s]
    pose_noise: float = 0.0  # standard deviation of every joint at the start [rad]
    options: Mapping[str, Any] = field(default_factory=dict)
    info: Mapping[str, Any] = field(default_factory=dict)
    measures: Sequence[Metrics] = ()
    watch: Mapping[str, tuple[str, tuple[float, float, float]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        number("a scene of", self.seconds, self.world.dt, LONGEST, unit="a duration above zero,")
        number("seed", self.seed, 0, 2**63 - 1, whole=True)
        number("pose noise [rad]", self.pose_noise, 0.0, 1.0)

    @property
    def mass(self) -> float:
        """Of the body that is moved [kg], which its controller need not know."""
        return self.world.plant.mass * self.character.mass

    def start(self) -> tuple[np.ndarray, np.ndarray | None]:
        """Configuration and velocity that the seed draws; a velocity of None is rest."""
        rng = np.random.default_rng(self.seed)
        if self.launch is not None:
            return self.launch(rng)
        model = self.character.model
        q = np.array(self.character.q_rest if self.q_start is None else self.q_start)
        noise = rng.normal(0.0, 1.0, model.nv) * self.pose_noise
        noise[:6] = 0.0  # the feet stay where they are put, as far as the legs allow
        mujoco.mj_integratePos(model, q, noise, 1.0)
        return q, self.v_start


class Performance(ABC):
    """What a kinematic scene has in the place of a behaviour: it moves the body itself and makes its own recording."""

    @abstractmethod
    def perform(self, scene: Scene, progress: Callable[[float], None] | None = None) -> Recording:
        """The whole take of a scene; ``scene.measures`` are added by the caller."""

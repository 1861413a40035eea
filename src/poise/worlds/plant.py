"""The plant: how the body that is moved differs from the model that its controller knows."""

from __future__ import annotations

import copy
from dataclasses import dataclass

import mujoco

from poise.gate import number

FASTEST_HZ = 1e5


@dataclass(frozen=True)
class Plant:
    """What a controller is not told; the default is a plant that is the model.

    Args:
        mass: Factor of the masses of all parts, and of their inertias with them.
        inertia: Further factor of the inertias.
        friction: Factor of the friction of the ground.
        delay: Between the measurement and the torques that answer to it [s]; whole steps of the world.
        noise: Standard deviation of every measured joint velocity, white [rad/s].
        lag: Time constant of the actuators [s].
        rate: Of the control loop [Hz]; 0 is every step of the world.
    """

    mass: float = 1.0
    inertia: float = 1.0
    friction: float = 1.0
    delay: float = 0.0
    noise: float = 0.0
    lag: float = 0.0
    rate: float = 0.0

    def __post_init__(self) -> None:
        for name, low, high, unit in RANGES:
            number(f"plant.{name} =", getattr(self, name), low, high, unit=unit)
        if self.rate:
            number("plant.rate =", self.rate, 20.0, FASTEST_HZ, unit="Hz")

    @property
    def hidden(self) -> bool:
        """Whether the engine's state, or what follows from it, is not what the controller sees."""
        return (self.mass, self.inertia, self.friction, self.noise) != (1.0, 1.0, 1.0, 0.0)

    @property
    def slow(self) -> bool:
        """Whether torques arrive late, or not as they were asked for."""
        return self.delay > 0 or self.lag > 0

    def made(self, model: mujoco.MjModel, bodies: range) -> mujoco.MjModel:
        """The model of the plant: a copy whose bodies weigh and slide otherwise."""
        own = copy.copy(model)
        at = slice(bodies.start, bodies.stop)
        own.body_mass[at] *= self.mass
        own.body_inertia[at] *= self.mass * self.inertia
        own.geom_friction[:, 0] *= self.friction
        mujoco.mj_setConst(own, mujoco.MjData(own))
        return own


RANGES = (
    ("mass", 0.1, 10.0, "a factor"), ("inertia", 0.1, 10.0, "a factor"), ("friction", 0.0, 10.0, "a factor"),
    ("delay", 0.0, 0.2, "seconds"), ("noise", 0.0, 10.0, "rad/s"), ("lag", 0.0, 0.5, "seconds"),
    ("rate", 0.0, FASTEST_HZ, "Hz"),
)  # fmt: skip
EXACT = Plant()

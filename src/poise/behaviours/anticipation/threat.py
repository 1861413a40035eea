"""A threat: a ball thrown at a part of the body, and what a character sees of it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from poise.character.constants import GRAVITY
from poise.errors import BadInput
from poise.worlds.ball import Ball

RELEASE = 1.5  # [m] height at which a ball leaves the hand
RANGES = {  # of what may be asked: unit, least, most
    "bearing": ("deg", -360.0, 360.0),
    "height": ("m", 0.1, 1.8),
    "offset": ("m", -0.5, 0.5),
    "speed": ("m/s", 3.0, 14.0),
    "mass": ("kg", 0.05, 3.0),
    "distance": ("m", 2.0, 12.0),
}
ZONE_HEIGHTS = {"legs": (0.15, 0.7), "pelvis": (0.75, 1.0), "trunk": (1.05, 1.4), "head": (1.45, 1.7)}  # [m]
FEATURES = ("sin bearing", "cos bearing", "height", "offset", "time", "speed", "descent")


def zone_of(height: float) -> str:
    """The part of the body at a height [m]."""
    return next((zone for zone, (_, high) in ZONE_HEIGHTS.items() if height <= high + 0.025), "head")


@dataclass(frozen=True)
class Threat:
    """A throw at a standing body.

    Args:
        bearing: Where it comes from [deg]: 0 in front of the body, 90 on its left.
        height: Where it would cross the body's axis [m].
        offset: How far beside the axis, to the left of the ball's way [m].
        speed: Over the ground [m/s].
        mass, radius: Of the ball [kg], [m].
        distance: From which it is thrown [m].
    """

    bearing: float = 0.0
    height: float = 1.3
    offset: float = 0.0
    speed: float = 8.0
    mass: float = 0.45
    radius: float = 0.11
    distance: float = 5.0

    def __post_init__(self) -> None:
        for name, (unit, low, high) in RANGES.items():
            value = getattr(self, name)
            if not (math.isfinite(value) and low <= value <= high):
                raise BadInput(f"ball {name} {value} {unit}; give {low:g} to {high:g} {unit}")

    @property
    def seconds(self) -> float:
        """Time of flight to the body's axis."""
        return self.distance / self.speed

    @property
    def energy(self) -> float:
        """Of the ball when it arrives [J]."""
        T = self.seconds
        fall = (self.height - RELEASE) / T - 0.5 * GRAVITY * T
        return 0.5 * self.mass * (self.speed**2 + fall**2)

    def ball(self, centre: tuple[float, float] = (0.0, 0.0), heading: float = 0.0) -> Ball:
        """The ball at the moment of the throw, for a body that stands somewhere and faces somewhere [rad]."""
        out, left = _axes(self.bearing, heading)
        start = np.asarray(centre) + self.distance * out + self.offset * left
        T = self.seconds
        rise = (self.height - RELEASE) / T + 0.5 * GRAVITY * T
        vx, vy = -self.speed * out
        return Ball(
            (float(start[0]), float(start[1]), RELEASE), (float(vx), float(vy), rise), self.mass, self.radius
        )


@dataclass(frozen=True)
class Sight:
    """What is seen of a ball at one instant, from the body: where and when it will cross the body's axis.

    ``height``, ``offset`` [m], ``time`` from now [s], ``speed`` over the ground [m/s], ``descent`` [m/s] there.
    """

    bearing: float
    height: float
    offset: float
    time: float
    speed: float
    descent: float

    @property
    def features(self) -> np.ndarray:
        """(7,) numbers that a choice is made by, see ``FEATURES``."""
        angle = math.radians(self.bearing)
        return np.array(
            [math.sin(angle), math.cos(angle), self.height, self.offset, self.time, self.speed, self.descent]
        )

    def point(self, ahead: float, centre: np.ndarray, heading: float) -> np.ndarray:
        """Where (3,) the ball will be when it is ``ahead`` [m] short of the body's axis, world."""
        out, left = _axes(self.bearing, heading)
        early = ahead / max(self.speed, 0.1)
        z = self.height + self.descent * early - 0.5 * GRAVITY * early**2
        return np.append(centre + ahead * out + self.offset * left, z)


def _axes(bearing: float, heading: float) -> tuple[np.ndarray, np.ndarray]:
    """Where a ball comes from (2,), and the left (2,) of its way towards a body that faces ``heading`` [rad]."""
    angle = math.radians(bearing) + heading
    out = np.array([math.cos(angle), math.sin(angle)])
    return out, np.array([out[1], -out[0]])


def sight_of(threat: Threat, delay: float = 0.2) -> Sight:
    """What a body at the origin sees of a threat some time after the throw [s]."""
    return see(*threat.ball().after(delay), np.zeros(2), 0.0)


def see(place: np.ndarray, velocity: np.ndarray, centre: np.ndarray, heading: float) -> Sight:
    """A ball (3,), (3,) in free flight as seen from a body at ``centre`` (2,) [m] that faces ``heading`` [rad]."""
    flat = velocity[:2]
    speed = max(float(np.linalg.norm(flat)), 1e-6)
    along = flat / speed
    away = place[:2] - centre
    time = float(-away @ along) / speed
    offset = float(np.array([-along[1], along[0]]) @ away)
    height = float(place[2] + velocity[2] * time - 0.5 * GRAVITY * time**2)
    bearing = math.degrees(math.atan2(-along[1], -along[0]) - heading)
    return Sight(
        (bearing + 180.0) % 360.0 - 180.0, height, offset, time, speed, GRAVITY * time - float(velocity[2])
    )


def blurred(sight: Sight, noise: float, rng: np.random.Generator) -> Sight:
    """The same, misjudged: ``noise`` [m] is the standard deviation of the place where the ball will cross."""
    side, up, late = rng.normal(size=3)
    time = max(sight.time * (1 + 0.5 * noise * late), 0.0)
    return replace(sight, height=sight.height + noise * up, offset=sight.offset + noise * side, time=time)

"""Disturbances: pushes on a body, springs that drag a point of it towards a moving target, hands that lean on it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from poise.errors import BadInput
from poise.gate import number, shown
from poise.geometry.easing import quintic
from poise.geometry.linear import norm

NUMBER = r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*"
VECTOR = f"{NUMBER},{NUMBER},{NUMBER}"
STRONGEST = 1e9  # [N] of a push along one axis
PATTERN = re.compile(rf"^\s*([^:]*[^:\s])\s*:{VECTOR}@{NUMBER}\+{NUMBER}(?:\^{VECTOR})?$")


@dataclass(frozen=True)
class Push:
    """A constant force on a body for a while; world axes [N], [s].

    ``offset`` is the point it acts at, in the body's frame from its centre of mass [m].
    """

    body: str
    force: tuple[float, float, float]
    start: float
    duration: float
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        if not isinstance(self.body, str) or len(self.force) != 3 or len(self.offset) != 3:
            raise BadInput(
                f"push on {shown(self.body)} by {shown(self.force)}; give a name and three numbers"
            )
        for axis, value in zip("xyz", self.force):
            number(f"{axis} force of a push on {self.body} [N]", value, -STRONGEST, STRONGEST)
        for axis, value in zip("xyz", self.offset):
            number(f"{axis} offset of a push on {self.body} [m]", value, -10.0, 10.0)
        number(f"start of a push on {self.body} [s]", self.start, 0.0)
        number(f"duration of a push on {self.body} [s]", self.duration, 1e-9, unit="a duration above zero,")

    @classmethod
    def parse(cls, text: str) -> Push:
        """Read ``body:fx,fy,fz@start+duration``, e.g. ``torso:250,0,0@1.0+0.1``; ``^x,y,z`` behind it is the offset."""
        found = PATTERN.match(text)
        if not found:
            raise BadInput(
                f"push {shown(text)} not understood; write body:fx,fy,fz@start+duration in newtons and seconds, "
                "e.g. torso:250,0,0@1.0+0.1"
            )
        body, *numbers = found.groups()
        fx, fy, fz, start, duration, *offset = (float(n or 0.0) for n in numbers)
        return cls(body, (fx, fy, fz), start, duration, (offset[0], offset[1], offset[2]))

    def __str__(self) -> str:
        fx, fy, fz = (repr(float(f)) for f in self.force)
        text = f"{self.body}:{fx},{fy},{fz}@{float(self.start)!r}+{float(self.duration)!r}"
        return text + ("^" + ",".join(repr(float(x)) for x in self.offset) if any(self.offset) else "")

    def acts(self, t: float) -> bool:
        return self.start <= t < self.start + self.duration


@dataclass(frozen=True)
class Drag:
    """A spring with a damper from a point of a body to a target that moves with time: an outside hand."""

    body: str
    target: Callable[[float], np.ndarray]  # time [s] → point [m]
    local: tuple[float, float, float] = (0.0, 0.0, 0.0)
    stiffness: float = 500.0  # [N/m]
    damping: float = 50.0  # [N s/m]
    strongest: float = 200.0  # [N]
    start: float = 0.0
    duration: float = np.inf

    def acts(self, t: float) -> bool:
        return self.start <= t < self.start + self.duration

    def force(self, t: float, x: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Pull on a point at x with velocity v [N]."""
        pull = self.stiffness * (np.asarray(self.target(t)) - x) - self.damping * v
        size = float(norm(pull))
        return pull * (self.strongest / size) if size > self.strongest else pull


@dataclass(frozen=True)
class Lean:
    """A hand that leans on a point of a body: a force that comes on within a while and stays, world axes [N], [s]."""

    body: str
    push: tuple[float, float, float]
    local: tuple[float, float, float] = (0.0, 0.0, 0.0)
    start: float = 0.0
    ease: float = 0.4

    def acts(self, t: float) -> bool:
        return t >= self.start

    def target(self, t: float) -> np.ndarray:
        """Nowhere: it draws to no place."""
        return np.full(3, np.nan)

    def force(self, t: float, x: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Force on the point, whatever it does [N]."""
        return float(quintic((t - self.start) / self.ease)) * np.array(self.push)

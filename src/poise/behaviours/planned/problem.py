"""What is to be planned: a reference, where and when it touches the ground, a goal, and what counts."""

from __future__ import annotations

from dataclasses import dataclass, field, fields

import numpy as np

from poise.character.constants import GRAVITY
from poise.errors import BadInput
from poise.records import Cube, Indices, Matrix, Real, Record, Vector

FALL = (0.0, 0.0, -GRAVITY)  # [m/s²]


@dataclass(frozen=True)
class Weights:
    """Weights of the running cost: force [1/N²], angular momentum H, tracking of c, L and ∫H (SI)."""

    force: float = 1.0
    angular: float = 500.0
    track: float = 500.0

    def __post_init__(self) -> None:
        for f in fields(self):
            value = getattr(self, f.name)
            if not 0 <= value < 1e9 or (f.name == "force" and value == 0):
                raise BadInput(f"weight {f.name}={value}; give a number from zero on (force: above zero)")


@dataclass(eq=False)
class Problem(Record):
    """One segment of a motion, frame by frame, h seconds apart.

    Args:
        x_ref: (N + 1, 12) reference states [c, L, ∫H, H].
        rate_ref: (12,) time derivative of the reference at its end.
        points: (N + 1, P, 3) contact points; frame k uses the first ``count[k]`` of them [m]. Frame N is the
            instant of the goal, which the free final time needs.
        count: (N + 1,) number of contact points at each frame; zero in flight.
        mass: [kg]. h: [s]. mu: friction.
        start, goal: (12,) first and last state; those of the reference when missing.
    """

    x_ref: Matrix
    rate_ref: np.ndarray
    points: Cube
    count: Indices
    mass: Real
    h: Real = 1.0 / 120.0
    mu: Real = 0.8
    weights: Weights = field(default_factory=Weights)
    g: Vector = field(default_factory=lambda: np.array(FALL))
    start: np.ndarray = None  # type: ignore[assignment]
    goal: np.ndarray = None  # type: ignore[assignment]
    w: Vector = field(init=False)  # the weights [force, angular, track] as compiled code reads them

    def __post_init__(self) -> None:
        frames = len(self.x_ref)
        for name, value in (("start", self.x_ref[0]), ("goal", self.x_ref[-1])):
            if getattr(self, name) is None:
                setattr(self, name, value)
        if self.x_ref.shape != (frames, 12) or frames < 3:
            raise BadInput(
                f"reference of shape {self.x_ref.shape}; at least 3 frames of 12 numbers are needed"
            )
        if self.points.shape[0] != frames or self.count.shape != (frames,):
            raise BadInput(f"contacts of {self.points.shape[0]} frames for a reference of {frames}")
        if not self.count.any():
            raise BadInput("no contact in any frame: nothing can push, so nothing can be planned")
        for name in ("x_ref", "rate_ref", "points", "start", "goal"):
            if not np.isfinite(getattr(self, name)).all():
                raise BadInput(f"{name} has a number that is not finite")
        self.w = np.array([self.weights.force, self.weights.angular, self.weights.track])
        self.seal()

    @property
    def frames(self) -> int:
        """N, the number of control intervals."""
        return len(self.x_ref) - 1

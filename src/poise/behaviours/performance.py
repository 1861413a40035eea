"""A behaviour that moves the body itself, frame by frame, without the physics loop: it makes its own recording."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from poise.record.recording import Recording
    from poise.simulate import Scene


class Performance(ABC):
    """What a kinematic scene has in the place of a behaviour."""

    @abstractmethod
    def perform(self, scene: Scene, progress: Callable[[float], None] | None = None) -> Recording:
        """The whole take of a scene; ``scene.measures`` are added by the caller."""

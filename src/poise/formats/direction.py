"""Direction: where an animator wants physics in a clip, and how one goes over into the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from poise.geometry.easing import quintic

if TYPE_CHECKING:
    from poise.record.recording import Recording


@dataclass(frozen=True)
class Direction:
    """What was asked of a take.

    Attributes:
        window: Start and end of what is simulated, in the clip's time [s]; empty for all of it.
        blend: How long one goes over into the other [s].
        loop: Whether the end should meet the start as it does in the clip.
        end: Of the clip, in its own time [s].
    """

    window: tuple[float, ...] = ()
    blend: float = 0.0
    loop: bool = False
    end: float = 0.0

    @classmethod
    def of(cls, recording: Recording) -> Direction:
        """As the take says; nothing is mixed where it says nothing."""
        said = dict(recording.info.get("direction") or {})
        return cls(**{**said, "window": tuple(said.get("window") or ())})

    def share(self, taken: np.ndarray, last: float, returns: bool) -> np.ndarray:
        """Part of the physics (T,) at times of the take [s], which goes back to the clip until ``last`` if it returns.

        Least-jerk steps: pose, velocity and acceleration go over without a pop.
        """
        span = max(min(self.blend, 0.5 * last), 1e-9)
        share = _eased(taken, span, self.blend > 0)
        return share * _eased(last - taken, span, self.blend > 0) if returns else share


def _eased(t: np.ndarray, span: float, soft: bool) -> np.ndarray:
    """From 0 before t = 0 to 1 after a while, at once where it is not soft."""
    return np.where(t < 0.0, 0.0, quintic(t / span) if soft else 1.0)

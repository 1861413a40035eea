"""When a body that follows a clip needs another step than the clip's next one, or that one sooner."""

from __future__ import annotations

import math

import numpy as np

from poise.behaviours.following.feet import Foot
from poise.behaviours.following.flight import QUICKEST
from poise.behaviours.stepping.step import Facts
from poise.dynamics.state import State
from poise.geometry.linear import norm

TRIP = 0.02  # in heights: how far outside the soles a pressure must be asked for before a step is taken,
OFF = 0.05  # and ξ off its course by this,
SLOW = 0.1  # when the clip goes slower than this, in √(g h),
SOON = 0.6  # and no foot leaves within this, in √(h/g)
STROLL, NOW = (
    0.2,
    0.05,
)  # in √(g h), [s]: a clip this slow, whose foot leaves this soon, can still take the other one
FAR_OFF = 0.1  # in heights: ξ so far off its course makes the clip's next step due,
RUSHED = (0.2, 0.5)  # and from here to there the sooner


def other_step(
    facts: Facts, outer: float, left: float, off: float, lack: float, v: np.ndarray, half: float
) -> bool:
    """Whether the clip must wait while the body takes a step of its own; both feet stand.

    Args:
        outer: How far ξ is to the outer side of the foot that stays when the next one leaves [m].
        left: Time until then [s]. off: ξ from its course [m]. lack: What the pressure lacks [m].
        v: Of the clip's centre of mass. half: Width of the foot that stays [m], halved.
    """
    if off < OFF * facts.h:
        return False
    speed = norm(v) / math.sqrt(facts.g * facts.h)
    if left < NOW and speed < STROLL and outer > half:
        return True
    return speed < SLOW and left > SOON / facts.rate and lack > TRIP * facts.h


def due(facts: Facts, off: float, lack: float, rush: float) -> float:
    """Rate of the clip's time while both feet stand: its own, or as quick as the next step is due, up to ``rush``.

    Where both press as far as they can they do no more together than one of them alone.
    """
    if off <= FAR_OFF * facts.h or lack <= TRIP * facts.h:
        return 1.0
    low, high = RUSHED
    share = min(max((off / facts.h - low) / (high - low), 0.0), 1.0)
    return QUICKEST + share * (rush - QUICKEST)


def outer_side(state: State, stays: Foot, xi: np.ndarray) -> float:
    """How far ξ is to the outer side of a foot's middle [m]."""
    place, heading = stays.stands(state)
    x, y = xi - place
    return stays.leg.side * (math.cos(heading) * y - math.sin(heading) * x)
